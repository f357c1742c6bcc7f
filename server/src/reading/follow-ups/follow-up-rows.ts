import type { FollowUp, FollowUpHistoryEntry } from '@radwork/contract/reading/follow-ups';
import { type FollowUpEvent, type FollowUpState, waitingStates } from '@radwork/contract/reading/follow-up-states';
import { displayName } from '@radwork/dicom/person-name';
import { type RawBuilder, sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import { hasPermission, type Scope, type Session } from '#core/access/scope.ts';
import { prepared } from '#core/database/database.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { newId } from '#core/values/ids.ts';
import { knownReports, personOf } from '#reading/report-records/stored-report.ts';

type Person = FollowUp['owner'];

/** SQL: the current day of the tenant. Row-level security shows only the row of that tenant. */
export const currentDay = sql<string>`(select (now() at time zone time_zone)::date from tenants)`;

/** SQL: the description of a study, as lists show it. */
const descriptionOf = (alias: string): RawBuilder<string> =>
  sql`case when ${sql.ref(`${alias}.description`)} <> '' then ${sql.ref(`${alias}.description`)}
    else ${sql.ref(`${alias}.study_description`)} end`;

type RelatedStudy = {
  id: string;
  modality: string;
  description: string;
  study_date: string | null;
  is_study_time_known: boolean;
};

const relatedStudy = sql`json_build_object('id', c.id, 'modality', c.modality, 'description', ${descriptionOf('c')},
  'study_date', c.study_date, 'is_study_time_known', c.is_study_time_known)`;

/** SQL: the study with which a row `f` was matched. Null if the caller may not know of it. */
const matchedStudy = (session: Session): RawBuilder<RelatedStudy | null> => sql`(
  select ${relatedStudy} from studies c
  where c.id = f.matched_study_id and c.deleted_at is null and ${mayKnowStudy(session, 'c.id')})`;

/** SQL: the latest study that agrees with a row `f` in part and belongs to the patient of its study `s`. */
const candidateStudy = (session: Session): RawBuilder<RelatedStudy | null> => sql`(
  select ${relatedStudy} from follow_up_candidates offered join studies c on c.id = offered.study_id
  where offered.follow_up_id = f.id and offered.dismissed_at is null and f.state in ('OPEN', 'SCHEDULED')
    and c.deleted_at is null and c.status <> 'CANCELLED' and c.patient_id = s.patient_id
    and ${mayKnowStudy(session, 'c.id')}
  order by c.study_date desc, c.id desc limit 1)`;

/** SQL condition: a row `f` waits for an examination whose last day has passed. */
export const isOverdue = sql<boolean>`(f.state in ('OPEN', 'SCHEDULED') and f.due_to < ${currentDay})`;

/** Selects the rows of the reports that the caller may read. */
export const knownFollowUps = (scope: Scope) => knownReports(scope).innerJoin('follow_ups as f', 'f.report_id', 'r.id');

const wholeFollowUps = (scope: Scope) =>
  knownFollowUps(scope)
    .innerJoin('users as owner', 'owner.id', 'f.owner_id')
    .innerJoin('users as author', 'author.id', 'r.author_id')
    .select([
      'f.id',
      'f.report_id',
      'f.modality',
      'f.body_part',
      'f.due_from',
      'f.due_to',
      'f.quote',
      'f.owner_id',
      'f.state',
      'f.reason',
      'f.matched_study_id',
      'f.is_matched_by_server',
      'f.review_cause',
      'f.revision',
      'f.created_at',
      'r.status as report_status',
      'r.author_id',
      's.id as study_id',
      's.patient_id',
      's.patient_name',
      's.patient_identifier',
      's.modality as study_modality',
      's.study_date',
      's.is_study_time_known',
    ])
    .select([
      descriptionOf('s').as('study_description'),
      personOf<Person>('owner').as('owner'),
      personOf<Person>('author').as('author'),
      isOverdue.as('is_overdue'),
      matchedStudy(scope.session).as('matched_study'),
      candidateStudy(scope.session).as('candidate'),
    ]);

export type StoredFollowUp = Awaited<ReturnType<ReturnType<typeof wholeFollowUps>['execute']>>[number];

type Selected = ReturnType<typeof wholeFollowUps>;

/** Returns rows of the register that a condition selects, in an order. */
export const followUpsWhere = async (scope: Scope, limited: (query: Selected) => Selected): Promise<FollowUp[]> => {
  const rows = await limited(wholeFollowUps(scope)).execute();
  return rows.map((row) => toFollowUp(row, scope.session));
};

/** Returns the row with this id. Throws 404 when the caller may not read its report. */
export const followUpById = async (scope: Scope, id: string): Promise<StoredFollowUp> =>
  orNotFound(await wholeFollowUps(scope).where('f.id', '=', id).modifyEnd(prepared).executeTakeFirst(), 'follow-up');

/** Like `followUpById`, and locks the row until the transaction ends. */
export const followUpToChange = async (scope: Scope, id: string): Promise<StoredFollowUp> => {
  await scope.db.selectFrom('follow_ups').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return followUpById(scope, id);
};

/** Whether the caller may change a row: its owner and users who edit reports, but no visitor of the tenant. */
export const mayChange = (session: Session, { owner_id }: Pick<StoredFollowUp, 'owner_id'>): boolean =>
  session.homeTenantId === undefined && (owner_id === session.userId || hasPermission(session, 'report.edit'));

const toRelated = (study: RelatedStudy | null): FollowUp['matchedStudy'] =>
  study && {
    id: study.id,
    modality: study.modality,
    description: study.description,
    studyDate: localStudyTime(study),
  };

export const toFollowUp = (row: StoredFollowUp, session: Session): FollowUp => ({
  id: row.id,
  modality: row.modality,
  bodyPart: row.body_part,
  dueFrom: row.due_from,
  dueTo: row.due_to,
  quote: row.quote,
  state: row.state,
  reason: row.reason,
  isOverdue: row.is_overdue,
  reviewCause: row.review_cause,
  owner: row.owner,
  reportId: row.report_id,
  isReportFinal: row.report_status === 'FINALIZED',
  author: row.author,
  studyId: row.study_id,
  studyDate: localStudyTime(row),
  studyModality: row.study_modality,
  studyDescription: row.study_description,
  patientRecordId: row.patient_id,
  patientName: displayName(row.patient_name),
  patientId: row.patient_identifier,
  matchedStudy: toRelated(row.matched_study),
  candidate: toRelated(row.candidate),
  revision: row.revision,
  createdDate: row.created_at,
  canChange: mayChange(session, row),
});

/** Returns the history of a row, latest first. */
export const historyOf = ({ db }: Scope, followUpId: string): Promise<FollowUpHistoryEntry[]> =>
  db
    .selectFrom('follow_up_events as e')
    .leftJoin('users as actor', 'actor.id', 'e.actor_id')
    .select(['e.created_at as at', 'e.event', 'e.state', 'e.reason'])
    .select(personOf<Person | null>('actor').as('actor'))
    .where('e.follow_up_id', '=', followUpId)
    .orderBy('e.created_at', 'desc')
    .orderBy('e.id', 'desc')
    .execute();

type StoredEvent = { followUpId: string; event: FollowUpEvent; state: FollowUpState; reason?: string };

/** Stores an event in the history of a row. Without a user, the server acted. */
export const storeEvent = async (
  { db, session }: Scope,
  { followUpId, event, state, reason = '' }: StoredEvent,
): Promise<void> => {
  const actor = session.userId === '' ? null : session.userId;
  await db
    .insertInto('follow_up_events')
    .values({ id: newId(), follow_up_id: followUpId, event, state, reason, actor_id: actor })
    .execute();
};

/** SQL: when the owner of a row is reminded: at the end of its last day. */
export const remindAfter = (dueTo: string): RawBuilder<string> =>
  sql`(select (${dueTo}::date + 1)::timestamp at time zone time_zone from tenants)`;

/** Whether a row in this state waits for an examination. */
export const isWaiting = (state: FollowUpState): boolean => waitingStates.includes(state);
