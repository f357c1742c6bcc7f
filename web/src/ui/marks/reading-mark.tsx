import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Reading } from '@radwork/contract/imaging/study-marks';
import { IconPencil } from '@tabler/icons-react';
import { formatMoment, formatMomentToday } from '#ui/formats/formats.ts';
import styles from './reading-mark.module.css';

/** Shows who is writing the report of a study: a pen, the name and the start time. */
export function ReadingMark({ reading }: { reading: Reading | null }) {
  if (!reading) return null;
  const who = reading.isMe ? t`you` : reading.name;
  const moment = formatMoment(reading.since);
  const time = formatMomentToday(reading.since);
  return (
    <span className={styles.reading} title={t`Being read by ${who} since ${moment}`}>
      <IconPencil size={13} stroke={1.8} aria-hidden />
      <Trans>
        <span className="visually-hidden">Being read by </span>
        <span className={styles.name}>{who}</span> <span className="numeric">since {time}</span>
      </Trans>
    </span>
  );
}
