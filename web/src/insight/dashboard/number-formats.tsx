import { t } from '@lingui/core/macro';
import { formatNumber } from '#ui/formats/formats.ts';
import type { DashboardCount } from '@radwork/contract/insight/dashboard';

/** Formats a count: "47", or "10,000+". */
export const formatCount = ({ total, isMore = false }: { total: number; isMore?: boolean }): string =>
  `${formatNumber(total)}${isMore ? '+' : ''}`;

/** Formats a duration in minutes: "42 min", "3 h 05", "2 d 4 h". */
export const formatMinutes = (minutes: number | null): string => {
  if (minutes === null) return '–';
  const whole = Math.round(minutes);
  if (whole < 60) return t`${whole} min`;
  const hours = Math.floor(whole / 60);
  const rest = String(whole % 60).padStart(2, '0');
  if (hours < 48) return t`${hours} h ${rest}`;
  const days = Math.floor(hours / 24);
  const hoursOfDay = hours % 24;
  return t`${days} d ${hoursOfDay} h`;
};

export const isNone = ({ total, isMore }: DashboardCount): boolean => total === 0 && !isMore;
