import { t } from './translate.ts';
import { z } from 'zod';

/**
 * AE title: 1 to 16 printable characters, no backslash. Leading and trailing spaces are not significant (PS3.5 §6.2,
 * AE). A single check that does not abort, so that address errors in the same form are also reported.
 */
export const aeTitle = z
  .string({ error: () => t`AE Title is required` })
  .trim()
  .regex(/^[\x20-\x5b\x5d-\x7e]{1,16}$/, {
    error: ({ input }) =>
      input === '' ? t`AE Title is required` : t`Use 1 to 16 printable characters without a backslash`,
  });
