import { t } from '@lingui/core/macro';
import type { Notification } from '@radwork/contract/identity/notifications';
import { formatMoment } from '#ui/formats/formats.ts';

/** Notifications of one day in the user's time zone. The label is "Today", "Yesterday" or the date. */
export type Day = { label: string; items: Notification[] };

/** Groups consecutive notifications of the same day. */
export const groupByDay = (items: readonly Notification[], now: Date): Day[] => {
  const days: Day[] = [];
  for (const item of items) {
    const label = dayOf(item.createdAt, now);
    const last = days.at(-1);
    if (last?.label === label) last.items.push(item);
    else days.push({ label, items: [item] });
  }
  return days;
};

const dayOf = (iso: string, now: Date): string => {
  const day = dateOf(new Date(iso));
  if (day === dateOf(now)) return t`Today`;
  return day === dateOf(dayBefore(now)) ? t`Yesterday` : day;
};

const dateOf = (moment: Date): string => formatMoment(moment.toISOString()).slice(0, 10);

const dayBefore = (now: Date): Date => new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
