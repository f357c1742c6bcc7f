import { t } from './translate.ts';
import { z } from 'zod';

/** Date "yyyy-MM-dd" in the time zone of the tenant. Empty text counts as missing. */
export const dayInQuery = z
  .union([z.iso.date({ error: () => t`Use a date such as 2026-11-21` }), z.literal('').transform(() => undefined)], {
    error: () => t`Use a date such as 2026-11-21`,
  })
  .optional();

export const areInOrder = (from?: string, to?: string): boolean => !from || !to || from <= to;

/** Error if the first day is after the last. */
export const outOfOrder = (field: string) => ({ path: [field], message: t`From date must not be after to date` });
