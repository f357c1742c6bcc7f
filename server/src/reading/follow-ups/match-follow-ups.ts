import { type ArrivedStudy, type FollowUpMatch, followUpMatch } from '@radwork/contract/reading/follow-up-match';
import type { FollowUpPart } from '@radwork/contract/reading/follow-up-parts';
import type { FollowUpModality, FollowUpState } from '@radwork/contract/reading/follow-up-states';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { localTime } from '#core/values/local-time.ts';
import { noteChange } from './change-follow-up.ts';
import { remindAfter, storeEvent } from './follow-up-rows.ts';

/** Rows of a tenant in one transaction. */
const mostAtOnce = 100;

/**
 * Closes waiting rows of all tenants whose examination has arrived, schedules those whose examination is ordered, and
 * offers studies that agree in part. Opens rows again whose study was deleted, canceled or moved to another patient. A row
 * that another server has locked waits for the next run.
 */
export const matchFollowUps = async (scopes: Scopes, onError: (error: unknown) => void): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_waiting_follow_ups() id`.execute(db),
  );
  // An error in one tenant does not delay other tenants.
  for (const { id } of tenants) await matchInTenant(scopes, id).catch(onError);
};

const matchInTenant = async (scopes: Scopes, tenantId: number): Promise<void> => {
  const session = systemSession(tenantId);
  await scopes.inTenant(session, reopenLost);
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const last: string = after;
    after = await scopes.inTenant(session, (scope) => matchSome(scope, last));
  }
};

const firstId = '00000000-0000-0000-0000-000000000000';

type WaitingRow = {
  id: string;
  modality: FollowUpModality | '';
  body_part: FollowUpPart | '';
  due_from: string;
  due_to: string;
  state: FollowUpState;
  matched_study_id: string | null;
  study_id: string;
  patient_id: string;
  study_date: string;
};

/**
 * Studies count as changed a few minutes longer than necessary, because a long upload commits later than its rows say.
 */
const overlap = sql`interval '10 minutes'`;

/**
 * Compares up to `mostAtOnce` rows with the studies of their patients that have changed. Returns the ID of the last row,
 * or undefined at the end.
 */
const matchSome = async (scope: Scope, after: string): Promise<string | undefined> => {
  const { rows } = await sql<WaitingRow>`
    select f.id, f.modality, f.body_part, f.due_from, f.due_to, f.state, f.matched_study_id,
      s.id as study_id, s.patient_id, s.study_date
    from follow_ups f join reports r on r.id = f.report_id join studies s on s.id = r.study_id
    where f.state in ('OPEN', 'SCHEDULED') and f.id > ${after} and r.status = 'FINALIZED' and s.deleted_at is null
      and exists (
        select from studies c where c.patient_id = s.patient_id and c.id <> s.id and c.deleted_at is null
          and c.updated_at >= f.compared_until)
    order by f.id limit ${mostAtOnce} for no key update of f skip locked`.execute(scope.db);
  for (const row of rows) await matchRow(scope, row);
  return rows.length < mostAtOnce ? undefined : rows.at(-1)?.id;
};

type Arrived = ArrivedStudy & { id: string; hasImages: boolean; isDismissed: boolean };

const matchRow = async (scope: Scope, row: WaitingRow): Promise<void> => {
  const since = localTime(row.study_date)?.slice(0, 10);
  const arrived = since === undefined ? [] : await studiesAfter(scope, row);
  const judged = arrived.map((study) => ({
    study,
    match: isOrdered(row, study)
      ? ('FULL' as const)
      : judge({ ...row, since: since ?? '', bodyPart: row.body_part, dueFrom: row.due_from, dueTo: row.due_to }, study),
  }));
  const full = judged.filter(({ match }) => match === 'FULL').map(({ study }) => study);
  const done = full.find(({ hasImages }) => hasImages);
  const ordered = full.find(({ hasImages }) => !hasImages);
  const partial = judged.filter(({ match, study }) => match === 'PARTIAL' && study.hasImages);
  for (const { study } of partial) await offer(scope, row.id, study.id);
  if (done) await moveTo(scope, row, 'DONE', done.id);
  else if (ordered && row.state === 'OPEN') await moveTo(scope, row, 'SCHEDULED', ordered.id);
  await sql`update follow_ups set compared_until = now() - ${overlap} where id = ${row.id}`.execute(scope.db);
};

/**
 * Whether a study is the one that was scheduled for a row. It need not match the recommendation, because a user may
 * have chosen it.
 */
const isOrdered = ({ matched_study_id }: WaitingRow, { id }: Arrived): boolean => id === matched_study_id;

const judge = (awaited: Parameters<typeof followUpMatch>[0], study: Arrived): FollowUpMatch =>
  study.isDismissed ? 'NONE' : followUpMatch(awaited, study);

/**
 * Returns the later studies of the patient of a row, the earliest first. Leaves out studies with an open identity
 * question, because they may show another person.
 */
const studiesAfter = async ({ db }: Scope, { id, study_id, patient_id }: WaitingRow): Promise<Arrived[]> => {
  const rows = await db
    .selectFrom('studies as c')
    .select(['c.id', 'c.study_date', 'c.modality', 'c.modalities', 'c.description', 'c.study_description'])
    .select(['c.instance_count', 'c.procedure_description'])
    .select([
      sql<string[]>`array(select distinct body_part_examined from series where study_id = c.id)`.as('body_parts'),
      sql<boolean>`exists (select from follow_up_candidates d
          where d.follow_up_id = ${id} and d.study_id = c.id and d.dismissed_at is not null)
        or c.id = any((select kept_from from follow_ups where id = ${id})::uuid[])`.as('is_dismissed'),
    ])
    .where('c.patient_id', '=', patient_id)
    .where('c.id', '<>', study_id)
    .where('c.deleted_at', 'is', null)
    .where('c.status', '<>', 'CANCELLED')
    .where(sql<boolean>`c.study_date > (select study_date from studies where id = ${study_id})`)
    .where(
      sql<boolean>`not exists (select from identity_questions q
        where q.study_id in (c.id, ${study_id}) and q.state = 'OPEN')`,
    )
    .orderBy('c.study_date')
    .orderBy('c.id')
    .limit(200)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    day: localTime(row.study_date)?.slice(0, 10) ?? null,
    modality: row.modality,
    modalities: row.modalities,
    description: [row.description || row.study_description, row.procedure_description].filter(Boolean).join(' '),
    bodyParts: row.body_parts,
    hasImages: row.instance_count > 0,
    isDismissed: row.is_dismissed,
  }));
};

const offer = async ({ db }: Scope, followUpId: string, studyId: string): Promise<void> => {
  await db
    .insertInto('follow_up_candidates')
    .values({ follow_up_id: followUpId, study_id: studyId })
    .onConflict((known) => known.doNothing())
    .execute();
};

const moveTo = async (scope: Scope, row: WaitingRow, state: 'DONE' | 'SCHEDULED', studyId: string): Promise<void> => {
  await scope.db
    .updateTable('follow_ups')
    .set({
      state,
      matched_study_id: studyId,
      is_matched_by_server: true,
      revision: sql`revision + 1`,
      updated_at: sql`clock_timestamp()`,
      ...(state === 'DONE' && { remind_at: null }),
    })
    .where('id', '=', row.id)
    .execute();
  await storeEvent(scope, { followUpId: row.id, event: 'MATCHED', state });
  await noteChange(scope, row, 'follow_up.match', { state });
  await announce(scope, { kind: 'study', studyId });
};

/** Opens rows again whose study is no longer an examination of their patient. */
const reopenLost = async (scope: Scope): Promise<void> => {
  const { rows } = await sql<{ id: string; due_to: string; study_id: string; patient_id: string }>`
    select f.id, f.due_to, s.id as study_id, s.patient_id
    from follow_ups f join reports r on r.id = f.report_id join studies s on s.id = r.study_id
    join studies c on c.id = f.matched_study_id
    where f.state in ('SCHEDULED', 'DONE') and f.updated_at > now() - interval '2 years'
      and (c.deleted_at is not null or c.status = 'CANCELLED' or c.patient_id <> s.patient_id)
    order by f.id limit ${mostAtOnce} for no key update of f skip locked`.execute(scope.db);
  for (const row of rows) {
    await scope.db
      .updateTable('follow_ups')
      .set({
        state: 'OPEN',
        matched_study_id: null,
        is_matched_by_server: false,
        remind_at: remindAfter(row.due_to),
        compared_until: sql`'-infinity'`,
        revision: sql`revision + 1`,
        updated_at: sql`clock_timestamp()`,
      })
      .where('id', '=', row.id)
      .execute();
    await storeEvent(scope, { followUpId: row.id, event: 'UNMATCHED', state: 'OPEN' });
    await noteChange(scope, row, 'follow_up.match', { state: 'OPEN' });
  }
};
