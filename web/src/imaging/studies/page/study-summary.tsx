import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { ReactNode } from 'react';
import { formatLocal, formatNumber } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import { PriorityMark } from '#ui/marks/priority-mark.tsx';
import { NotKnown } from '#imaging/studies/metadata/study-facts.tsx';
import { StudyProgress } from '#ui/marks/study-progress.tsx';
import { StudyStatusPill } from '#ui/marks/study-status.tsx';
import styles from './study-summary.module.css';

/** Shows key facts of a study in one line. */
export function StudySummary({ study }: { study: StudyDetails }) {
  const { priority, modality, modalities, studyDate, accessionNumber } = study;
  return (
    <dl className={styles.summary} aria-label={t`Summary`}>
      <Card label={t`Status`}>
        <Status study={study} />
      </Card>
      <Card label={t`Priority`}>
        <PriorityMark priority={priority} />
      </Card>
      <Card label={t`Modality`}>
        <ModalityTag modality={modality} all={modalities} />
      </Card>
      <Card label={t`Study date`}>{formatLocal(studyDate) || <NotKnown />}</Card>
      <Card label={t`Accession number`}>{accessionNumber || <NotKnown />}</Card>
      <Card label={t`Series / images`}>
        {formatNumber(study.seriesCount)} / {formatNumber(study.instanceCount)}
      </Card>
      <Card label={t`Referring physician`}>
        {study.referringPhysicianName || <NotKnown />}
        {study.referringPhysicianPhone && <span className={styles.phone}>{study.referringPhysicianPhone}</span>}
      </Card>
    </dl>
  );
}

function Card({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.card}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Shows the status as text and as a progress bar. */
function Status({ study: { status } }: { study: StudyDetails }) {
  return (
    <span className={styles.status}>
      <StudyStatusPill status={status} />
      <StudyProgress status={status} />
    </span>
  );
}
