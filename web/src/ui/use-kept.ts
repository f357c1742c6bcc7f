import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { forgetUnsaved, keepUnsaved, readUnsaved } from '#core/unsaved.ts';

/**
 * Keeps what is typed in a form in this browser, and gives it back after a crash, a reload or an ended session. It is
 * forgotten when the form is left, which happens by saving, or by somebody who has agreed to lose it.
 */
export const useKept = <T>(name: string, schema: z.ZodType<T>) => {
  const [found] = useState(() => readUnsaved(name, schema));
  useEffect(() => () => forgetUnsaved(name), [name]);
  return {
    found,
    keep: (value: T): boolean => keepUnsaved(name, value),
    forget: () => forgetUnsaved(name),
  };
};
