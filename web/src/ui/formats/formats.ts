import { t } from '@lingui/core/macro';
import { locale } from '#core/language.ts';

const numbers = new Intl.NumberFormat(locale);

/** Formats a count with the grouping of the page's language: "1,234". */
export const formatNumber = (count: number): string => numbers.format(count);

const two = (value: number) => String(value).padStart(2, '0');

/** Formats a time as "14:05:09" in the user's time zone. */
export const formatClock = (date: Date): string =>
  `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;

/** Formats an ISO 8601 time with a zone as "yyyy-MM-dd HH:mm" in the user's time zone. Empty for null. */
export const formatMoment = (iso: string | null | undefined): string => {
  if (!iso) return '';
  const date = new Date(iso);
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** Formats like `formatMoment`, but without the date if it is today: "14:05". */
export const formatMomentToday = (iso: string, now = new Date()): string => {
  const [today] = formatMoment(now.toISOString()).split(' ');
  return formatMoment(iso).replace(`${today} `, '');
};

const days = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' });

/** Formats an ISO 8601 time with a zone as "Nov 21, 2026 14:05" in the user's time zone. */
export const formatEventTime = (iso: string): string => {
  const date = new Date(iso);
  return `${days.format(date)} ${two(date.getHours())}:${two(date.getMinutes())}`;
};

/** Formats a local time of the scanner, without a zone ("2026-11-21T02:20:00"), as "yyyy-MM-dd HH:mm". */
export const formatLocal = (local: string | null | undefined): string => (local ?? '').replace('T', ' ').slice(0, 16);

const units = ['KB', 'MB', 'GB'] as const;

/** Formats a number of bytes with base 1024: "0 Bytes", "512 Bytes", "1.50 KB", "12.00 MB". */
export const formatSize = (bytes: number): string => {
  if (bytes < 1024) return t`${bytes} Bytes`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(2)} ${units[power - 1]}`;
};

/** Formats a waiting time: "11m", "1h 23", "2d 4h". Returns "0m" below a minute and for future times. */
export const formatWaiting = (sinceIso: string, now: Date): string => {
  const minutes = Math.max(0, Math.floor((now.getTime() - new Date(sinceIso).getTime()) / 60_000));
  const hours = Math.floor(minutes / 60);
  if (hours === 0) return t`${minutes}m`;
  const rest = two(minutes % 60);
  if (hours < 24) return t`${hours}h ${rest}`;
  const [days, left] = [Math.floor(hours / 24), hours % 24];
  return t`${days}d ${left}h`;
};

/**
 * Formats how long ago a time was: "Just now" below a minute and for future times, then "5m ago", "3h ago", "2d ago".
 */
export const formatAgo = (iso: string, now: Date): string => {
  const minutes = Math.floor((now.getTime() - new Date(iso).getTime()) / 60_000);
  if (minutes < 1) return t`Just now`;
  if (minutes < 60) return t`${minutes}m ago`;
  const hours = Math.floor(minutes / 60);
  const days = Math.floor(hours / 24);
  return hours < 24 ? t`${hours}h ago` : t`${days}d ago`;
};

/**
 * Formats an age between two dates "yyyy-MM-dd…": in years as "65y", below two years in months as "7m". Empty when
 * unknown.
 */
export const formatAge = (birth: string | null, on: string): string => {
  if (!birth) return '';
  const [bornYear = 0, bornMonth = 0, bornDay = 0] = birth.slice(0, 10).split('-').map(Number);
  const [year = 0, month = 0, day = 0] = on.slice(0, 10).split('-').map(Number);
  const months = (year - bornYear) * 12 + (month - bornMonth) - (day < bornDay ? 1 : 0);
  if (!Number.isFinite(months) || months < 0) return '';
  const years = Math.floor(months / 12);
  return months < 24 ? t`${months}m` : t`${years}y`;
};

/** Formats a range of dates "yyyy-MM-dd": "from 2026-11-01 to 2026-11-21". Shows equal dates once: "2026-11-21". */
export const formatDateRange = (from?: string, to?: string): string => {
  if (from === to) return from ?? '';
  if (from && to) return t`from ${from} to ${to}`;
  if (from) return t`from ${from}`;
  return to ? t`to ${to}` : '';
};
