import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { forgetUnsaved, keepUnsaved, readUnsaved, unsavedOwner } from '#core/unsaved.ts';

/**
 * Keeps what is typed in a form in this browser, and gives it back after a crash, a reload or an ended session. It is
 * forgotten when the form is left, which happens by saving, or by somebody who has agreed to lose it.
 */
export const useKept = <T>(name: string, schema: z.ZodType<T>) => {
  const [found] = useState(() => readUnsaved(name, schema));
  // What was typed last may be told when the session has ended: it stays theirs.
  const [owner] = useState(unsavedOwner);
  useEffect(() => () => forgetUnsaved(name), [name]);
  return {
    found,
    keep: (value: T): boolean => keepUnsaved(name, value, owner),
    forget: () => forgetUnsaved(name),
  };
};

/** Keeps what is not saved, and forgets it when there is nothing to keep. */
export const useKeeping = <T>({ keep, forget }: ReturnType<typeof useKept<T>>, value: T | undefined): void => {
  useEffect(() => {
    if (value === undefined) forget();
    else keep(value);
  });
};
