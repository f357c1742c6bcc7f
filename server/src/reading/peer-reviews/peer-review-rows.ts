import type { PeerGrade, PeerReview } from '@radwork/contract/reading/peer-reviews';
import { displayName } from '@radwork/dicom/person-name';
import { type RawBuilder, sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import { hasPermission, type Scope, type Session } from '#core/access/scope.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { knownReports, personOf } from '#reading/report-records/stored-report.ts';

type Person = NonNullable<PeerReview['author']>;

/** SQL condition: a user wrote, approved or signed a report `r`, or signed an addendum to it. */
export const isOwnReport = (userId: RawBuilder<unknown>): RawBuilder<boolean> => sql`(
  r.author_id = ${userId} or r.reviewer_id is not distinct from ${userId} or r.finalized_by = ${userId}
  or exists (select from report_addenda own
    where own.report_id = r.id and own.author_id = ${userId} and own.finalized_at is not null))`;

/** SQL: the id of the caller as a UUID. Null for a session without a user. */
export const callerId = ({ userId }: Session): RawBuilder<string> => sql`nullif(${userId}, '')::uuid`;

/** SQL condition: the caller wrote or signed a report `r`, and so receives its reviews. */
export const isAuthor = (session: Session): RawBuilder<boolean> =>
  sql`(r.author_id = ${callerId(session)} or r.finalized_by = ${callerId(session)})`;

/**
 * Selects the reviews of which the caller is the reviewer, and scored reviews of own reports. The author does not learn
 * of a review before it is scored.
 */
export const ownReviews = (scope: Scope) =>
  knownReports(scope)
    .innerJoin('peer_reviews as p', 'p.report_id', 'r.id')
    .where(
      sql<boolean>`(p.reviewer_id = ${callerId(scope.session)} or (p.state = 'SCORED' and ${isAuthor(scope.session)}))`,
    );

export const countReviews = async (scope: Scope, condition: RawBuilder<boolean>): Promise<number> => {
  const { total } = await ownReviews(scope)
    .where(condition)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
};

const wholeReviews = (scope: Scope) =>
  ownReviews(scope)
    .innerJoin('users as author', (join) => join.on(sql<boolean>`author.id = coalesce(r.finalized_by, r.author_id)`))
    .innerJoin('users as reviewer', 'reviewer.id', 'p.reviewer_id')
    .select([
      'p.id',
      'p.report_id',
      'p.reviewer_id',
      'p.origin',
      'p.state',
      'p.grade',
      'p.grade_label',
      'p.is_significant',
      'p.comment',
      'p.scored_at',
      'p.reply',
      'p.replied_at',
      'p.passed_by',
      'p.created_at',
      'r.author_id',
      'r.finalized_by',
      's.id as study_id',
      's.patient_id',
      's.patient_name',
      's.patient_identifier',
      's.modality',
      's.study_date',
      's.is_study_time_known',
    ])
    .select([
      sql<string>`case when s.description <> '' then s.description else s.study_description end`.as(
        'study_description',
      ),
      personOf<Person>('author').as('author'),
      personOf<Person>('reviewer').as('reviewer'),
      sql<boolean>`coalesce((select hides_author from peer_review_settings), true)`.as('hides_author'),
      sql<boolean>`coalesce((select hides_reviewer from peer_review_settings), true)`.as('hides_reviewer'),
    ]);

export type StoredReview = Awaited<ReturnType<ReturnType<typeof wholeReviews>['execute']>>[number];

/** Returns the reviews that a condition selects, in an order. */
export const reviewsWhere = async (
  scope: Scope,
  limited: (query: ReturnType<typeof wholeReviews>) => ReturnType<typeof wholeReviews>,
): Promise<PeerReview[]> => {
  const rows = await limited(wholeReviews(scope)).execute();
  return rows.map((row) => toPeerReview(row, scope.session));
};

/** Returns the review with this id. Throws 404 when it is not one of the caller. */
export const reviewById = async (scope: Scope, id: string): Promise<StoredReview> =>
  orNotFound(await wholeReviews(scope).where('p.id', '=', id).executeTakeFirst(), 'peer review');

/** Like `reviewById`, and locks the review until the transaction ends. */
export const reviewToChange = async (scope: Scope, id: string): Promise<StoredReview> => {
  await scope.db.selectFrom('peer_reviews').select('id').where('id', '=', id).forNoKeyUpdate().execute();
  return reviewById(scope, id);
};

/** Converts a review for the caller. This is the only place that shows names, so it leaves out the hidden ones. */
export const toPeerReview = (row: StoredReview, session: Session): PeerReview => {
  const isReviewer = row.reviewer_id === session.userId;
  const isMember = session.homeTenantId === undefined;
  return {
    id: row.id,
    origin: row.origin,
    state: row.state,
    isReviewer,
    author: isReviewer && row.hides_author ? null : row.author,
    reviewer: !isReviewer && row.hides_reviewer ? null : row.reviewer,
    reportId: row.report_id,
    studyId: row.study_id,
    modality: row.modality,
    studyDescription: row.study_description,
    studyDate: localStudyTime(row),
    patientName: displayName(row.patient_name),
    patientId: row.patient_identifier,
    grade: row.grade as PeerGrade | null,
    gradeLabel: row.grade_label,
    isSignificant: row.is_significant,
    comment: row.comment,
    scoredAt: row.scored_at,
    reply: row.reply,
    repliedAt: row.replied_at,
    createdDate: row.created_at,
    canScore: isReviewer && isMember && row.replied_at === null && hasPermission(session, 'report.review'),
    canReply: !isReviewer && isMember && row.state === 'SCORED',
  };
};
