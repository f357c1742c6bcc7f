import type { NewReportFacts } from '@radwork/contract/reading/report-rights';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { lockOf, otherReader } from './stored-lock.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { isMember, knownReports, permissionsOf, personOf } from './stored-report.ts';

/** Returns the unfinished report of a study. While there is one, no second report may be begun. */
const openReport = (scope: Scope, studyId: string) =>
  knownReports(scope)
    .innerJoin('users as author', 'author.id', 'r.author_id')
    .select(['r.id', personOf('author').as('author')])
    .where('r.study_id', '=', studyId)
    .where('r.status', '!=', 'FINALIZED')
    .executeTakeFirst();

const assignedReaders = ({ db }: Scope, studyId: string) =>
  db
    .selectFrom('study_participants as sp')
    .innerJoin('users as u', 'u.id', 'sp.user_id')
    .select('sp.user_id')
    .where('sp.study_id', '=', studyId)
    .where('sp.role', '=', 'ASSIGNEE')
    // A study may also be assigned to referring physicians, who do not write its report.
    .where('u.user_type', '!=', 'REFERRING_PHYSICIAN')
    .where('u.is_active', '=', true)
    .execute();

/** SQL condition on a study `s`, by the same facts: no reader is assigned, or the caller is. */
export const isAssignedToNoOtherReader = ({ session }: Scope): RawBuilder<boolean> => sql`(
  exists (
    select from study_participants sp
    where sp.study_id = s.id and sp.role = 'ASSIGNEE' and sp.user_id = ${session.userId})
  or not exists (
    select from study_participants sp join users u on u.id = sp.user_id
    where sp.study_id = s.id and sp.role = 'ASSIGNEE' and u.user_type <> 'REFERRING_PHYSICIAN'
      and u.is_active))`;

type NewReportState = NewReportFacts & { open: Awaited<ReturnType<typeof openReport>> };

/** Collects the facts that decide whether the caller may begin a report, and the open report that may prevent it. */
export const newReportFacts = async (scope: Scope, study: StoredStudy): Promise<NewReportState> => {
  const open = await openReport(scope, study.id);
  const readers = await assignedReaders(scope, study.id);
  const member = await scope.db.selectNoFrom(isMember(scope.session).as('is_member')).executeTakeFirstOrThrow();
  return {
    open,
    hasOpenReport: open !== undefined,
    studyStatus: study.status,
    permissions: permissionsOf(scope.session),
    isMember: member.is_member,
    isAssigned: readers.some((reader) => reader.user_id === scope.session.userId),
    hasAssignedReader: readers.length > 0,
    readBy: otherReader(await lockOf(scope, study.id), scope.session),
  };
};
