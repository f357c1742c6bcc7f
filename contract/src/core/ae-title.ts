import { t } from './translate.ts';
import { z } from 'zod';

/**
 * AE title: 1 to 16 printable characters without backslash. Leading and trailing spaces have no meaning (PS3.5 §6.2,
 * AE). The check does not abort, so that errors of other fields are also reported.
 */
export const aeTitle = z
  .string({ error: () => t`AE Title is required` })
  .trim()
  .regex(/^[\x20-\x5b\x5d-\x7e]{1,16}$/, {
    error: ({ input }) =>
      input === '' ? t`AE Title is required` : t`Use 1 to 16 printable characters without a backslash`,
  });
