import { t } from '@radwork/contract/core/translate';
import { localMinute } from '#core/values/local-minute.ts';
import { invalid } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';

/** Throws 422 when a due date is in the past, or is not later than the previous due date. */
export const assertLater = (dueDate: string, before: string | null = null): void => {
  const earliest = Math.max(Date.now(), before === null ? 0 : Date.parse(before));
  if (Date.parse(dueDate) <= earliest) throw invalid({ dueDate: t`Due date must be in the future` });
};

/** Formats a due date with its time zone for the history: "2026-11-25 14:00 (Europe/Zurich)". */
export const dueWords = (dueDate: string, { timeZone }: Pick<Session, 'timeZone'>): string =>
  `${localMinute(dueDate, timeZone)} (${timeZone})`;
