import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
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
        <Trans>
          Found by {identifiedBy.name} <time>{formatMoment(identifiedDateTime)}</time>
        </Trans>
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
      {escalation && (
        <li data-tone="warning">
          <Trans>{escalationLabels[escalation]}: nobody had been told in time</Trans>
        </li>
      )}
      {acknowledgedAt && acknowledgedBy && (
        <li data-tone="success">
          <Trans>Acknowledged by {acknowledgedBy.name}</Trans>
          {acknowledgedHow === 'REPORT' && t` in the signed report`} <time>{formatMoment(acknowledgedAt)}</time>
        </li>
      )}
      {finding.withdrawnBy && (
        <li>
          <Trans>
            Withdrawn by {finding.withdrawnBy.name} <time>{formatMoment(finding.withdrawnAt)}</time>:{' '}
            {finding.withdrawnReason}
          </Trans>
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
      <Trans>
        {outreachChannelLabels[channel]} to {recipientName} ({outreachTopicLabels[topic]}):{' '}
      </Trans>
      {isFailing && state === 'QUEUED' ? t`failed, is tried again` : states[state]}{' '}
      <time>{formatMoment(sentAt ?? createdAt)}</time>
      {readAt && (
        <>
          <Trans>
            , read <time>{formatMoment(readAt)}</time>
          </Trans>
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
          {t`Acknowledged`} {acknowledgedBy && t`by ${acknowledgedBy.name} `}
          {acknowledgedHow === 'REPORT' && t`in the signed report `}
          <Trans>
            <time>{formatMoment(acknowledgedAt)}</time>, when the study was of another patient
          </Trans>
        </li>
      )}
      <li data-tone="warning">
        <Trans>
          Study filed under another patient <time>{formatMoment(at)}</time>: tell somebody of this patient
        </Trans>
      </li>
    </>
  );
}

function Told({ communication }: { communication: Communication }) {
  const { recipientName, method, wasReached, hasReadBack, toldAt, toldBy, note, isOfFormerPatient } = communication;
  const tone = wasReached ? 'success' : 'warning';
  return (
    <li data-tone={isOfFormerPatient ? undefined : tone}>
      {wasReached ? t`Told` : t`Could not reach`} {recipientName}, {communicationMethodLabels[method].toLowerCase()}
      {hasReadBack && t`, read back`}{' '}
      <Trans>
        <time>{formatMoment(toldAt)}</time> by {toldBy.name}
      </Trans>
      {isOfFormerPatient && t`, when the study was of another patient`}
      {note && <span className={styles.note}>{note}</span>}
    </li>
  );
}
