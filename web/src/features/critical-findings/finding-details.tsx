import {
  type Communication,
  communicationMethodLabels,
  type CriticalFinding,
  type CriticalRestart,
  escalationLabels,
} from '@radwork/contract/critical-findings';
import {
  type OutboundMessage,
  type OutboundState,
  outreachChannelLabels,
  outreachTopicLabels,
} from '@radwork/contract/outreach';
import { formatMoment } from '#ui/formats.ts';
import styles from './finding-details.module.css';

/** Lists the history of a finding, oldest first. */
export function FindingDetails({ finding }: { finding: CriticalFinding }) {
  const {
    identifiedBy,
    identifiedDateTime,
    communications,
    acknowledgedAt,
    acknowledgedBy,
    acknowledgedHow,
    escalation,
  } = finding;
  const [former, present] = [true, false].map((isFormer) =>
    communications.filter(({ isOfFormerPatient }) => isOfFormerPatient === isFormer),
  );
  return (
    <ul className={styles.trail}>
      <li>
        Found by {identifiedBy.name} <time>{formatMoment(identifiedDateTime)}</time>
      </li>
      {former?.map((communication) => (
        <Told key={communication.id} communication={communication} />
      ))}
      {finding.restarts.map((restart) => (
        <Restarted key={restart.at} restart={restart} />
      ))}
      {present?.map((communication) => (
        <Told key={communication.id} communication={communication} />
      ))}
      {finding.messages.map((message) => (
        <Sent key={message.id} message={message} />
      ))}
      {escalation && <li data-tone="warning">{escalationLabels[escalation]}: nobody had been told in time</li>}
      {acknowledgedAt && acknowledgedBy && (
        <li data-tone="success">
          Acknowledged by {acknowledgedBy.name}
          {acknowledgedHow === 'REPORT' && ' in the signed report'} <time>{formatMoment(acknowledgedAt)}</time>
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

const states: Record<OutboundState, string> = {
  QUEUED: 'waiting',
  SENT: 'sent',
  FAILED: 'failed',
  CANCELED: 'not needed any more',
};

/** Shows a message sent outside the application, such as an e-mail, and its delivery. */
function Sent({ message }: { message: OutboundMessage }) {
  const { channel, recipientName, state, error, sentAt, readAt, createdAt, topic } = message;
  const isFailing = error !== '' && state !== 'CANCELED';
  return (
    <li data-tone={isFailing ? 'warning' : undefined}>
      {outreachChannelLabels[channel]} to {recipientName} ({outreachTopicLabels[topic]}):{' '}
      {isFailing && state === 'QUEUED' ? 'failed, is tried again' : states[state]}{' '}
      <time>{formatMoment(sentAt ?? createdAt)}</time>
      {readAt && (
        <>
          , read <time>{formatMoment(readAt)}</time>
        </>
      )}
      {isFailing && <span className={styles.note}>{error}</span>}
    </li>
  );
}

function Restarted({ restart: { at, acknowledgedAt, acknowledgedBy, acknowledgedHow } }: { restart: CriticalRestart }) {
  return (
    <>
      {acknowledgedAt && (
        <li>
          Acknowledged {acknowledgedBy && `by ${acknowledgedBy.name} `}
          {acknowledgedHow === 'REPORT' && 'in the signed report '}
          <time>{formatMoment(acknowledgedAt)}</time>, when the study was of another patient
        </li>
      )}
      <li data-tone="warning">
        Study filed under another patient <time>{formatMoment(at)}</time>: tell somebody of this patient
      </li>
    </>
  );
}

function Told({ communication }: { communication: Communication }) {
  const { recipientName, method, wasReached, hasReadBack, toldAt, toldBy, note, isOfFormerPatient } = communication;
  const tone = wasReached ? 'success' : 'warning';
  return (
    <li data-tone={isOfFormerPatient ? undefined : tone}>
      {wasReached ? 'Told' : 'Could not reach'} {recipientName}, {communicationMethodLabels[method].toLowerCase()}
      {hasReadBack && ', read back'} <time>{formatMoment(toldAt)}</time> by {toldBy.name}
      {isOfFormerPatient && ', when the study was of another patient'}
      {note && <span className={styles.note}>{note}</span>}
    </li>
  );
}
