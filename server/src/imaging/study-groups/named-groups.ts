import type { StudyGroup } from '@radwork/contract/imaging/study-groups';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { auditStudy } from '#core/audit/audit.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';

/** Returns the groups with these ids, by name. Deleted groups are missing. */
export const groupsNamed = async ({ db }: Scope, ids: readonly string[]): Promise<StudyGroup[]> =>
  ids.length === 0
    ? []
    : db
        .selectFrom('groups')
        .select(['id', 'name'])
        .where('id', 'in', [...new Set(ids)])
        .orderBy(sql`lower(name)`)
        .execute();

const namesOf = (groups: readonly StudyGroup[]): string => groups.map(({ name }) => name).join(', ');

/** Writes to the audit log which groups a study had, and which it has now: who can see it. */
export const auditGroups = (
  scope: Scope,
  study: StoredStudy,
  { before, after }: { before: readonly StudyGroup[]; after: readonly StudyGroup[] },
): Promise<void> => auditStudy(scope, 'study.setGroups', study, { before: namesOf(before), after: namesOf(after) });
