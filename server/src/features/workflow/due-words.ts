import { localMinute } from '#core/local-minute.ts';
import type { Session } from '#core/scope.ts';

/** A due date in the words of the history, which people in other zones read as well: "2026-11-25 14:00 (Europe/Zurich)". */
export const dueWords = (dueDate: string, { timeZone }: Pick<Session, 'timeZone'>): string =>
  `${localMinute(dueDate, timeZone)} (${timeZone})`;
