import { t } from '@lingui/core/macro';
import {
  type CriticalFinding,
  type CriticalFindingSummary,
  criticalFindings,
} from '@radwork/contract/reading/critical-findings';
import type { Report } from '@radwork/contract/reading/reports';
import { useQuery } from '@tanstack/react-query';
import { query } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import styles from './critical-findings-notice.module.css';
import { FindingButtons } from './finding-buttons.tsx';
import { FindingDetails } from './finding-details.tsx';
import { FindingState, SeverityMark } from './finding-marks.tsx';
import { TimeLeft } from './time-left.tsx';

type Props = {
  report: Report;
  /** Whether the report form already shows the text marked as critical. */
  isWritten?: boolean;
};

/** Shows the critical findings above the report text, and whether they were communicated. */
export function CriticalFindingsNotice({ report, isWritten = report.rights.canEdit }: Props) {
  const { criticalFindings: findings, criticalFindingsDetails, hasCriticalFindings, studyId } = report;
  const hasFindings = findings.length > 0;
  const findingsQuery = useQuery({
    ...query(criticalFindings.ofStudy, { params: { id: studyId } }),
    enabled: hasFindings,
  });
  if (!hasFindings && (!hasCriticalFindings || isWritten)) return null;
  const isRecorded = findings.some(({ finding }) => finding === criticalFindingsDetails);
  const isOpen = findings.some(({ state }) => state === 'OPEN');
  return (
    <Notice tone={toneOf(findings)}>
      <strong>{isOpen ? t`Critical findings: not communicated` : t`Critical findings`}</strong>
      {criticalFindingsDetails && !isRecorded && <p>{criticalFindingsDetails}</p>}
      {hasFindings && (
        <ul className={styles.findings}>
          {findings.map((finding) => (
            <Finding
              key={finding.id}
              finding={finding}
              details={findingsQuery.data?.find(({ id, state }) => id === finding.id && state !== 'WITHDRAWN')}
            />
          ))}
        </ul>
      )}
    </Notice>
  );
}

/**
 * Shows no alarm if all findings are acknowledged. If a text is marked as critical but has no recorded finding, the
 * alarm stays.
 */
const toneOf = (findings: CriticalFindingSummary[]) => {
  if (findings.length === 0 || findings.some(({ state }) => state === 'OPEN')) return 'danger';
  return findings.some(({ state }) => state === 'COMMUNICATED') ? 'warning' : 'info';
};

function Finding({ finding, details }: { finding: CriticalFindingSummary; details: CriticalFinding | undefined }) {
  const { severity, state } = details ?? finding;
  return (
    <li className={styles.finding}>
      <div className={styles.head}>
        <SeverityMark severity={severity} />
        <FindingState state={state} />
        {state === 'OPEN' && <TimeLeft finding={finding} />}
      </div>
      <p className={styles.text}>{finding.finding}</p>
      {details && <FindingDetails finding={details} />}
      {details && <FindingButtons finding={details} isInReport />}
    </li>
  );
}
