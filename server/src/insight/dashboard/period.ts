import { today, daysAfter } from '#core/values/days.ts';
import type { Session } from '#core/access/scope.ts';

/** First and last day, "yyyy-MM-dd" in the time zone of the tenant. Both are part of the period. */
export type Period = { from: string; to: string; timeZone: string };

const usualDays = 30;

/** Returns the requested period. The default period ends today. */
export const periodOf = (
  { timeZone }: Pick<Session, 'timeZone'>,
  period: { from?: string | undefined; to?: string | undefined; days?: number | undefined },
): Period => {
  const to = period.to ?? laterOf(today(timeZone), period.from);
  return { from: period.from ?? daysAfter(to, 1 - (period.days ?? usualDays)), to, timeZone };
};

const laterOf = (day: string, other = ''): string => (day > other ? day : other);

export type Step = 'DAY' | 'WEEK' | 'MONTH';

/** Maximum number of days with a column for each day. More columns would be too narrow on a screen. */
const mostDays = 92;
const mostDaysInWeeks = 800;

export const daysIn = ({ from, to }: Period): number => 1 + (Date.parse(to) - Date.parse(from)) / 86_400_000;

export const stepOf = (period: Period): Step => {
  const days = daysIn(period);
  if (days <= mostDays) return 'DAY';
  return days <= mostDaysInWeeks ? 'WEEK' : 'MONTH';
};

/** Returns the day on which a column begins, like date_trunc in PostgreSQL. */
export const beginningOf = (day: string, step: Step): string => {
  if (step === 'DAY') return day;
  if (step === 'MONTH') return `${day.slice(0, 7)}-01`;
  const weekday = (new Date(day).getUTCDay() + 6) % 7;
  return daysAfter(day, -weekday);
};

/**
 * Returns the columns of a period. The first and the last column may contain only a part of their week or month.
 * `beginning` is the first day of the whole week or month.
 */
export const columnsOf = (period: Period, step: Step) => {
  const columns: { beginning: string; from: string; to: string }[] = [];
  for (let day = period.from; day <= period.to; day = daysAfter(day, 1)) {
    const beginning = beginningOf(day, step);
    const last = columns.at(-1);
    if (last?.beginning === beginning) last.to = day;
    else columns.push({ beginning, from: day, to: day });
  }
  return columns;
};
