import type { PreliminaryMark, PreliminaryReport } from '@radwork/contract/reading/preliminary-reports';
import { seesDrafts, seesPreliminary } from '@radwork/contract/reading/report-rights';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { personOf } from './stored-report.ts';

const preliminaryReports = ({ db }: Scope, reportId: string) =>
  db
    .selectFrom('report_versions as v')
    .innerJoin('reports as r', 'r.id', 'v.report_id')
    .innerJoin('users as actor', 'actor.id', 'v.actor_id')
    .where('v.report_id', '=', reportId)
    .where('v.action', '=', 'PRELIMINARY')
    // A text from before a move of the study is about another patient.
    .where(sql<boolean>`(r.refiled_at is null or v.created_at > r.refiled_at)`)
    .select(['v.report_id as reportId', 'v.version', 'v.content', 'v.created_at as issuedAt'])
    .select(sql<string>`coalesce(v.critical_findings_details, '')`.as('criticalFindingsDetails'))
    .select(sql<number>`(count(*) over (order by v.version))::int`.as('number'))
    .select(personOf('actor').as('issuedBy'))
    .orderBy('v.version', 'desc')
    .limit(1);

/** Returns the last preliminary report of a report. */
export const lastPreliminary = (scope: Scope, reportId: string): Promise<PreliminaryReport | undefined> =>
  preliminaryReports(scope, reportId).executeTakeFirst();

/** Whether the caller may know of preliminary reports. */
export const arePreliminaryShown = async ({ db, session }: Scope): Promise<boolean> => {
  if (seesDrafts(session.userType)) return true;
  const { shows_preliminary } = await db.selectFrom('tenants').select('shows_preliminary').executeTakeFirstOrThrow();
  return seesPreliminary(session.userType, shows_preliminary);
};

/** Returns the important change since the preliminary report; empty if the caller may not know of such reports. */
export const shownChange = async (scope: Scope, preliminaryChange: string): Promise<string> =>
  preliminaryChange !== '' && (await arePreliminaryShown(scope)) ? preliminaryChange : '';

/**
 * Returns the important change since the preliminary report for a copy in another system. Empty unless the organization
 * shows preliminary reports to referring physicians, because they read such copies too.
 */
export const changeSentOut = async ({ db }: Scope, preliminaryChange: string): Promise<string> => {
  const { shows_preliminary } = await db.selectFrom('tenants').select('shows_preliminary').executeTakeFirstOrThrow();
  return shows_preliminary ? preliminaryChange : '';
};

/** Returns who issued the last preliminary report, and when. Null if the caller may not know of it. */
export const preliminaryMarkOf = async (scope: Scope, reportId: string): Promise<PreliminaryMark | null> => {
  const last = await lastPreliminary(scope, reportId);
  if (!last || !(await arePreliminaryShown(scope))) return null;
  const { number, version, issuedBy, issuedAt } = last;
  return { number, version, issuedBy, issuedAt };
};

/**
 * Returns the preliminary report of a study for a caller who sees no drafts. Undefined if there is none, if its report is
 * signed, or if the organization does not show it. The caller must know the study.
 */
export const shownPreliminary = async (scope: Scope, studyId: string): Promise<PreliminaryReport | undefined> => {
  if (seesDrafts(scope.session.userType) || !(await arePreliminaryShown(scope))) return undefined;
  const open = await scope.db
    .selectFrom('reports')
    .select('id')
    .where('study_id', '=', studyId)
    .where('status', '<>', 'FINALIZED')
    .executeTakeFirst();
  return open && lastPreliminary(scope, open.id);
};
