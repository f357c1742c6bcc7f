import { t } from '@lingui/core/macro';
import type { CriticalFinding } from '@radwork/contract/reading/critical-findings';
import { Link } from '@tanstack/react-router';
import { formatLocal, formatMoment } from '#ui/formats/formats.ts';
import { ModalityTag } from '#ui/marks/modality-tag.tsx';
import styles from './finding-card.module.css';
import { FindingButtons } from './finding-buttons.tsx';
import { FindingDetails } from './finding-details.tsx';
import { FindingState, SeverityMark } from './finding-marks.tsx';
import { TimeLeft } from './time-left.tsx';

type Props = {
  finding: CriticalFinding;
  /** Whether the finding no longer matches the filters. The card keeps its place and hides its outdated state. */
  hasLeft?: boolean;
};

/** Shows a finding on the board: time left, text, patient, history and actions. */
export function FindingCard({ finding, hasLeft = false }: Props) {
  const { severity, state, patientName, patientId, modality, studyDescription, studyDate, studyId } = finding;
  return (
    <article className={styles.card} data-state={state}>
      <div className={styles.clock}>
        <div style={{ visibility: hasLeft ? 'hidden' : 'inherit' }}>
          <Clock finding={finding} />
        </div>
        <SeverityMark severity={severity} />
      </div>
      <div className={styles.what}>
        <p className={styles.finding}>{finding.finding}</p>
        <p className={styles.study}>
          <Link to="/studies/$id" params={{ id: studyId }}>
            {patientName || t`No name`}
          </Link>
          <span className="mono">{patientId}</span>
          <ModalityTag modality={modality} />
          <span>{[studyDescription, formatLocal(studyDate)].filter(Boolean).join(' · ')}</span>
        </p>
        <FindingDetails finding={finding} />
      </div>
      <div className={styles.acts}>
        {hasLeft ? <span className="muted">{t`No longer in this list`}</span> : <FindingState state={state} />}
        <FindingButtons finding={finding} isHidden={hasLeft} />
      </div>
    </article>
  );
}

function Clock({ finding }: { finding: CriticalFinding }) {
  if (finding.state === 'OPEN') return <TimeLeft finding={finding} />;
  return <span className={styles.done}>{doneText(finding)}</span>;
}

const doneText = ({ state, communicatedAt, acknowledgedAt, withdrawnAt }: CriticalFinding): string => {
  if (state === 'COMMUNICATED') return formatMoment(communicatedAt);
  return formatMoment(state === 'ACKNOWLEDGED' ? acknowledgedAt : withdrawnAt);
};
