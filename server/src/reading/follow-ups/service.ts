import type { Query, Reply } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type { FollowUp, followUps as endpoints } from '@radwork/contract/reading/follow-ups';
import type { FollowUpView } from '@radwork/contract/reading/follow-up-states';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { prepared } from '#core/database/database.ts';
import { userMayKnowStudySql } from '#core/access/study-access.ts';
import { isComparable } from '#imaging/identity-marks/identity-marks.ts';
import { studyById } from '#imaging/studies/study-rows.ts';
import { followUpById, followUpsWhere, historyOf, isOverdue, knownFollowUps, toFollowUp } from './follow-up-rows.ts';

const isInView: Record<FollowUpView, RawBuilder<boolean>> = {
  WAITING: sql`f.state in ('OPEN', 'SCHEDULED')`,
  OVERDUE: isOverdue,
  OFFERED: sql`f.state = 'OFFERED'`,
  REVIEW: sql`(f.review_cause is not null and f.state <> 'DISMISSED')`,
  CLOSED: sql`f.state in ('DONE', 'DECLINED', 'LOST')`,
};

type Register = Pick<Query<typeof endpoints.list>, 'view' | 'mine' | 'modality'>;

/** SQL condition: a row belongs to the register as it is filtered. Only rows of signed reports do. */
const isInRegister = (scope: Scope, { view, mine, modality }: Register): RawBuilder<boolean> =>
  sql`(${sql.join(
    [
      sql`r.status = 'FINALIZED'`,
      isInView[view],
      ...(mine === 'true' ? [sql`f.owner_id = ${scope.session.userId}`] : []),
      ...(modality ? [sql`f.modality = ${modality}`] : []),
    ],
    sql` and `,
  )})`;

const registerOrder = (view: FollowUpView) => (view === 'CLOSED' ? sql`f.updated_at desc` : sql`f.due_to`);

/** Returns one page of the register, with rows of signed reports only. Overdue rows come first. */
export const list = async (
  scope: Scope,
  query: Query<typeof endpoints.list>,
): Promise<Reply<typeof endpoints.list>> => {
  const { view, page, size } = query;
  const condition = isInRegister(scope, query);
  const { total, overdue } = await knownFollowUps(scope)
    .where(condition)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .select(sql<number>`(count(*) filter (where ${isOverdue}))::int`.as('overdue'))
    .executeTakeFirstOrThrow();
  const content = await followUpsWhere(scope, (rows) =>
    rows
      .where(condition)
      .orderBy(registerOrder(view))
      .orderBy('f.id')
      .limit(size)
      .offset(page * size),
  );
  return { ...pageOf(content, total, query), overdue };
};

/** Returns the ids of the register in its order, at most `most`. */
export const listedIds = async (scope: Scope, register: Register, most: number): Promise<string[]> => {
  const rows = await knownFollowUps(scope)
    .select('f.id')
    .where(isInRegister(scope, register))
    .orderBy(registerOrder(register.view))
    .orderBy('f.id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns a row with its history. */
export const get = async (scope: Scope, id: string): Promise<Reply<typeof endpoints.get>> => ({
  ...toFollowUp(await followUpById(scope, id), scope.session),
  history: await historyOf(scope, id),
});

/** Maximum number of rows shown with one study. */
const mostOfStudy = 50;

/**
 * Returns the rows of the reports of a study. `ofPatient` has rows of other studies of the patient: those that wait, and
 * those that this study closed.
 */
export const ofStudy = async (scope: Scope, studyId: string): Promise<Reply<typeof endpoints.ofStudy>> => {
  const study = await studyById(scope, studyId);
  const ofReports = await followUpsWhere(scope, (rows) =>
    rows
      .where('s.id', '=', studyId)
      .where('f.state', '<>', 'DISMISSED')
      .orderBy('f.due_to')
      .orderBy('f.id')
      .limit(mostOfStudy)
      .modifyEnd(prepared),
  );
  const ofPatient = await followUpsWhere(scope, (rows) =>
    rows
      .where('s.patient_id', '=', study.patient_id)
      .where('s.id', '<>', studyId)
      .where(isComparable(studyId))
      .where('r.status', '=', 'FINALIZED')
      .where(sql<boolean>`(f.state in ('OPEN', 'SCHEDULED') or f.matched_study_id = ${studyId})`)
      .orderBy('f.due_to')
      .orderBy('f.id')
      .limit(mostOfStudy)
      .modifyEnd(prepared),
  );
  return { ofStudy: ofReports, ofPatient };
};

/** Returns the users who may own a row. */
export const owners = async (scope: Scope, id: string): Promise<FollowUp['owner'][]> => {
  const { study_id } = await followUpById(scope, id);
  return possibleOwners(scope, study_id).execute();
};

/** Selects the active users of the tenant who may know of a study. */
export const possibleOwners = ({ db }: Scope, studyId: string) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .where('u.is_active', '=', true)
    .where(userMayKnowStudySql(studyId))
    .orderBy('u.name')
    .orderBy('u.id');
