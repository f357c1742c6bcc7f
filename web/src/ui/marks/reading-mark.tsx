import { t } from '@lingui/core/macro';
import { beingRead, type Reading } from '@radwork/contract/imaging/study-marks';
import { IconPencil } from '@tabler/icons-react';
import { formatMoment, formatMomentToday } from '#ui/formats/formats.ts';
import styles from './reading-mark.module.css';

/** Shows who is writing the report of a study: a pen, the name and the start time. Its whole sentence is read aloud. */
export function ReadingMark({ reading }: { reading: Reading | null }) {
  if (!reading) return null;
  const since = formatMomentToday(reading.since);
  return (
    <span className={styles.reading} title={beingRead({ ...reading, since: formatMoment(reading.since) })}>
      <IconPencil size={13} stroke={1.8} aria-hidden />
      <span className="visually-hidden">{beingRead({ ...reading, since })}</span>
      <span className={styles.name} aria-hidden>
        {reading.isMe ? t`You` : reading.name}
      </span>
      <span className="numeric" aria-hidden>{t`since ${since}`}</span>
    </span>
  );
}
