import { t } from './translate.ts';
import { z } from 'zod';
import { readDayRange } from './study-dates.ts';

/** A day or a range of days that filters a list. */
export const dayFilter = z
  .string()
  .trim()
  .refine((text) => text === '' || readDayRange(text) !== undefined, {
    error: () => t`Use a date such as 2026-11-21 or 20261101-20261121`,
  })
  .optional();

type Days = { startDate?: string | undefined; endDate?: string | undefined };

/** Whether the start is not after the end. */
export const areDaysInOrder = ({ startDate, endDate }: Days): boolean =>
  !startDate || !endDate || firstDay(startDate) <= lastDay(endDate);

/** Error if the start is after the end. */
export const daysOutOfOrder = { path: ['startDate'], error: () => t`From date must not be after to date` };

const firstDay = (text: string) => readDayRange(text)?.from ?? '0001-01-01';
const lastDay = (text: string) => readDayRange(text)?.to ?? '9999-12-31';
