import { t } from '@radwork/contract/core/translate';
import type { StudyGroup } from '@radwork/contract/imaging/study-groups';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { auditStudy } from '#core/audit/audit.ts';
import { invalid } from '#core/http/problem.ts';
import { announce } from '#core/live/announce.ts';
import { studyById, studyToChange } from '#imaging/studies/study-rows.ts';

/** Returns the groups of a study by name. Throws 404 when the study is not visible. */
export const list = async (scope: Scope, studyId: string): Promise<StudyGroup[]> => {
  const { group_ids } = await studyById(scope, studyId);
  return groupsNamed(scope, group_ids);
};

/**
 * Replaces the groups of a study. Throws 404 when the study is not visible. Throws 422 for an unknown group, and when a
 * limited caller would lose sight of the study.
 */
export const replace = async (scope: Scope, studyId: string, groupIds: readonly string[]): Promise<StudyGroup[]> => {
  const study = await studyToChange(scope, studyId);
  const groups = await groupsNamed(scope, groupIds);
  if (groups.length < new Set(groupIds).size) throw invalid({ groupIds: t`Choose groups of this organization` });
  const { studyGroups: own } = scope.session;
  if (own !== null && !groups.some(({ id }) => own.includes(id))) {
    throw invalid({ groupIds: t`Choose at least one of your groups. You could not see the study otherwise.` });
  }
  const before = await groupsNamed(scope, study.group_ids);
  const ids = groups.map(({ id }) => id).toSorted();
  await scope.db
    .updateTable('studies')
    .set({ group_ids: ids, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .execute();
  await auditStudy(scope, 'study.setGroups', study, { before: namesOf(before), after: namesOf(groups) });
  await announce(scope, { kind: 'study', studyId });
  const left = before.flatMap(({ id }) => (ids.includes(id) ? [] : id));
  await announceLoss(scope, left);
  return groups;
};

/** Limited members of these groups get no event about the study any more, so their browsers reload everything. */
const announceLoss = async (scope: Scope, groupIds: readonly string[]): Promise<void> => {
  if (groupIds.length === 0) return;
  const rows = await scope.db
    .selectFrom('group_members as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.id')
    .distinct()
    .where('m.group_id', 'in', groupIds)
    .where('u.sees_own_groups_only', '=', true)
    .execute();
  if (rows.length > 0)
    await announce(
      scope,
      { kind: 'everything' },
      rows.map(({ id }) => id),
    );
};

const groupsNamed = async ({ db }: Scope, ids: readonly string[]): Promise<StudyGroup[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('groups')
        .select(['id', 'name'])
        .where('id', 'in', [...new Set(ids)])
        .orderBy(sql`lower(name)`)
        .execute();

const namesOf = (groups: readonly StudyGroup[]): string => groups.map(({ name }) => name).join(', ');
