import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { type DeliveryState, isUnderWay, type ReportDelivery } from '@radwork/contract/reading/report-delivery';
import { IconRefresh } from '@tabler/icons-react';
import { formatMoment } from '#ui/formats/formats.ts';
import { type PillShape, StatusPill, type Tone } from '#ui/marks/status-pill.tsx';
import styles from './report-delivery.module.css';
import { useSendAgain } from './use-deliveries.ts';

const looks: Record<DeliveryState, { tone: Tone; shape: PillShape; label: string }> = {
  QUEUED: { tone: 'secondary', shape: 'ring', label: t`Queued` },
  RUNNING: { tone: 'info', shape: 'half', label: t`Sending` },
  SENT: { tone: 'success', shape: 'dot', label: t`Sent` },
  FAILED: { tone: 'danger', shape: 'diamond', label: t`Failed` },
};

/** Shows the state of the latest delivery to each destination, with a button to send again. */
export function DeliveryList({ deliveries }: { deliveries: readonly ReportDelivery[] }) {
  if (deliveries.length === 0) return <p className={styles.hint}>{t`This report has not been sent.`}</p>;
  return (
    <ul className={styles.list} aria-label={t`Deliveries of this report`} aria-live="polite">
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

function DeliveryItem({ delivery }: { delivery: ReportDelivery }) {
  const { state, error, isOutdated } = delivery;
  const verb = verbFor(delivery);
  return (
    <li className={styles.item} data-state={state}>
      <span className={styles.destination}>{delivery.destination}</span>
      <StatusPill {...(isWaiting(delivery) ? waiting : looks[state])} />
      {verb && <SendAgain delivery={delivery} verb={verb} />}
      <span className={styles.facts}>{factsOf(delivery)}</span>
      {error && <span className={styles.error}>{error}</span>}
      {isOutdated && !isUnderWay(state) && <span className={styles.warning}>{whyOutdated(delivery)}</span>}
    </li>
  );
}

/** Explains why the copy at a destination is outdated. */
export const whyOutdated = ({ destination, namesOtherwise }: ReportDelivery): string =>
  namesOtherwise
    ? t`${destination} has an outdated report. The patient data has changed.`
    : t`${destination} has an outdated report. Changes were signed after it was sent.`;

const waiting = { tone: 'warning', shape: 'ring', label: t`Will retry` } as const;

const isWaiting = ({ state, nextAttemptAt }: ReportDelivery): boolean => state === 'QUEUED' && nextAttemptAt !== null;

/** Returns the label of the button that sends the report again; undefined when it need not be sent again. */
const verbFor = (delivery: ReportDelivery): string | undefined => {
  const { kind, state, isOutdated } = delivery;
  if (isWaiting(delivery)) return t`Retry now`;
  if (state === 'FAILED') return t`Retry`;
  // Reports filed in their study are not sent again while they are current.
  return state === 'SENT' && (kind === 'FHIR' || isOutdated) ? t`Send again` : undefined;
};

/** Sends a report to the same destination again. */
export function SendAgain({
  delivery: { id, reportId, destination },
  verb,
}: {
  delivery: ReportDelivery;
  verb: string;
}) {
  const again = useSendAgain();
  return (
    <Button
      size="compact-xs"
      variant="default"
      className={styles.again ?? ''}
      leftSection={<IconRefresh size={13} aria-hidden />}
      aria-label={t`${verb}: ${destination}`}
      loading={again.isPending}
      onClick={() => again.mutate({ params: { id: reportId, deliveryId: id } })}
    >
      {verb}
    </Button>
  );
}

const factsOf = ({ state, requestedBy, requestedAt, sentAt, attempts, nextAttemptAt }: ReportDelivery): string => {
  const requested = formatMoment(requestedAt);
  const sent = formatMoment(sentAt);
  const next = formatMoment(nextAttemptAt);
  return [
    t`Requested by ${requestedBy}, ${requested}`,
    sentAt && (state === 'SENT' ? t`Sent ${sent}` : t`Last sent ${sent}`),
    attempts > 1 && t`${plural(attempts, { one: '# attempt', other: '# attempts' })}`,
    nextAttemptAt && t`Next attempt ${next}`,
  ]
    .filter(Boolean)
    .join('. ');
};
