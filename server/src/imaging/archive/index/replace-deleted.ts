import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';
import { type Candidate, isRefusal } from '#imaging/archive/store/ingest-file.ts';
import { bytesOf } from '#imaging/archive/upkeep/remove-unused.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import { purgeEarly } from '#imaging/archive/upkeep/purge-early.ts';
import { readAndPlanBatch } from './index-batch.ts';
import { joinOrders, planWithOrders } from './join-orders.ts';
import type { Plan, Terms } from './plan-batch.ts';

/** A deleted study that may be replaced, and the corrected files of the batch, by index. */
type Replaceable = { id: string; patient_id: string; allowed_by: string; files: number[] };

/** A plan, and the hashes of instances that were purged for it. */
type ReplacementPlan = { plan: Plan; purged: string[] };

/**
 * Plans a batch like `planWithOrders`. First purges the deleted studies that an administrator lets the batch replace.
 * A deleted study stays when none of its corrected files is accepted, because the transaction returns to the time
 * before the purge. Uploaders who see only their own studies replace nothing.
 */
export const planWithReplacements = async (
  scope: Scope,
  candidates: readonly Candidate[],
  terms: Terms,
): Promise<ReplacementPlan> => {
  // The plan only reads, and is made again after a purge.
  const withoutPurge = await readAndPlanBatch(scope, candidates, terms);
  const isAllowed = withoutPurge.mayReplace && !isLimitedToOwnStudies(scope.session);
  if (!isAllowed) return { plan: await joinOrders(scope, candidates, terms, withoutPurge), purged: [] };
  let studies = await withRejected(scope, () => replaceableStudies(scope, candidates));
  while (studies.length > 0) {
    await sql`savepoint replacement`.execute(scope.db);
    const purged = await purgeAll(scope, studies);
    const plan = await planWithOrders(scope, candidates, terms);
    const accepted = studies.filter(({ files }) => files.some((file) => !isRefusal(plan.outcomes[file] ?? {})));
    if (accepted.length === studies.length) return { plan, purged };
    await sql`rollback to savepoint replacement`.execute(scope.db);
    studies = accepted;
  }
  return { plan: await planWithOrders(scope, candidates, terms), purged: [] };
};

const purgeAll = async (scope: Scope, studies: readonly Replaceable[]): Promise<string[]> => {
  const hashes: string[] = [];
  for (const study of studies) {
    hashes.push(...((await purgeEarly(scope, study, 'study.replace', { allowedBy: study.allowed_by })) ?? []));
  }
  return hashes;
};

/**
 * Returns the deleted studies that share a UID with a file of the batch. A file that the study already contains is no
 * correction of it.
 */
const replaceableStudies = async ({ db }: Scope, candidates: readonly Candidate[]): Promise<Replaceable[]> => {
  const uids = (key: 'studyInstanceUID' | 'seriesInstanceUID' | 'sopInstanceUID') =>
    candidates.map((candidate) => candidate[key]);
  const { rows } = await sql<Replaceable>`
    select s.id, s.patient_id, e.requested_by_name as allowed_by,
           array_agg((c.place - 1)::int order by c.place) as files
    from early_purges e
    join studies s on s.id = e.study_id
    cross join unnest(
      ${uids('studyInstanceUID')}::text[], ${uids('seriesInstanceUID')}::text[], ${uids('sopInstanceUID')}::text[],
      ${bytesOf(candidates.map(({ sha256 }) => sha256))}::bytea[])
      with ordinality as c (study_uid, series_uid, sop_uid, sha256, place)
    where e.kind = 'REPLACE' and s.deleted_at is not null
      and (s.study_instance_uid = c.study_uid
        or exists (select from series x where x.study_id = s.id and x.series_instance_uid = c.series_uid)
        or exists (select from instances i where i.study_id = s.id and i.sop_instance_uid = c.sop_uid))
      and not exists (select from instances i where i.study_id = s.id and i.sha256 = c.sha256)
    group by s.id, s.patient_id, e.requested_by_name
    order by s.id`.execute(db);
  return rows;
};

/** Counts the files that were refused because their study is in the recycle bin, so that administrators see them. */
export const noteRefusedArrivals = async ({ db }: Scope, { deletedStudies }: Plan): Promise<void> => {
  if (deletedStudies.length === 0) return;
  await sql`
    insert into refused_arrivals (study_id, files)
    select s.id, n.files
    from (select study_id, count(*) as files from unnest(${deletedStudies}::uuid[]) study_id group by study_id) n
    join studies s on s.id = n.study_id
    order by s.id
    for key share of s
    on conflict (tenant_id, study_id)
    do update set files = refused_arrivals.files + excluded.files, last_at = now()`.execute(db);
};
