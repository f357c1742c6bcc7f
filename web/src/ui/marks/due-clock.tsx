import { t } from '@lingui/core/macro';
import { IconAlarm, IconClock } from '@tabler/icons-react';
import { formatMoment, formatWaiting } from '#ui/formats/formats.ts';
import { useNow } from '#ui/formats/use-now.ts';
import styles from './due-clock.module.css';

/** Time between two updates, in milliseconds. */
const tick = 15_000;
/** Longest warning before the due time, in milliseconds. */
const longestWarning = 3_600_000;

/** Returns how long before the due time a clock warns: the last quarter of the time, at most an hour. */
const warningOf = (dueDate: string, since: string): number =>
  Math.min(longestWarning, Math.max(0, Date.parse(dueDate) - Date.parse(since)) / 4);

type Props = {
  /** ISO time; null if nothing is due. */
  dueDate: string | null;
  /** ISO time at which the waiting began. */
  since: string;
};

/** Shows the time until or since the due time: amber shortly before, red after. Icon and words say the same. */
export function DueClock({ dueDate, since }: Props) {
  const now = useNow(tick);
  if (!dueDate) return null;
  const left = Date.parse(dueDate) - now.getTime();
  const isOver = left < 0;
  const state = isOver ? 'over' : left <= warningOf(dueDate, since) ? 'soon' : 'calm';
  const time = isOver ? formatWaiting(dueDate, now) : formatWaiting(now.toISOString(), new Date(dueDate));
  const moment = formatMoment(dueDate);
  const Icon = state === 'calm' ? IconClock : IconAlarm;
  return (
    <span className={styles.clock} data-state={state} title={t`Due ${moment}`}>
      <Icon size={13} stroke={1.8} aria-hidden />
      {isOver ? t`${time} overdue` : t`due in ${time}`}
    </span>
  );
}
