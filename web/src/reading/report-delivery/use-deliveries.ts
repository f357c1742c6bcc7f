import { t } from '@lingui/core/macro';
import type { Call } from '@radwork/contract/core/endpoint';
import { isUnderWay, reportDeliveries, type ReportDelivery } from '@radwork/contract/reading/report-delivery';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, pollingQuery, errorMessageOf } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';

/** Poll interval of running deliveries, in milliseconds. */
const pollInterval = 1500;

const deliveriesOf = (reportId: string) => pollingQuery(reportDeliveries.list, { params: { id: reportId } });

/**
 * Loads the deliveries of a report. Shows a message when a running delivery ends. Success means that the destination
 * has the report.
 */
export const useDeliveries = (reportId: string) => {
  const deliveries = useQuery({
    ...deliveriesOf(reportId),
    refetchInterval: ({ state }) => (state.data?.some(isGoing) ? pollInterval : false),
  });
  useEndings(deliveries.data);
  return deliveries;
};

const isGoing = ({ state }: ReportDelivery): boolean => isUnderWay(state);

/** IDs of deliveries whose end has not been shown yet. A delivery may end between two polls. */
const watched = new Set<string>();

const useEndings = (deliveries: ReportDelivery[] | undefined) => {
  useEffect(() => {
    for (const delivery of deliveries ?? []) {
      if (isGoing(delivery)) watched.add(delivery.id);
      else if (watched.delete(delivery.id)) reportOutcome(delivery);
    }
  }, [deliveries]);
};

const reportOutcome = ({ kind, state, error }: ReportDelivery) => {
  if (kind === 'STUDY') {
    if (state === 'SENT') toast.success(t`Report stored in study`);
    else toast.failure(t`Error storing report: ${error}`);
  } else if (state === 'SENT') toast.success(t`Report sent to FHIR server successfully`);
  else toast.failure(t`Error sending report: ${error}`);
};

type DeliveryEndpoint =
  | typeof reportDeliveries.send
  | typeof reportDeliveries.storeInStudy
  | typeof reportDeliveries.retry;

/** Starts a delivery and watches it, so that its end is shown even if it ends before the first poll. */
const useDelivery = <E extends DeliveryEndpoint>(endpoint: E, failed: string) => {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Call<E>) => call(endpoint, input),
    onSuccess: (delivery: ReportDelivery) => {
      watched.add(delivery.id);
      const { queryKey } = deliveriesOf(delivery.reportId);
      client.setQueryData(queryKey, (known = []) => [delivery, ...known.filter(({ id }) => id !== delivery.id)]);
      return client.invalidateQueries({ queryKey });
    },
    onError: (error) => toast.failure(errorMessageOf(error, failed)),
  });
};

export const useSendReport = () => useDelivery(reportDeliveries.send, t`Error sending report to FHIR`);
export const useStoreInStudy = () => useDelivery(reportDeliveries.storeInStudy, t`Error storing report in study`);
export const useSendAgain = () => useDelivery(reportDeliveries.retry, t`Error sending report to FHIR`);
