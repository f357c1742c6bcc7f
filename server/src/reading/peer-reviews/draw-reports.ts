import { sentence } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { userMayKnowStudySql } from '#core/access/study-access.ts';
import { newId } from '#core/values/ids.ts';
import { isOwnReport } from './peer-review-rows.ts';

/**
 * Chooses signed reports for peer review in all tenants that want it, and gives open reviews of inactive reviewers to
 * others. One of several servers works on a tenant at a time.
 */
export const drawReports = async (scopes: Scopes, onError: (error: unknown) => void): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_peer_reviews_to_do() id`.execute(db),
  );
  // An error in one tenant does not delay other tenants.
  for (const { id } of tenants) await scopes.inTenant(systemSession(id), drawInTenant).catch(onError);
};

type Drawn = { id: string; study_id: string; patient_id: string };

/**
 * Draws reports for each reader: of this month the share rounded down, of the last month the share rounded up. Rounding
 * down until the month ends keeps the first reports of a month from being drawn more often than others.
 */
const drawInTenant = async (scope: Scope): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtext('peer-reviews'), ${scope.session.tenantId})`.execute(scope.db);
  await reassignAbandoned(scope);
  const { rows } = await sql<Drawn>`
    with months as (
      select date_trunc('month', now() at time zone time_zone) as this_month, time_zone from tenants),
    signed as (
      select r.id, r.study_id, s.patient_id, r.finalized_by as reader,
        date_trunc('month', r.finalized_at at time zone m.time_zone) as month, m.this_month,
        exists (select from peer_reviews p where p.report_id = r.id and p.origin = 'RANDOM') as is_drawn
      from months m, reports r join studies s on s.id = r.study_id
      where r.status = 'FINALIZED' and s.deleted_at is null
        and r.finalized_at >= (m.this_month - interval '1 month') at time zone m.time_zone),
    wanted as (
      select reader, month, case when month = this_month
          then floor(count(*) * percent / 100.0) else ceil(count(*) * percent / 100.0) end
        - count(*) filter (where is_drawn) as missing
      from signed, peer_review_settings group by reader, month, this_month, percent),
    shuffled as (
      select signed.*, row_number() over (partition by reader, month order by random()) as place
      from signed where not is_drawn)
    select shuffled.id, shuffled.study_id, shuffled.patient_id
    from shuffled join wanted using (reader, month)
    where shuffled.place <= wanted.missing`.execute(scope.db);
  for (const report of rows) await drawReport(scope, report);
};

const drawReport = async (scope: Scope, report: Drawn): Promise<void> => {
  const reviewerId = await nextReviewer(scope, { report_id: report.id, study_id: report.study_id }, []);
  // Without a reviewer, another report of the reader may be drawn next time.
  if (reviewerId === undefined) return;
  const id = newId();
  await scope.db
    .insertInto('peer_reviews')
    .values({ id, report_id: report.id, reviewer_id: reviewerId, origin: 'RANDOM' })
    .execute();
  await audit(scope, 'peer_review.draw', {
    entity: 'peer_review',
    entityId: id,
    studyId: report.study_id,
    patientId: report.patient_id,
  });
  await requestPeerReview(scope, { id, study_id: report.study_id }, reviewerId);
};

type ReviewedReport = { report_id: string; study_id: string };

/**
 * Returns a reviewer for a report: an active reader who may review, may know of the study and has no part in the report.
 * Among the readers with the fewest open reviews, chance decides. Undefined when there is none.
 */
export const nextReviewer = async (
  { db }: Scope,
  { report_id, study_id }: ReviewedReport,
  except: readonly string[],
): Promise<string | undefined> => {
  const reviewer = await db
    .selectFrom('users as u')
    .innerJoin('reports as r', (join) => join.on('r.id', '=', report_id))
    .select('u.id')
    .where('u.is_active', '=', true)
    .where('u.user_type', '=', 'RADIOLOGIST')
    .where('u.id', '<>', sql<string>`all(${except}::uuid[])`)
    .where(sql<boolean>`not ${isOwnReport(sql.ref('u.id'))}`)
    .where(userMayKnowStudySql(study_id))
    .where(
      sql<boolean>`exists (select from user_roles ur join roles ro on ro.id = ur.role_id
        where ur.user_id = u.id and 'report.review' = any (ro.permissions))`,
    )
    .where(
      sql<boolean>`not exists (select from peer_reviews known
        where known.report_id = r.id and known.reviewer_id = u.id)`,
    )
    .orderBy(
      sql`(select count(*) from peer_reviews waiting where waiting.reviewer_id = u.id and waiting.state = 'OPEN')`,
    )
    .orderBy(sql`random()`)
    .limit(1)
    .executeTakeFirst();
  return reviewer?.id;
};

/** Notifies a reviewer. The notification names neither author nor patient. */
export const requestPeerReview = async (
  scope: Scope,
  { id, study_id }: { id: string; study_id: string },
  reviewerId: string,
): Promise<void> => {
  await notify(scope, {
    to: [reviewerId],
    type: 'REVIEW_REQUEST',
    title: sentence`A signed report waits for your peer review`,
    ...(await aboutStudy(scope, study_id)),
    link: `/peer-reviews?reviewId=${id}`,
  });
};

type Abandoned = { id: string; report_id: string; study_id: string; patient_id: string; reviewer_id: string };

/** Gives the open reviews of users who can no longer review to others. */
const reassignAbandoned = async (scope: Scope): Promise<void> => {
  const { rows } = await sql<Abandoned>`
    select p.id, p.report_id, r.study_id, s.patient_id, p.reviewer_id
    from peer_reviews p join reports r on r.id = p.report_id join studies s on s.id = r.study_id
    join users u on u.id = p.reviewer_id
    where p.state = 'OPEN' and s.deleted_at is null and (not u.is_active or u.user_type <> 'RADIOLOGIST')
    order by p.id limit 100 for no key update of p`.execute(scope.db);
  for (const review of rows) {
    const next = await nextReviewer(scope, review, [review.reviewer_id]);
    if (next === undefined) continue;
    await scope.db.updateTable('peer_reviews').set({ reviewer_id: next }).where('id', '=', review.id).execute();
    // Names no reviewer, because the author can read this entry after the review.
    await audit(scope, 'peer_review.reassign', {
      entity: 'peer_review',
      entityId: review.id,
      studyId: review.study_id,
      patientId: review.patient_id,
    });
    await requestPeerReview(scope, review, next);
  }
};
