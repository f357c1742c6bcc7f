import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { forgetUnsaved, saveUnsaved, readUnsaved, unsavedOwner } from '#core/state/unsaved-texts.ts';

/**
 * Stores the input of a form in this browser, in case of a crash, a reload or an ended session. The stored input is
 * deleted when the form closes: after saving, or when the user agreed to lose the input.
 */
export const useUnsavedForm = <T>(name: string, schema: z.ZodType<T>) => {
  const [found] = useState(() => readUnsaved(name, schema));
  // The owner is fixed when the form opens. The last input may arrive after the session has ended, and still belongs to
  // this user.
  const [owner] = useState(unsavedOwner);
  useEffect(() => () => forgetUnsaved(name), [name]);
  return {
    found,
    keep: (value: T): boolean => saveUnsaved(name, value, owner),
    forget: () => forgetUnsaved(name),
  };
};

/** Stores unsaved input. Deletes it when the value is undefined. */
export const useSaveUnsavedForm = <T>(
  { keep, forget }: ReturnType<typeof useUnsavedForm<T>>,
  value: T | undefined,
): void => {
  useEffect(() => {
    if (value === undefined) forget();
    else keep(value);
  });
};
