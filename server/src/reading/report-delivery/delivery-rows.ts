import type { ReportDelivery } from '@radwork/contract/reading/report-delivery';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { namingOfPatient } from './report-document.ts';

/** SQL: the number of parts of a report that are signed now, which are the text and the signed addenda. */
const signedPartsCount = sql<number>`(
  select 1 + count(*)::int from report_addenda a where a.report_id = d.report_id and a.finalized_at is not null)`;

const deliveriesOf = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('report_deliveries as d')
    .innerJoin('reports as r', 'r.id', 'd.report_id')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .selectAll('d')
    .select(namingOfPatient.as('naming'))
    .select(signedPartsCount.as('signed_parts'))
    .where('d.report_id', '=', reportId);

type StoredDelivery = Awaited<ReturnType<ReturnType<typeof deliveriesOf>['executeTakeFirstOrThrow']>>;

/** Returns the deliveries of a report, last requested first. */
export const listedDeliveries = async (scope: Scope, reportId: string): Promise<ReportDelivery[]> => {
  const rows = await deliveriesOf(scope, reportId).orderBy('d.requested_at', 'desc').orderBy('d.id').execute();
  return rows.map(toDelivery);
};

/** Returns a delivery of this report. Throws 404. The caller must first check the access to the report. */
export const deliveryById = async (scope: Scope, reportId: string, id: string): Promise<ReportDelivery> =>
  toDelivery(orNotFound(await deliveriesOf(scope, reportId).where('d.id', '=', id).executeTakeFirst(), 'delivery'));

const toDelivery = (row: StoredDelivery): ReportDelivery => ({
  id: row.id,
  reportId: row.report_id,
  kind: row.kind,
  remoteConfigId: row.remote_config_id,
  destination: row.destination,
  state: row.state,
  attempts: row.attempts,
  error: row.error,
  nextAttemptAt: row.next_attempt_at,
  resources: row.resources,
  isOutdated: row.sent_at !== null && (row.sent_parts < row.signed_parts || row.sent_naming !== row.naming),
  namesOtherwise: row.sent_at !== null && row.sent_naming !== row.naming,
  requestedBy: row.requested_by_name,
  requestedAt: row.requested_at,
  sentAt: row.sent_at,
});
