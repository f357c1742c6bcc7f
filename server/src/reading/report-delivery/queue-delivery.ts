import type { DeliveryKind } from '@radwork/contract/reading/report-delivery';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { enqueueJob, runJobNow } from '#core/jobs/jobs.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';

export const deliveryQueue = 'report deliveries';

/** Name of the destination "the report's own study". */
const ownStudy = 'Its study';

type DeliveryRequest = {
  reportId: string;
  studyId: string;
  kind: DeliveryKind;
  remoteConfigId: string | null;
  destination: string;
};

/**
 * Queues a report for a destination in the name of the caller, and returns the id of the delivery. A waiting delivery
 * starts at once and sends the current report. Throws 409 while the report is being sent to this destination.
 */
export const queueDelivery = async (scope: Scope, request: DeliveryRequest): Promise<string> => {
  const { id, state } = await deliveryTo(scope, request);
  if (state === 'RUNNING') {
    const words = `A delivery to ${request.destination} is in progress. Send the report again when it ends.`;
    throw conflict('delivery.running', words);
  }
  if (state === 'QUEUED') await hurry(scope, id);
  else await queue(scope, request, id);
  return id;
};

/**
 * Queues a newly signed report or addendum for its study, if the tenant wants that. If a delivery is running, that
 * delivery checks at its end whether the report has changed.
 */
export const storeAfterSigning = async (scope: Scope, reportId: string, studyId: string): Promise<void> => {
  const tenant = await scope.db.selectFrom('tenants').select('is_report_stored_as_dicom').executeTakeFirstOrThrow();
  if (tenant.is_report_stored_as_dicom) await storeByItself(scope, reportId, studyId);
};

/**
 * Queues a report for its study in the name of the caller. If a delivery is running, that delivery checks at its end
 * whether the report has changed.
 */
export const storeByItself = async (scope: Scope, reportId: string, studyId: string): Promise<void> => {
  const request = { reportId, studyId, ...toStudy };
  const { id, state } = await deliveryTo(scope, request);
  if (state !== 'QUEUED' && state !== 'RUNNING') await queue(scope, request, id);
};

export const toStudy = { kind: 'STUDY', remoteConfigId: null, destination: ownStudy } as const;

/**
 * Returns the only delivery of a report to a destination, and locks it until the transaction ends. A new delivery has
 * no state.
 */
const deliveryTo = async (scope: Scope, request: DeliveryRequest) => {
  const inserted = await scope.db
    .insertInto('report_deliveries')
    .values({
      id: newId(),
      report_id: request.reportId,
      kind: request.kind,
      remote_config_id: request.remoteConfigId,
      destination: request.destination,
      ...requesterColumns(scope.session),
    })
    .onConflict((known) => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) return { id: inserted.id, state: undefined };
  return scope.db
    .selectFrom('report_deliveries')
    .select(['id', 'state'])
    .where('report_id', '=', request.reportId)
    .where('kind', '=', request.kind)
    .where(sql<boolean>`remote_config_id is not distinct from ${request.remoteConfigId}`)
    .forUpdate()
    .executeTakeFirstOrThrow();
};

/**
 * Returns the lane of a delivery. Each destination has its own lane, in which one delivery runs at a time. Otherwise
 * two reports could create a patient twice on a server without transactions. A server that does not answer does not
 * block other servers.
 */
const laneOf = ({ kind, remoteConfigId }: DeliveryRequest): string => remoteConfigId ?? kind;

const queue = async (scope: Scope, request: DeliveryRequest, id: string) => {
  const { reportId, studyId, kind, destination } = request;
  await scope.db
    .updateTable('report_deliveries')
    .set({
      state: 'QUEUED',
      destination,
      error: '',
      attempts: 0,
      next_attempt_at: null,
      ...requesterColumns(scope.session),
    })
    .where('id', '=', id)
    .execute();
  await enqueueJob(scope, deliveryQueue, id, laneOf(request));
  await audit(scope, 'report.send', {
    entity: 'report',
    entityId: reportId,
    studyId,
    detail: { deliveryId: id, kind },
  });
  await announce(scope, { kind: 'study', studyId });
};

const hurry = async (scope: Scope, id: string) => {
  await scope.db.updateTable('report_deliveries').set({ next_attempt_at: null }).where('id', '=', id).execute();
  await runJobNow(scope, id);
};

const requesterColumns = ({ userId, name, tenantId, homeTenantId }: Session) => ({
  requested_by: userId,
  requested_by_tenant_id: homeTenantId ?? tenantId,
  requested_by_name: name,
  requested_at: sql<string>`now()`,
});
