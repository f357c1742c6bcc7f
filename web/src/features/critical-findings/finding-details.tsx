import {
  type Communication,
  communicationMethodLabels,
  type CriticalFinding,
  escalationLabels,
} from '@radwork/contract/critical-findings';
import { formatMoment } from '#ui/formats.ts';
import styles from './finding-details.module.css';

/** What was done about a finding so far, in the order in which it happened. */
export function FindingDetails({ finding }: { finding: CriticalFinding }) {
  const { identifiedBy, identifiedDateTime, communications, acknowledgedAt, acknowledgedBy, escalation } = finding;
  return (
    <ul className={styles.trail}>
      <li>
        Found by {identifiedBy.name} <time>{formatMoment(identifiedDateTime)}</time>
      </li>
      {communications.map((communication) => (
        <Told key={communication.id} communication={communication} />
      ))}
      {escalation && <li data-tone="warning">{escalationLabels[escalation]}: nobody had been told in time</li>}
      {acknowledgedAt && acknowledgedBy && (
        <li data-tone="success">
          Acknowledged by {acknowledgedBy.name} <time>{formatMoment(acknowledgedAt)}</time>
        </li>
      )}
      {finding.withdrawnBy && (
        <li>
          Withdrawn by {finding.withdrawnBy.name} <time>{formatMoment(finding.withdrawnAt)}</time>:{' '}
          {finding.withdrawnReason}
        </li>
      )}
    </ul>
  );
}

function Told({ communication }: { communication: Communication }) {
  const { recipientName, method, wasReached, hasReadBack, toldAt, toldBy, note } = communication;
  return (
    <li data-tone={wasReached ? 'success' : 'warning'}>
      {wasReached ? 'Told' : 'Could not reach'} {recipientName}, {communicationMethodLabels[method].toLowerCase()}
      {hasReadBack && ', read back'} <time>{formatMoment(toldAt)}</time> by {toldBy.name}
      {note && <span className={styles.note}>{note}</span>}
    </li>
  );
}
