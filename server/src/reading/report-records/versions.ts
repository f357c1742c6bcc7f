import type { ReportHistoryEntry } from '@radwork/contract/reading/reports';
import type { ReportAction } from '@radwork/contract/reading/report-status';
import type { ReportStatus } from '@radwork/contract/imaging/study-marks';
import { seesDrafts } from '@radwork/contract/reading/report-rights';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { hashOfContent } from './content.ts';
import { personOf } from './stored-report.ts';

type Version = {
  reportId: string;
  version: number;
  status: ReportStatus;
  action: ReportAction;
  content: string;
  has_critical_findings: boolean;
  critical_findings_details: string;
  comment?: string;
};

/** Stores text and flag of a report at one revision. This version never changes. Its number is the revision. */
export const storeVersion = async ({ db, session }: Scope, version: Version): Promise<void> => {
  await db
    .insertInto('report_versions')
    .values({
      id: newId(),
      report_id: version.reportId,
      version: version.version,
      status: version.status,
      action: version.action,
      actor_id: session.userId,
      comment: version.comment ?? '',
      content: version.content,
      content_hash: hashOfContent(version.content),
      has_critical_findings: version.has_critical_findings,
      critical_findings_details: version.critical_findings_details,
    })
    .execute();
};

const versionsOf = ({ db, session }: Scope, reportId: string) =>
  db
    .selectFrom('report_versions as v')
    .innerJoin('users as actor', 'actor.id', 'v.actor_id')
    .where('v.report_id', '=', reportId)
    // Hides drafts in the history from users who see no drafts.
    .$if(!seesDrafts(session.userType), (versions) => versions.where('v.status', '=', 'FINALIZED'))
    .select(['v.version', 'v.status', 'v.action', 'v.comment', 'v.created_at as at'])
    .select([personOf('actor').as('actor'), sql<string>`encode(v.content_hash, 'hex')`.as('contentHash')])
    .orderBy('v.version', 'desc');

/** Returns the actions on a report, newest first. */
export const historyOf = (scope: Scope, reportId: string): Promise<ReportHistoryEntry[]> =>
  versionsOf(scope, reportId).execute();

/** Returns one version with its text and flag. Throws 404 for an unknown version. */
export const versionOf = async (scope: Scope, reportId: string, version: string) => {
  const number = /^\d{1,6}$/.test(version) ? Number(version) : 0;
  const entry = await versionsOf(scope, reportId)
    .select(['v.content', 'v.has_critical_findings as hasCriticalFindings'])
    .select('v.critical_findings_details as criticalFindingsDetails')
    .where('v.version', '=', number)
    .executeTakeFirst();
  return orNotFound(entry, 'version');
};
