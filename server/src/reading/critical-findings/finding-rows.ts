import { canMove } from '@radwork/contract/core/moves';
import type {
  Communication,
  CriticalFinding,
  CriticalFindingSummary,
  CriticalRestart,
} from '@radwork/contract/reading/critical-findings';
import { criticalMoves, escalationSteps, unsettledStates } from '@radwork/contract/reading/critical-finding-states';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { localStudyTime } from '#core/values/local-time.ts';
import { orNotFound } from '#core/http/problem.ts';
import { hasPermission, type Scope, type Session } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { personOf } from '#reading/report-records/stored-report.ts';
import { messagesOf } from '#reading/outreach/finding-messages.ts';

type Person = CriticalFinding['identifiedBy'];

/**
 * Selects the findings of studies of which the caller may know. Their reports need not be signed, because urgent
 * results do not wait for a signature.
 */
export const knownFindings = ({ db, session }: Scope) =>
  db
    .selectFrom('critical_findings as f')
    .innerJoin('studies as s', 's.id', 'f.study_id')
    .where('s.deleted_at', 'is', null)
    .where(mayKnowStudy(session, 'f.study_id'));

/** SQL condition: whether the caller ordered the study of a finding "f" or is its referring physician. */
const treatsPatient = ({ userId }: Session) =>
  sql<boolean>`exists (select from study_participants sp
    where sp.study_id = f.study_id and sp.user_id::text = ${userId} and sp.role in ('REFERRER', 'ORDERER'))`;

export const wholeFindings = (scope: Scope) =>
  knownFindings(scope)
    .innerJoin('users as finder', 'finder.id', 'f.identified_by')
    .innerJoin('reports as r', 'r.id', 'f.report_id')
    .leftJoin('users as confirmer', 'confirmer.id', 'f.acknowledged_by')
    .leftJoin('users as withdrawer', 'withdrawer.id', 'f.withdrawn_by')
    .select([
      'f.id',
      'f.report_id',
      'f.study_id',
      'f.finding',
      'f.severity',
      'f.state',
      'f.identified_by as finder_id',
      'f.identified_at',
      'f.due_at',
      'f.communicated_at',
      'f.acknowledged_at',
      'f.acknowledged_how',
      'f.withdrawn_at',
      'f.withdrawn_reason',
      'f.escalation_step',
      's.patient_id',
      's.patient_name',
      's.patient_identifier',
      's.modality',
      's.study_date',
      's.is_study_time_known',
      'r.status as report_status',
      treatsPatient(scope.session).as('treats_patient'),
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as(
        'study_description',
      ),
    ])
    .select([
      personOf('finder').as('identified_by'),
      personOf<Person | null>('confirmer').as('acknowledged_by'),
      personOf<Person | null>('withdrawer').as('withdrawn_by'),
    ]);

export type StoredFinding = Awaited<ReturnType<ReturnType<typeof wholeFindings>['execute']>>[number];

/** Returns the finding with this id. Throws 404 when the caller may not know of it. */
export const findingById = async (scope: Scope, id: string): Promise<StoredFinding> =>
  orNotFound(await wholeFindings(scope).where('f.id', '=', id).executeTakeFirst(), 'finding');

/** Like `findingById`, and locks the finding until the transaction ends. */
export const findingToChange = async (scope: Scope, id: string): Promise<StoredFinding> => {
  await scope.db.selectFrom('critical_findings').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return findingById(scope, id);
};

/**
 * SQL condition: whether a communication "c" was recorded before the study of its finding "f" was moved to another
 * patient.
 */
export const isOfFormerPatient = sql<boolean>`coalesce(c.created_at < f.refiled_at, false)`;

/** Returns the communications of these findings and the failed attempts, by finding id, earliest first. */
const communicationsOf = async ({ db }: Scope, ids: readonly string[]): Promise<Map<string, Communication[]>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('critical_communications as c')
    .leftJoin('users as recipient', 'recipient.id', 'c.recipient_id')
    .innerJoin('users as teller', 'teller.id', 'c.told_by')
    .innerJoin('critical_findings as f', 'f.id', 'c.finding_id')
    .select(['c.id', 'c.finding_id', 'c.recipient_name as recipientName', 'c.method', 'c.note'])
    .select(['c.was_reached as wasReached', 'c.has_read_back as hasReadBack', 'c.told_at as toldAt'])
    .select([personOf<Person | null>('recipient').as('recipient'), personOf('teller').as('toldBy')])
    .select(isOfFormerPatient.as('isOfFormerPatient'))
    .where('c.finding_id', 'in', ids)
    .orderBy('c.told_at')
    .orderBy('c.id')
    .execute();
  return Map.groupBy(rows, (row) => row.finding_id);
};

/**
 * Returns the earlier states of these findings, each as it was when the clock of the finding restarted. They are
 * grouped by finding id, earliest first.
 */
const restartsOf = async ({ db }: Scope, ids: readonly string[]): Promise<Map<string, CriticalRestart[]>> => {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('critical_restarts as b')
    .leftJoin('users as confirmer', 'confirmer.id', 'b.acknowledged_by')
    .select(['b.finding_id', 'b.at', 'b.state', 'b.acknowledged_at as acknowledgedAt'])
    .select('b.acknowledged_how as acknowledgedHow')
    .select(personOf<Person | null>('confirmer').as('acknowledgedBy'))
    .where('b.finding_id', 'in', ids)
    .orderBy('b.at')
    .orderBy('b.id')
    .execute();
  return Map.groupBy(rows, (row) => row.finding_id);
};

/** Whether the caller is a user of this tenant, not a visitor, and may manage its findings. */
export const managesFindings = (session: Session): boolean =>
  hasPermission(session, 'critical.manage') && session.homeTenantId === undefined;

/** Whether the user was reached after the study was filed under its current patient. */
export const wasUserReached = (communications: readonly Communication[], userId: string): boolean =>
  communications.some(
    ({ recipient, wasReached, isOfFormerPatient }) => wasReached && !isOfFormerPatient && recipient?.id === userId,
  );

/** Converts stored findings to the type of the contract. */
export const describeFindings = async (scope: Scope, rows: readonly StoredFinding[]): Promise<CriticalFinding[]> => {
  const ids = rows.map(({ id }) => id);
  const communications = await communicationsOf(scope, ids);
  const restarts = await restartsOf(scope, ids);
  const messages = await messagesOf(scope, ids);
  return rows.map((row) =>
    describe(row, scope.session, {
      communications: communications.get(row.id) ?? [],
      restarts: restarts.get(row.id) ?? [],
      messages: messages.get(row.id) ?? [],
    }),
  );
};

const describe = (
  row: StoredFinding,
  session: Session,
  { communications, restarts, messages }: Pick<CriticalFinding, 'communications' | 'restarts' | 'messages'>,
): CriticalFinding => ({
  ...summaryOf(row),
  reportId: row.report_id,
  studyId: row.study_id,
  patientName: displayName(row.patient_name),
  patientId: row.patient_identifier,
  modality: row.modality,
  studyDescription: row.study_description,
  studyDate: localStudyTime(row),
  communicatedAt: row.communicated_at,
  acknowledgedAt: row.acknowledged_at,
  acknowledgedBy: row.acknowledged_by,
  acknowledgedHow: row.acknowledged_how,
  withdrawnAt: row.withdrawn_at,
  withdrawnBy: row.withdrawn_by,
  withdrawnReason: row.withdrawn_reason,
  escalation: escalationSteps[row.escalation_step - 1] ?? null,
  communications,
  restarts,
  messages,
  canCommunicate: row.state !== 'WITHDRAWN' && managesFindings(session),
  canAcknowledge: unsettledStates.includes(row.state) && wasUserReached(communications, session.userId),
  canAcknowledgeInReport:
    unsettledStates.includes(row.state) &&
    row.treats_patient &&
    row.finder_id !== session.userId &&
    row.report_status === 'FINALIZED' &&
    session.homeTenantId === undefined,
  canWithdraw: canMove(criticalMoves, row.state, 'WITHDRAWN') && managesFindings(session),
});

const summaryOf = (
  row: Pick<StoredFinding, 'id' | 'finding' | 'severity' | 'state' | 'identified_by' | 'identified_at' | 'due_at'>,
): CriticalFindingSummary => ({
  id: row.id,
  finding: row.finding,
  severity: row.severity,
  state: row.state,
  identifiedBy: row.identified_by,
  identifiedDateTime: row.identified_at,
  dueAt: row.due_at,
});

/** Returns the findings of a report, oldest first, without withdrawn findings. */
export const findingsOfReport = async ({ db }: Scope, reportId: string): Promise<CriticalFindingSummary[]> => {
  const rows = await db
    .selectFrom('critical_findings as f')
    .innerJoin('users as finder', 'finder.id', 'f.identified_by')
    .select(['f.id', 'f.finding', 'f.severity', 'f.state', 'f.identified_at', 'f.due_at'])
    .select(personOf('finder').as('identified_by'))
    .where('f.report_id', '=', reportId)
    .where('f.state', '!=', 'WITHDRAWN')
    .orderBy('f.identified_at')
    .orderBy('f.id')
    .execute();
  return rows.map(summaryOf);
};

/** Returns the findings of the study that were not communicated yet. The signer is warned about them. */
export const openFindingsOf = async (
  { db }: Pick<Scope, 'db'>,
  studyId: string,
): Promise<Pick<CriticalFindingSummary, 'id' | 'finding' | 'severity' | 'dueAt'>[]> =>
  db
    .selectFrom('critical_findings')
    .select(['id', 'finding', 'severity', 'due_at as dueAt'])
    .where('study_id', '=', studyId)
    .where('state', '=', 'OPEN')
    .orderBy('due_at')
    .orderBy('id')
    .execute();
