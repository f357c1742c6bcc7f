import { t } from '@radwork/contract/core/translate';
import type { Query } from '@radwork/contract/core/endpoint';
import {
  type DeliveryDestination,
  noConfiguration,
  type reportDeliveries,
  type ReportDelivery,
} from '@radwork/contract/reading/report-delivery';
import { isId } from '#core/values/ids.ts';
import { conflict, invalid, notFound, Problem } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { sharedConfigurations, usableConfiguration } from '#imaging/remote-archives/stored-configuration.ts';
import { reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { deliveryById, listedDeliveries } from './delivery-rows.ts';
import { queueDelivery, toStudy } from './queue-delivery.ts';

/**
 * Queues a report for a FHIR server. Throws 422 when the configuration is missing, is another user's, or is not FHIR.
 * Throws 409 for a report that is not signed.
 */
export const send = async (
  scope: Scope,
  { config, reportId }: Query<typeof reportDeliveries.send>,
): Promise<ReportDelivery> => {
  if (!isId(reportId)) throw notFound('report');
  const report = await signedReport(scope, reportId);
  const { id: remoteConfigId, ae_title } = await fhirConfiguration(scope, config);
  const request = { reportId, studyId: report.study_id, kind: 'FHIR', remoteConfigId, destination: ae_title } as const;
  return deliveryById(scope, reportId, await queueDelivery(scope, request));
};

const fhirConfiguration = async (scope: Scope, id: string) => {
  const configuration = await usableConfiguration(scope, id).catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  });
  if (configuration?.protocol !== 'FHIR') throw invalid({ config: noConfiguration() });
  return configuration;
};

const signedReport = async (scope: Scope, id: string): Promise<StoredReport> => {
  const report = await reportById(scope, id);
  if (report.status !== 'FINALIZED') throw conflict('report.state', t`Only a finalized report can be sent`);
  return report;
};

/** Queues a report to be stored in its study as DICOM. Throws 409 for a report that is not signed. */
export const storeInStudy = async (scope: Scope, reportId: string): Promise<ReportDelivery> => {
  const { study_id: studyId } = await signedReport(scope, reportId);
  return deliveryById(scope, reportId, await queueDelivery(scope, { reportId, studyId, ...toStudy }));
};

/** Returns the deliveries of a report and their states. */
export const list = async (scope: Scope, reportId: string): Promise<ReportDelivery[]> => {
  await reportById(scope, reportId);
  return listedDeliveries(scope, reportId);
};

/** Sends a report again to the same destination. For a FHIR server, its configuration must still exist. */
export const retry = async (
  scope: Scope,
  { id: reportId, deliveryId }: { id: string; deliveryId: string },
): Promise<ReportDelivery> => {
  await reportById(scope, reportId);
  const { kind, remoteConfigId } = await deliveryById(scope, reportId, deliveryId);
  return kind === 'STUDY' ? storeInStudy(scope, reportId) : send(scope, { config: remoteConfigId ?? '', reportId });
};

export const destinations = async (scope: Scope): Promise<DeliveryDestination[]> => {
  const configurations = await sharedConfigurations(scope);
  return configurations
    .filter(({ protocol }) => protocol === 'FHIR')
    .map(({ id, ae_title }) => ({ id, aeTitle: ae_title }));
};
