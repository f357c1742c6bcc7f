import type { CriticalRecipient } from '@radwork/contract/critical-findings';
import { sql } from 'kysely';
import type { Scope } from '#core/scope.ts';
import { userKnows } from '#core/study-access.ts';

/**
 * Who of the tenant can be told of a finding in a study: everybody who may know of the study, but not the caller. Those
 * who treat the patient come first.
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
    .where(userKnows(studyId))
    .orderBy('isConcerned', 'desc')
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
