import { sentence } from '@radwork/contract/core/translate';
import { deliveryMoves } from '@radwork/contract/reading/report-delivery';
import { statesBefore } from '@radwork/contract/core/moves';
import { type Selectable, sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import { finishJob, Interruption, type Job, putBackJob, type RunJob, RetryLater } from '#core/jobs/jobs.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { Problem } from '#core/http/problem.ts';
import type { ReportDeliveries } from '#core/database/schema.ts';
import { type Scope, type Session, systemSession } from '#core/access/scope.ts';
import { sessionOfAsker } from '#imaging/import-jobs/requester-session.ts';
import { changeSentOut } from '#reading/report-records/preliminary-versions.ts';
import { reportById } from '#reading/report-records/stored-report.ts';
import { FhirError } from './fhir/fhir-error.ts';
import { documentOf, type ReportDocument } from './report-document.ts';
import { sendToFhir } from './send-to-fhir.ts';
import { type CreatedResource, storeReport } from './store-report.ts';

export type DeliveryContext = {
  context: Pick<Context, 'blobs' | 'scopes' | 'config' | 'metrics' | 'outgoing' | 'vault' | 'secretKey'>;
  /** Seconds to wait after attempts that may succeed later. After the last attempt, the delivery fails. */
  pauses: readonly number[];
  /** Receives unexpected errors. */
  onError: (error: unknown) => void;
};

type DeliveryRow = Selectable<ReportDeliveries>;

/** The content that was sent: number of signed parts, and how the patient was named. */
type SentContent = { parts: number; naming: string };

/** Result of a run: the content that was sent, or why it failed. */
type Outcome =
  | ({ kind: 'sent'; resources: CreatedResource[] } & SentContent)
  | { kind: 'failed'; error: string; mayPass: boolean };

/** Sends the current signed report of a job to its destination. */
export const deliverReport =
  (delivering: DeliveryContext): RunJob =>
  async (job, signal) => {
    const { scopes } = delivering.context;
    const asServer = <T>(work: (scope: Scope) => Promise<T>) => scopes.inTenant(systemSession(job.tenantId), work);
    const row = await asServer((scope) => begin(scope, job));
    if (!row) return;
    const session = await sessionOfAsker(scopes, row, row.kind === 'FHIR' ? 'report.send' : 'report.view');
    const outcome = session ? await outcomeOf(delivering, row, session, signal) : notAllowed;
    // The server is stopping or has lost the job. Sending again finds the resources that were already sent.
    if (signal.aborted && outcome.kind === 'failed') return asServer((scope) => interrupt(scope, job, signal.reason));
    const pause = outcome.kind === 'failed' && outcome.mayPass ? delivering.pauses[job.attempt - 1] : undefined;
    if (outcome.kind === 'failed' && pause !== undefined) {
      await asServer((scope) => wait(scope, job, outcome.error, pause));
      throw new RetryLater(pause);
    }
    await scopes.inTenant(session ?? systemSession(job.tenantId), (scope) => end(scope, job, row, outcome));
  };

const failed = (error: string, mayPass = false): Outcome => ({ kind: 'failed', error, mayPass });
const notAllowed = failed('The user who requested this delivery can no longer send reports');
const serverFailed = 'The server failed to send the report. Ask your administrator to check the server log.';

const outcomeOf = async (
  { context, onError }: DeliveryContext,
  row: DeliveryRow,
  session: Session,
  signal: AbortSignal,
): Promise<Outcome> => {
  try {
    const document = await context.scopes.inTenant(session, (scope) => signedDocument(scope, row));
    const resources = await deliver(context, row, session, document, signal);
    return { kind: 'sent', ...saidIn(document), resources };
  } catch (error) {
    if (error instanceof FhirError) return failed(error.message, error.mayPass);
    if (error instanceof RemoteError) return failed(error.message);
    // From 500 on, the error is ours, such as a store that cannot be reached. After 429, too, a later attempt may
    // succeed.
    if (error instanceof Problem) return failed(problemWords(error), error.status >= 500 || error.status === 429);
    if (signal.aborted) return failed('');
    onError(error);
    return failed(serverFailed, true);
  }
};

const problemWords = ({ error, message }: Problem): string =>
  error === 'configuration.not_found' ? 'The FHIR server is no longer configured' : message;

const saidIn = ({ parts, naming }: ReportDocument): SentContent => ({ parts: parts.length, naming });

/**
 * Returns the signed report. The copy in the archive of the organization always names an important change since the
 * preliminary report, like the PDF for its readers. A copy in another system does so by the setting of the organization.
 */
const signedDocument = async (
  scope: Scope,
  { report_id, kind }: Pick<DeliveryRow, 'report_id' | 'kind'>,
): Promise<ReportDocument> => {
  await reportById(scope, report_id);
  const document = await documentOf(scope, report_id);
  const preliminaryChange =
    kind === 'FHIR' ? await changeSentOut(scope, document.preliminaryChange) : document.preliminaryChange;
  if (document.parts.every(({ isUnchanged }) => isUnchanged)) return { ...document, preliminaryChange };
  const why = 'The stored text differs from the signed text. It was not sent. Contact your administrator.';
  throw new Problem(409, 'report.changed', why);
};

const deliver = (
  context: DeliveryContext['context'],
  { kind, remote_config_id }: DeliveryRow,
  session: Session,
  document: ReportDocument,
  signal: AbortSignal,
): Promise<CreatedResource[]> =>
  kind === 'FHIR' && remote_config_id
    ? sendToFhir(context, session, { document, configId: remote_config_id }, signal)
    : storeReport(context, session, document);

/** Marks the delivery as running. If nothing is left to do, finishes the job and returns undefined. */
const begin = async (scope: Scope, job: Job): Promise<DeliveryRow | undefined> => {
  const row = await scope.db
    .updateTable('report_deliveries')
    .set({ state: 'RUNNING', attempts: job.attempt, next_attempt_at: null })
    .where('id', '=', job.id)
    // A killed server may have left the state RUNNING.
    .where('state', 'in', [...statesBefore(deliveryMoves, 'RUNNING'), 'RUNNING'])
    .returningAll()
    .executeTakeFirst();
  if (row) await announceDelivery(scope, row);
  else await finishJob(scope, job);
  return row;
};

const studyOf = ({ db }: Scope, { report_id }: Pick<DeliveryRow, 'report_id'>) =>
  db
    .selectFrom('reports as r')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .select(['s.id', 's.patient_id'])
    .where('r.id', '=', report_id)
    .executeTakeFirstOrThrow();

const announceDelivery = async (scope: Scope, row: Pick<DeliveryRow, 'report_id'>) => {
  const { id } = await studyOf(scope, row);
  await announce(scope, { kind: 'study', studyId: id });
};

/** Returns a running delivery to the state QUEUED. */
const setBack = async (
  scope: Scope,
  { id }: Job,
  set: { error?: string; next_attempt_at?: ReturnType<typeof later> },
) => {
  const row = await scope.db
    .updateTable('report_deliveries')
    .set({ state: 'QUEUED', ...set })
    .where('id', '=', id)
    .where('state', '=', 'RUNNING')
    .returning('report_id')
    .executeTakeFirst();
  if (row) await announceDelivery(scope, row);
};

const later = (seconds: number) => sql<string>`now() + make_interval(secs => ${seconds})`;

const wait = (scope: Scope, job: Job, error: string, pause: number) =>
  setBack(scope, job, { error, next_attempt_at: later(pause) });

const interrupt = async (scope: Scope, job: Job, reason: unknown) => {
  if (reason instanceof Interruption && reason.isStop && (await putBackJob(scope, job))) await setBack(scope, job, {});
};

const end = async (scope: Scope, job: Job, row: DeliveryRow, outcome: Outcome) => {
  // Makes the end of a delivery and a signature wait for each other. The later one then sees the result of the earlier
  // one.
  await scope.db.selectFrom('report_deliveries').select('id').where('id', '=', job.id).forUpdate().execute();
  if (outcome.kind === 'sent' && row.kind === 'STUDY' && (await hasChanged(scope, row, outcome))) {
    if (await putBackJob(scope, job)) await setBack(scope, job, {});
    return;
  }
  if (!(await finishJob(scope, job))) return;
  await scope.db.updateTable('report_deliveries').set(resultOf(outcome)).where('id', '=', job.id).execute();
  const study = await studyOf(scope, row);
  const isSent = outcome.kind === 'sent';
  await audit(scope, 'report.sent', {
    entity: 'report',
    entityId: row.report_id,
    studyId: study.id,
    patientId: study.patient_id,
    outcome: isSent ? 'SUCCESS' : 'FAILURE',
    detail: { deliveryId: row.id, kind: row.kind, attempts: job.attempt },
  });
  await announce(scope, { kind: 'study', studyId: study.id });
  if (!isSent) await notifyFailure(scope, row, study.id);
};

const resultOf = (outcome: Outcome) =>
  outcome.kind === 'sent'
    ? ({
        state: 'SENT',
        error: '',
        resources: JSON.stringify(outcome.resources),
        sent_parts: outcome.parts,
        sent_naming: outcome.naming,
        sent_at: sql<string>`now()`,
      } as const)
    : ({ state: 'FAILED', error: outcome.error } as const);

/** Returns whether parts were signed, or the patient was changed, while the report was sent. */
const hasChanged = async (scope: Scope, { report_id }: DeliveryRow, sent: SentContent): Promise<boolean> => {
  const { parts, naming } = saidIn(await documentOf(scope, report_id));
  return parts > sent.parts || naming !== sent.naming;
};

/**
 * Returns whom to notify: the requester, or the administrators if the requester is not active in this tenant. A visitor
 * from another tenant has no notifications here.
 */
const recipientsOf = async ({ db }: Scope, { requested_by }: DeliveryRow): Promise<string[]> => {
  const users = await db
    .selectFrom('users')
    .select('id')
    .where('is_active', '=', true)
    .where((user) => user.or([user('id', '=', requested_by), user('user_type', 'in', ['ADMIN', 'SUPER_ADMIN'])]))
    .execute();
  const ids = users.map(({ id }) => id);
  return ids.includes(requested_by) ? [requested_by] : ids;
};

/** Notifies of a failure even if the user turned off status notifications, because no other message reports it. */
const notifyFailure = async (scope: Scope, row: DeliveryRow, studyId: string) => {
  await notify(scope, {
    to: await recipientsOf(scope, row),
    isForActorToo: true,
    isForAll: true,
    type: 'STUDY_STATUS',
    title:
      row.kind === 'FHIR' ? sentence`A report could not be sent` : sentence`A report could not be stored in its study`,
    ...(await aboutStudy(scope, studyId)),
  });
};
