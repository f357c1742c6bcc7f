import { t } from './translate.ts';
import { z } from 'zod';

/** A day "yyyy-MM-dd" in the tenant's time zone. An empty text counts as no day. */
export const dayInQuery = z
  .union([z.iso.date({ error: () => t`Use a date such as 2026-11-21` }), z.literal('').transform(() => undefined)], {
    error: () => t`Use a date such as 2026-11-21`,
  })
  .optional();

export const areInOrder = (from?: string, to?: string): boolean => !from || !to || from <= to;

/** Problem if the first day is after the last. */
export const outOfOrder = (field: string) => ({ path: [field], message: t`From date must not be after to date` });
