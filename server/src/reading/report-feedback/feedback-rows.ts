import type { ReportRow } from '@radwork/contract/reading/reports';
import type { ReportAction } from '@radwork/contract/reading/report-status';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { listedReports, personOf, toReportRow } from '#reading/report-records/stored-report.ts';

/** Returns the newest reports of the caller that a colleague has approved or signed. */
export const ownReportsEndedByOthers = async (scope: Scope, most: number): Promise<ReportRow[]> => {
  const rows = await listedReports(scope)
    .where('r.author_id', '=', scope.session.userId)
    .where('r.status', 'in', ['APPROVED', 'FINALIZED'])
    .where(
      sql<boolean>`exists (select from report_versions v where v.report_id = r.id
        and v.action in ('APPROVED', 'FINALIZED') and v.actor_id <> r.author_id)`,
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(most)
    .execute();
  return rows.map(toReportRow);
};

export type StoredEntry = {
  reportId: string;
  version: number;
  action: ReportAction;
  at: string;
  actor: ReportRow['author'];
};

/** Returns the actions on some reports, newest first. */
export const historiesOf = ({ db }: Scope, reportIds: readonly string[]): Promise<StoredEntry[]> =>
  db
    .selectFrom('report_versions as v')
    .innerJoin('users as actor', 'actor.id', 'v.actor_id')
    .where('v.report_id', 'in', reportIds)
    .select(['v.report_id as reportId', 'v.version', 'v.action', 'v.created_at as at'])
    .select(personOf('actor').as('actor'))
    .orderBy('v.version', 'desc')
    .execute();

/** SQL: the text of a version without its pictures, which are large and have no words. */
const contentWithoutPictures = sql<string>`regexp_replace(
  v.content, 'data:image/[a-z]+;base64,[A-Za-z0-9+/=]+', '', 'g')`;

/** Returns the text of some versions, without pictures. */
export const textsOf = (
  { db }: Scope,
  versions: readonly { reportId: string; version: number }[],
): Promise<{ reportId: string; version: number; content: string }[]> =>
  db
    .selectFrom('report_versions as v')
    .innerJoin(
      sql<{ report_id: string; version: number }>`(select * from unnest(
        ${versions.map(({ reportId }) => reportId)}::uuid[],
        ${versions.map(({ version }) => version)}::int[]) as wanted (report_id, version))`.as('wanted'),
      (join) => join.onRef('wanted.report_id', '=', 'v.report_id').onRef('wanted.version', '=', 'v.version'),
    )
    .select(['v.report_id as reportId', 'v.version'])
    .select(contentWithoutPictures.as('content'))
    .execute();

/** Returns the version up to which the caller has read the feedback, by report ID. */
export const readVersions = async (
  { db, session }: Scope,
  reportIds: readonly string[],
): Promise<Map<string, number>> => {
  const reads = await db
    .selectFrom('report_feedback_reads')
    .select(['report_id', 'version'])
    .where('user_id', '=', session.userId)
    .where('report_id', 'in', reportIds)
    .execute();
  return new Map(reads.map(({ report_id, version }) => [report_id, version]));
};

/** Stores up to which version the caller has read the feedback on a report. Undefined: the caller has not read it. */
export const storeRead = async (
  { db, session }: Scope,
  reportId: string,
  version: number | undefined,
): Promise<void> => {
  if (version === undefined) {
    await db
      .deleteFrom('report_feedback_reads')
      .where('user_id', '=', session.userId)
      .where('report_id', '=', reportId)
      .execute();
    return;
  }
  await db
    .insertInto('report_feedback_reads')
    .values({ user_id: session.userId, report_id: reportId, version })
    .onConflict((known) =>
      known.columns(['tenant_id', 'user_id', 'report_id']).doUpdateSet({ version, read_at: sql`now()` }),
    )
    .execute();
};
