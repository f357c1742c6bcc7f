import type { CriticalFinding } from '@radwork/contract/critical-findings';
import { Link } from '@tanstack/react-router';
import { formatLocal, formatMoment } from '#ui/formats.ts';
import { ModalityTag } from '#ui/modality-tag.tsx';
import styles from './finding-card.module.css';
import { FindingButtons } from './finding-buttons.tsx';
import { FindingDetails } from './finding-details.tsx';
import { FindingState, SeverityMark } from './finding-marks.tsx';
import { TimeLeft } from './time-left.tsx';

/** A finding on the board: how long there is, what it is and whose, what was done, and what to do. */
export function FindingCard({ finding }: { finding: CriticalFinding }) {
  const { severity, state, patientName, patientId, modality, studyDescription, studyDate, studyId } = finding;
  return (
    <article className={styles.card} data-state={state}>
      <div className={styles.clock}>
        {state === 'OPEN' ? <TimeLeft finding={finding} /> : <span className={styles.done}>{doneText(finding)}</span>}
        <SeverityMark severity={severity} />
      </div>
      <div className={styles.what}>
        <p className={styles.finding}>{finding.finding}</p>
        <p className={styles.study}>
          <Link to="/studies/$id" params={{ id: studyId }}>
            {patientName || 'No name'}
          </Link>
          <span className="mono">{patientId}</span>
          <ModalityTag modality={modality} />
          <span>{[studyDescription, formatLocal(studyDate)].filter(Boolean).join(' · ')}</span>
        </p>
        <FindingDetails finding={finding} />
      </div>
      <div className={styles.acts}>
        <FindingState state={state} />
        <FindingButtons finding={finding} />
      </div>
    </article>
  );
}

const doneText = ({ state, communicatedAt, acknowledgedAt, withdrawnAt }: CriticalFinding): string => {
  if (state === 'COMMUNICATED') return formatMoment(communicatedAt);
  return formatMoment(state === 'ACKNOWLEDGED' ? acknowledgedAt : withdrawnAt);
};
