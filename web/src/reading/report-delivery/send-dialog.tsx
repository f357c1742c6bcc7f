import { t } from '@lingui/core/macro';
import { Button, NativeSelect } from '@mantine/core';
import {
  isUnderWay,
  noConfiguration,
  reportDeliveries,
  type ReportDelivery,
} from '@radwork/contract/reading/report-delivery';
import type { ReportRow } from '@radwork/contract/reading/reports';
import { IconFileDatabase, IconSend } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { query, errorMessageOf } from '#core/http/api.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Notice } from '#ui/feedback/notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import { DeliveryList } from './delivery-list.tsx';
import styles from './report-delivery.module.css';
import { useDeliveries, useSendReport, useStoreInStudy } from './use-deliveries.ts';

type Props = { report: Pick<ReportRow, 'id'>; opened: boolean; onClose: () => void };

/** Sends a finalized report to a FHIR server or into its study, and shows earlier deliveries. */
export function SendDialog({ report, opened, onClose }: Props) {
  return (
    <Dialog opened={opened} onClose={onClose} title={t`Send report`} size={560}>
      <Sending reportId={report.id} />
    </Dialog>
  );
}

function Sending({ reportId }: { reportId: string }) {
  const deliveries = useDeliveries(reportId);
  if (deliveries.isPending) return <Skeleton lines={4} label={t`Loading deliveries`} />;
  if (deliveries.data === undefined) {
    return (
      <ErrorState
        failed={t`Error fetching deliveries`}
        error={deliveries.error}
        onRetry={() => void deliveries.refetch()}
      />
    );
  }
  return (
    <div className={styles.dialog}>
      <SendToFhir reportId={reportId} />
      <StoreInStudy reportId={reportId} deliveries={deliveries.data} />
      <section className={styles.part} aria-labelledby="deliveries-title">
        <h3 id="deliveries-title">{t`Deliveries`}</h3>
        {deliveries.isRefetchError && (
          <Notice tone="danger">{errorMessageOf(deliveries.error, t`Error fetching deliveries`)}</Notice>
        )}
        <DeliveryList deliveries={deliveries.data} />
      </section>
    </div>
  );
}

function SendToFhir({ reportId }: { reportId: string }) {
  const destinations = useQuery(query(reportDeliveries.destinations, {}));
  const [chosen, setChosen] = useState('');
  const [fault, setFault] = useState('');
  const send = useSendReport();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFault(chosen === '' ? noConfiguration() : '');
    if (chosen !== '') send.mutate({ query: { config: chosen, reportId } });
  };

  return (
    <form className={styles.part} onSubmit={submit} noValidate aria-label={t`Send to FHIR`}>
      <h3>{t`FHIR server`}</h3>
      {destinations.isError && (
        <Notice
          tone="danger"
          action={
            <Button size="compact-xs" variant="default" onClick={() => void destinations.refetch()}>
              {t`Retry`}
            </Button>
          }
        >
          {errorMessageOf(destinations.error, t`Error fetching configurations`)}
        </Notice>
      )}
      {destinations.data?.length === 0 && (
        <p
          className={styles.hint}
        >{t`No FHIR server is configured. An administrator can create one in Configurations.`}</p>
      )}
      <div className={styles.row}>
        <NativeSelect
          className={styles.choice ?? ''}
          aria-label={t`Configuration`}
          value={chosen}
          error={fault || undefined}
          disabled={!destinations.data?.length}
          onChange={({ currentTarget }) => {
            setChosen(currentTarget.value);
            setFault('');
          }}
          data={[
            { value: '', label: destinations.isPending ? t`Loading` : noConfiguration() },
            ...(destinations.data ?? []).map(({ id, aeTitle }) => ({ value: id, label: aeTitle })),
          ]}
        />
        <Button
          type="submit"
          loading={send.isPending}
          disabled={destinations.data?.length === 0}
          leftSection={<IconSend size={15} aria-hidden />}
        >
          {t`Send to FHIR`}
        </Button>
      </div>
      {send.error && <Notice tone="danger">{errorMessageOf(send.error, t`Error sending report to FHIR`)}</Notice>}
    </form>
  );
}

function StoreInStudy({ reportId, deliveries }: { reportId: string; deliveries: readonly ReportDelivery[] }) {
  const store = useStoreInStudy();
  const known = deliveries.find(({ kind }) => kind === 'STUDY');
  const isDone = known?.state === 'SENT' && !known.isOutdated;
  return (
    <section className={styles.part} aria-labelledby="store-title">
      <h3 id="store-title">{t`Study`}</h3>
      <div className={styles.row}>
        <p className={styles.hint}>
          {isDone
            ? t`The report is stored in the study as a DICOM encapsulated PDF.`
            : t`Stores the report in the study as a DICOM encapsulated PDF.`}
        </p>
        <Button
          variant="default"
          loading={store.isPending || (known !== undefined && isUnderWay(known.state))}
          disabled={isDone}
          leftSection={<IconFileDatabase size={15} aria-hidden />}
          onClick={() => store.mutate({ params: { id: reportId } })}
        >
          {isDone ? t`Stored in study` : t`Store in study`}
        </Button>
      </div>
      {store.error && <Notice tone="danger">{errorMessageOf(store.error, t`Error storing report in study`)}</Notice>}
    </section>
  );
}
