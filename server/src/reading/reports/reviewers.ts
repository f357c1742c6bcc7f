import type { ReportRow } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';
import type { StoredReport } from '#reading/report-records/stored-report.ts';

/** Lists possible reviewers of a report: active radiologists who see the study and may review, except its author. */
export const reviewersOf = ({ db }: Scope, report: StoredReport): Promise<ReportRow['author'][]> =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .where('u.user_type', '=', 'RADIOLOGIST')
    .where('u.is_active', '=', true)
    .where('u.id', '!=', report.author_id)
    .where(userIsWithinGroups(sql`${report.study_id}::uuid`))
    .where(
      sql<boolean>`exists (select from user_roles ur join roles ro on ro.id = ur.role_id
        where ur.user_id = u.id and 'report.review' = any (ro.permissions))`,
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .execute();
