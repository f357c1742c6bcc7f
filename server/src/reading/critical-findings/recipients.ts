import type { CriticalRecipient } from '@radwork/contract/reading/critical-findings';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { userMayKnowStudySql } from '#core/access/study-access.ts';

/**
 * Lists the possible recipients of a finding: users who may know of the study, without the caller. The care team comes
 * first.
 */
export const recipientsOf = ({ db, session }: Scope, studyId: string): Promise<CriticalRecipient[]> =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .select(
      sql<boolean>`exists (select from study_participants sp
        where sp.study_id = ${studyId} and sp.user_id = u.id and sp.role in ('REFERRER', 'ORDERER'))`.as('isConcerned'),
    )
    .where('u.is_active', '=', true)
    .where(sql<boolean>`u.id::text <> ${session.userId}`)
    .where(userMayKnowStudySql(studyId))
    .orderBy('isConcerned', 'desc')
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
