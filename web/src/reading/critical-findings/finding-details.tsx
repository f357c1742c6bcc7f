import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { Communication, CriticalFinding, CriticalRestart } from '@radwork/contract/reading/critical-findings';
import { communicationMethodLabels, escalationLabels } from '@radwork/contract/reading/critical-finding-states';
import {
  type OutboundMessage,
  type OutboundState,
  outreachChannelLabels,
  outreachTopicLabels,
} from '@radwork/contract/reading/outreach';
import { formatMoment } from '#ui/formats/formats.ts';
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
  const { name: finder } = identifiedBy;
  const identifiedAt = formatMoment(identifiedDateTime);
  const level = escalation ? escalationLabels[escalation] : '';
  const withdrawer = finding.withdrawnBy?.name;
  const withdrawnAt = formatMoment(finding.withdrawnAt);
  const { withdrawnReason } = finding;
  const [former, present] = [true, false].map((isFormer) =>
    communications.filter(({ isOfFormerPatient }) => isOfFormerPatient === isFormer),
  );
  return (
    <ul className={styles.trail}>
      <li>
        <Trans>
          Identified by {finder} <time>{identifiedAt}</time>
        </Trans>
      </li>
      {former?.map((communication) => (
        <CommunicationEntry key={communication.id} communication={communication} />
      ))}
      {finding.restarts.map((restart) => (
        <Restarted key={restart.at} restart={restart} />
      ))}
      {present?.map((communication) => (
        <CommunicationEntry key={communication.id} communication={communication} />
      ))}
      {finding.messages.map((message) => (
        <Sent key={message.id} message={message} />
      ))}
      {escalation && <li data-tone="warning">{t`${level}: not communicated in time`}</li>}
      {acknowledgedAt && acknowledgedBy && (
        <li data-tone="success">
          <Acknowledged name={acknowledgedBy.name} moment={formatMoment(acknowledgedAt)} how={acknowledgedHow} />
        </li>
      )}
      {finding.withdrawnBy && (
        <li>
          <Trans>
            Withdrawn by {withdrawer} <time>{withdrawnAt}</time>: {withdrawnReason}
          </Trans>
        </li>
      )}
    </ul>
  );
}

type AcknowledgedProps = { name: string | undefined; moment: string; how: CriticalFinding['acknowledgedHow'] };

function Acknowledged({ name, moment, how }: AcknowledgedProps) {
  if (name && how === 'REPORT') {
    return (
      <Trans>
        Acknowledged by {name} in the signed report <time>{moment}</time>
      </Trans>
    );
  }
  if (!name) {
    return (
      <Trans>
        Acknowledged <time>{moment}</time>
      </Trans>
    );
  }
  return (
    <Trans>
      Acknowledged by {name} <time>{moment}</time>
    </Trans>
  );
}

const states: Record<OutboundState, string> = {
  QUEUED: t`waiting`,
  SENT: t`sent`,
  FAILED: t`failed`,
  CANCELED: t`canceled`,
};

/** Shows a message sent outside the application, such as an e-mail, and its delivery state. */
function Sent({ message }: { message: OutboundMessage }) {
  const { channel, recipientName, state, error, sentAt, readAt, createdAt, topic } = message;
  const isFailing = error !== '' && state !== 'CANCELED';
  const [medium, about] = [outreachChannelLabels[channel], outreachTopicLabels[topic]];
  const outcome = isFailing && state === 'QUEUED' ? t`failed, will retry` : states[state];
  const read = formatMoment(readAt);
  return (
    <li data-tone={isFailing ? 'warning' : undefined}>
      {t`${medium} to ${recipientName} (${about}): ${outcome}`} <time>{formatMoment(sentAt ?? createdAt)}</time>
      {readAt && (
        <>
          {', '}
          <Trans>
            read <time>{read}</time>
          </Trans>
        </>
      )}
      {isFailing && <span className={styles.note}>{error}</span>}
    </li>
  );
}

function Restarted({ restart: { at, acknowledgedAt, acknowledgedBy, acknowledgedHow } }: { restart: CriticalRestart }) {
  const moment = formatMoment(at);
  return (
    <>
      {acknowledgedAt && (
        <li>
          <Acknowledged name={acknowledgedBy?.name} moment={formatMoment(acknowledgedAt)} how={acknowledgedHow} />{' '}
          {t`(for the previous patient)`}
        </li>
      )}
      <li data-tone="warning">
        <Trans>
          Study moved to another patient <time>{moment}</time>. Communicate the finding for this patient.
        </Trans>
      </li>
    </>
  );
}

function CommunicationEntry({ communication }: { communication: Communication }) {
  const { recipientName, method, wasReached, hasReadBack, toldAt, toldBy, note, isOfFormerPatient } = communication;
  const tone = wasReached ? 'success' : 'warning';
  const medium = communicationMethodLabels[method];
  const moment = formatMoment(toldAt);
  const { name: caller } = toldBy;
  const reached = hasReadBack
    ? t`Communicated to ${recipientName} (${medium}, read back)`
    : t`Communicated to ${recipientName} (${medium})`;
  const outcome = wasReached ? reached : t`Not reached: ${recipientName} (${medium})`;
  return (
    <li data-tone={isOfFormerPatient ? undefined : tone}>
      {outcome}{' '}
      <Trans>
        <time>{moment}</time> by {caller}
      </Trans>
      {isOfFormerPatient && ` ${t`(for the previous patient)`}`}
      {note && <span className={styles.note}>{note}</span>}
    </li>
  );
}
