import { t } from '@lingui/core/macro';
import type { ReportHit } from '@radwork/contract/reading/report-search';
import { Link } from '@tanstack/react-router';
import { CriticalMark } from '#ui/marks/critical-mark.tsx';
import { formatLocal } from '#ui/formats/formats.ts';
import { IdentityPill } from '#ui/marks/identity-pill.tsx';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { ReportStatusPill } from '#reading/reports/panel/report-status.tsx';
import styles from './text-search.module.css';

/** A report whose text matches, with the stretches of its text around the matches. */
export function Hit({ hit }: { hit: ReportHit }) {
  const { id, patientName, patientId, studyDescription, studyDate, modality, status, amended, author, part } = hit;
  return (
    <article className={styles.hit} aria-label={t`Report of ${patientName}`}>
      <header className={styles.head}>
        <Link className={styles.name} to="/reports" search={{ reportId: id }}>
          {patientName || t`No name`}
        </Link>
        <span className={styles.facts}>{[patientId, studyDescription].filter(Boolean).join(' · ')}</span>
        <IdentityPill mark={hit.identity} patientName={patientName} />
        <ModalityTag modality={modality} all={[modality]} />
        <span className={styles.facts}>{formatLocal(studyDate) || t`No date`}</span>
        <ReportStatusPill status={status} amended={amended} />
        {hit.criticalState && <CriticalMark state={hit.criticalState} isShort />}
        <span className={styles.facts}>{author.name}</span>
      </header>
      <p className={styles.snippet}>
        {part > 0 && <b>{t`Addendum ${part}:`} </b>}
        {hit.snippet.map(({ text, isHit }, at) => (isHit ? <mark key={at}>{text}</mark> : text))}
      </p>
    </article>
  );
}
