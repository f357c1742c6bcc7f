import { Button } from '@mantine/core';
import { type DeliveryState, isUnderWay, type ReportDelivery } from '@radwork/contract/report-delivery';
import { IconRefresh } from '@tabler/icons-react';
import { formatMoment } from '#ui/formats.ts';
import { type PillShape, StatusPill, type Tone } from '#ui/status-pill.tsx';
import styles from './report-delivery.module.css';
import { useSendAgain } from './use-deliveries.ts';

const looks: Record<DeliveryState, { tone: Tone; shape: PillShape; label: string }> = {
  QUEUED: { tone: 'secondary', shape: 'ring', label: 'Queued' },
  RUNNING: { tone: 'info', shape: 'half', label: 'Sending' },
  SENT: { tone: 'success', shape: 'dot', label: 'Sent' },
  FAILED: { tone: 'danger', shape: 'diamond', label: 'Failed' },
};

/** How the latest sending to each destination went, with a way to send again. */
export function DeliveryList({ deliveries }: { deliveries: readonly ReportDelivery[] }) {
  if (deliveries.length === 0) return <p className={styles.hint}>This report was not sent anywhere yet.</p>;
  return (
    <ul className={styles.list} aria-label="Where this report was sent" aria-live="polite">
      {deliveries.map((delivery) => (
        <DeliveryItem key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
}

function DeliveryItem({ delivery }: { delivery: ReportDelivery }) {
  const { id, reportId, destination, state, error, isOutdated } = delivery;
  const again = useSendAgain();
  return (
    <li className={styles.item} data-state={state}>
      <span className={styles.destination}>{destination}</span>
      <StatusPill {...looks[state]} />
      {!isUnderWay(state) && (
        <Button
          size="compact-xs"
          variant="default"
          className={styles.again ?? ''}
          leftSection={<IconRefresh size={13} aria-hidden />}
          aria-label={`${state === 'FAILED' ? 'Retry' : 'Send again'}: ${destination}`}
          loading={again.isPending}
          onClick={() => again.mutate({ params: { id: reportId, deliveryId: id } })}
        >
          {state === 'FAILED' ? 'Retry' : 'Send again'}
        </Button>
      )}
      <span className={styles.facts}>{factsOf(delivery)}</span>
      {error && <span className={styles.error}>{error}</span>}
      {isOutdated && !isUnderWay(state) && (
        <span className={styles.warning}>
          Something was signed since: {destination} has an earlier state of this report.
        </span>
      )}
    </li>
  );
}

const factsOf = ({ state, requestedBy, requestedAt, sentAt, attempts, nextAttemptAt }: ReportDelivery): string => {
  const asked = `Asked by ${requestedBy}, ${formatMoment(requestedAt)}`;
  const took = sentAt ? `. ${state === 'SENT' ? 'Taken' : 'Last taken'} ${formatMoment(sentAt)}` : '';
  const tries = attempts > 1 ? `. ${attempts} attempts` : '';
  return `${asked}${took}${tries}${nextAttemptAt ? `. Next attempt ${formatMoment(nextAttemptAt)}` : ''}`;
};
