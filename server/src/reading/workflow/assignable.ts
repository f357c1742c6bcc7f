import type { UserType } from '@radwork/contract/core/access';
import type { Query } from '@radwork/contract/core/endpoint';
import type { AssignableUser, workflow } from '@radwork/contract/reading/workflow';
import { sql } from 'kysely';
import { isId } from '#core/values/ids.ts';
import { notFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import { containsText } from '#core/values/search-text.ts';
import { assignableTypes } from '#imaging/studies/open-assignments.ts';
import { studyById } from '#imaging/studies/study-rows.ts';

export const isAssignable = ({ active, userType }: { active: boolean; userType: UserType }): boolean =>
  active && assignableTypes.some((type) => type === userType);

/** Selects the users to whom studies can be assigned: active radiologists and referring physicians. */
export const assignableUsers = ({ db }: Scope) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name', 'u.user_type', 'u.specialization', 'u.department'])
    .where('u.is_active', '=', true)
    .where('u.user_type', 'in', assignableTypes);

/** Maximum length of the list. A search finds the other users. */
const mostShown = 100;

/** Returns the users, by name, to whom studies can be assigned, without those who have this study. */
export const assignable = async (
  scope: Scope,
  { studyId, userType, query }: Query<typeof workflow.assignable>,
): Promise<AssignableUser[]> => {
  if (studyId !== undefined) {
    if (!isId(studyId)) throw notFound('study');
    await studyById(scope, studyId);
  }
  const rows = await scope.db
    .selectFrom(
      assignableUsers(scope)
        .select(userIsWithinGroups(sql`${studyId}::uuid`).as('seesStudy'))
        .select(sql<string>`lower(concat_ws(' ', u.name, u.username, u.specialization, u.department))`.as('words'))
        .as('person'),
    )
    .selectAll()
    .where(containsText('person.words', query))
    .$if(studyId !== undefined, (people) =>
      people.where('seesStudy', '=', true).where(
        sql<boolean>`not exists (select from study_assignments a
          where a.study_id = ${studyId} and a.user_id = person.id and a.status = 'ACTIVE')`,
      ),
    )
    .$if(userType !== undefined, (people) => people.where('user_type', '=', userType ?? 'RADIOLOGIST'))
    .orderBy('name')
    .orderBy('id')
    .limit(mostShown)
    .execute();
  return rows.map(({ id, username, name, user_type, specialization, department }) => ({
    id,
    username,
    name,
    userType: user_type,
    specialization,
    department,
  }));
};
