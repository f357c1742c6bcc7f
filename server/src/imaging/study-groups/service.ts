import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { GroupsOfStudy, StudyGroup, studyGroups } from '@radwork/contract/imaging/study-groups';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import { anyOf } from '#core/values/any-of.ts';
import { studyChanged } from '#imaging/studies/study-changes.ts';
import { studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { announceLostGroups, assigneesWithoutSight } from './lost-sight.ts';
import { auditGroups, groupsNamed } from './named-groups.ts';

/** Returns the groups of a study by name. Throws 404 when the study is not visible. */
export const list = async (scope: Scope, studyId: string): Promise<GroupsOfStudy> => {
  const { group_ids, revision } = await studyById(scope, studyId);
  return { revision, groups: await groupsNamed(scope, group_ids) };
};

/**
 * Replaces the groups of a study. Throws 404 when the study is not visible. Throws 409 for an outdated revision, and
 * for a removed group to which the study is assigned. Also throws 409 when an assignee would lose sight of the study.
 * Throws 422 for an unknown group, and when a limited caller changes other groups or would lose sight of the study.
 */
export const replace = async (
  scope: Scope,
  studyId: string,
  { revision, groupIds }: Body<typeof studyGroups.replace>,
): Promise<GroupsOfStudy> => {
  const study = await studyToChange(scope, studyId);
  if (study.revision !== revision) throw studyChanged(`at revision ${study.revision}`);
  const groups = await groupsNamed(scope, groupIds);
  if (groups.length < new Set(groupIds).size) throw invalid({ groupIds: t`Choose groups of this organization` });
  const before = await groupsNamed(scope, study.group_ids);
  refuseOtherGroups(scope, before, groups);
  const ids = groups.map(({ id }) => id).toSorted();
  const left = before.flatMap(({ id }) => (ids.includes(id) ? [] : id));
  await refuseAssignedGroups(scope, studyId, left);
  await scope.db
    .updateTable('studies')
    .set({ group_ids: ids, revision: revision + 1, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .execute();
  await refuseLostAssignees(scope, studyId);
  await auditGroups(scope, study, { before, after: groups });
  await announce(scope, { kind: 'study', studyId });
  await announceLostGroups(scope, left);
  return { revision: revision + 1, groups };
};

/** Throws 422 when a limited caller leaves no own group, or adds or removes a group of others. */
const refuseOtherGroups = ({ session }: Scope, before: readonly StudyGroup[], after: readonly StudyGroup[]): void => {
  const { studyGroups: own } = session;
  if (own === null) return;
  if (!after.some(({ id }) => own.includes(id))) {
    throw invalid({ groupIds: t`Choose at least one of your groups. You could not see the study otherwise.` });
  }
  const has = (groups: readonly StudyGroup[], id: string) => groups.some((group) => group.id === id);
  const changed = [...before, ...after].filter(({ id }) => !has(before, id) || !has(after, id));
  if (changed.some(({ id }) => !own.includes(id))) {
    throw invalid({ groupIds: t`You can add and remove only your own groups` });
  }
};

/** Throws 409 when the study is assigned to one of these groups. */
const refuseAssignedGroups = async ({ db }: Scope, studyId: string, groupIds: readonly string[]): Promise<void> => {
  const assigned = await db
    .selectFrom('group_assignments as a')
    .innerJoin('groups as g', 'g.id', 'a.group_id')
    .select('g.name')
    .where('a.study_id', '=', studyId)
    .where('a.status', '=', 'ACTIVE')
    .where('a.group_id', '=', anyOf(groupIds))
    .orderBy(sql`lower(g.name)`)
    .execute();
  if (assigned.length === 0) return;
  const names = assigned.map(({ name }) => name).join(', ');
  throw conflict('study.group_assigned', t`The study is assigned to ${names}. Remove this assignment first.`);
};

/** Throws 409 when the new groups hide the study from an assignee. No reader would see it, but it would stay assigned. */
const refuseLostAssignees = async (scope: Scope, studyId: string): Promise<void> => {
  const lost = await assigneesWithoutSight(scope, studyId);
  if (lost.length === 0) return;
  const names = lost.join(', ');
  throw conflict(
    'study.assignee_lost',
    t`The study is assigned to ${names}, who would not see it. Remove this assignment first.`,
  );
};
