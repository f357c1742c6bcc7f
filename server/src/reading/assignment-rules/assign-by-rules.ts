import { clockIn } from '@radwork/contract/imaging/arrival-conditions';
import { mostDaysBeforeArrival } from '@radwork/contract/reading/assignment-rules';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { announce } from '#core/live/announce.ts';
import { announceAgain } from '#imaging/study-arrivals/announce-again.ts';
import { lockOf } from '#reading/report-records/stored-lock.ts';
import { assignQuietly, holdPeople, notifyAssignees, peopleToAssign, refuseUnseen } from '#reading/workflow/assign.ts';
import { holdGroups, membersOf, notifyMembers, refuseUnknownGroups } from '#reading/workflow/group-assignments.ts';
import { evaluate, type Outcome } from './evaluate.ts';
import { studiesToJudge, type StudyToJudge } from './judged-studies.ts';
import { candidatesOf, hasActiveRule, noteTurn, rulesInOrder, type StoredRule } from './rule-rows.ts';

/**
 * Assigns an arriving study by the first rule that matches it and finds an assignee. Leaves a study that has or had an
 * assignment by a user, and a study with a report. A study that is being read is judged later, and so is one whose readers
 * all have their maximum. Throws when users or rules change at the same moment; the study then arrives again. Needs the
 * session of the server.
 */
export const assignByRules = async (scope: Scope, studyId: string): Promise<void> => {
  if (!(await hasActiveRule(scope))) return;
  const planned = await judge(scope, studyId);
  if (planned === 'LATER') return announceAgain(scope, studyId);
  if (planned === 'NEVER') return;
  // Users and groups are locked before studies, as in assign.ts.
  if (planned.choice.kind === 'GROUP') await holdGroups(scope, [planned.choice.id]);
  else await holdPeople(scope, [planned.choice.id]);
  await scope.db.selectFrom('studies').select('id').where('id', '=', studyId).forNoKeyUpdate().execute();
  const decided = await judge(scope, studyId);
  if (decided === 'LATER') return announceAgain(scope, studyId);
  if (decided === 'NEVER') return;
  if (decided.rule.id !== planned.rule.id || decided.choice.id !== planned.choice.id) {
    throw new Error('Users or rules changed while a study was assigned');
  }
  await assignTo(scope, decided);
};

type Decision = { study: StudyToJudge; rule: StoredRule; choice: NonNullable<Outcome['choice']> };

/** Hours after its arrival, or after it lost its reader, for which a study waits for a reader. */
const longestWaitHours = 24;

/** Returns what the rules do with a study now, or whether they should judge it later or never. */
const judge = async (scope: Scope, studyId: string): Promise<Decision | 'LATER' | 'NEVER'> => {
  const [study] = await studiesToJudge(scope, sql`s.id = ${studyId} and ${mayBeAssigned}`, 1);
  if (!study) return 'NEVER';
  const now = new Date();
  const since = Math.max(Date.parse(study.arrivedAt), await lastLossOf(scope, studyId));
  const mayWait = now.getTime() - since < longestWaitHours * 3_600_000;
  const otherwise = mayWait ? 'LATER' : 'NEVER';
  if (await lockOf(scope, studyId)) return otherwise;
  const rules = await rulesInOrder(scope);
  const moment = clockIn(await timeZoneOf(scope))(now);
  const { choice, passed } = evaluate(rules, await candidatesOf(scope, rules), { study, moment });
  const rule = choice && rules[choice.rule];
  if (rule) return { study, rule, choice };
  return passed.some(({ cause }) => cause === 'FULL') ? otherwise : 'NEVER';
};

/**
 * SQL condition on a row "s" of studies. Rules respect every assignment that a user made or removed. An assignment by a
 * rule does not count after its reader has left. A study that arrived long ago qualifies only if it lost such a reader:
 * otherwise a deleted group or corrected headers would assign all open studies of past years.
 */
const mayBeAssigned = sql<boolean>`(
  s.status = 'PENDING' and s.active_assignments = 0
  and (s.created_at > now() - make_interval(days => ${mostDaysBeforeArrival}::int)
    or exists (select from study_assignments a where a.study_id = s.id and a.is_lost))
  and not exists (select from study_assignments a
    where a.study_id = s.id and not (a.assigned_by is null and a.is_lost))
  and not exists (select from group_assignments a where a.study_id = s.id)
  and not exists (select from reports r where r.study_id = s.id))`;

/** Returns when a study last lost the reader whom a rule had chosen, in milliseconds since 1970. 0 if never. */
const lastLossOf = async ({ db }: Scope, studyId: string): Promise<number> => {
  const lost = await db
    .selectFrom('study_assignments')
    .select('ended_at')
    .where('study_id', '=', studyId)
    .where('is_lost', '=', true)
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return lost?.ended_at ? new Date(lost.ended_at).getTime() : 0;
};

export const timeZoneOf = async ({ db, session }: Scope): Promise<string> => {
  const { time_zone } = await db
    .selectFrom('tenants')
    .select('time_zone')
    .where('id', '=', session.tenantId)
    .executeTakeFirstOrThrow();
  return time_zone;
};

const terms = { dueDate: null, notes: '' };

const assignTo = async (scope: Scope, { study, rule, choice }: Decision): Promise<void> => {
  const stored = { id: study.id, patient_id: study.patientId };
  if (choice.kind === 'GROUP') {
    const groups = await holdGroups(scope, [choice.id]);
    refuseUnknownGroups([choice.id], groups);
    await assignQuietly(scope, stored, { people: [], groups }, terms, { rule });
    await announce(scope, { kind: 'study', studyId: study.id });
    return notifyMembers(scope, await membersOf(scope, [choice.id]), [study.id]);
  }
  const people = await peopleToAssign(scope, [choice.id]);
  await refuseUnseen(scope, study.id, people, []);
  await assignQuietly(scope, stored, { people, groups: [] }, terms, { rule });
  await noteTurn(scope, rule.id, choice.id);
  await announce(scope, { kind: 'study', studyId: study.id });
  return notifyAssignees(scope, people, [study.id]);
};
