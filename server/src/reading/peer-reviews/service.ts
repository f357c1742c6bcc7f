import { sentence, t } from '@radwork/contract/core/translate';
import { membersOnly } from '@radwork/contract/core/access';
import type { Body, Query, Reply } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type { PeerReview, peerReviews as endpoints, WholePeerReview } from '@radwork/contract/reading/peer-reviews';
import type { PeerReviewView } from '@radwork/contract/reading/peer-review-views';
import { type RawBuilder, sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { conflict, forbidden } from '#core/http/problem.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { reportById } from '#reading/report-records/stored-report.ts';
import { signedParts } from '#reading/report-records/signed-parts.ts';
import { nextReviewer, requestPeerReview } from './draw-reports.ts';
import {
  callerId,
  countReviews,
  isOwnReport,
  ownReviews,
  reviewById,
  reviewsWhere,
  reviewToChange,
  type StoredReview,
  toPeerReview,
} from './peer-review-rows.ts';
import { readSettings } from './settings.ts';

const isInView = (session: Session, view: PeerReviewView): RawBuilder<boolean> => {
  const isMine = sql<boolean>`p.reviewer_id = ${callerId(session)}`;
  if (view === 'RECEIVED') return sql`not (${isMine})`;
  return sql`(${isMine} and p.state = ${view === 'TO_DO' ? 'OPEN' : 'SCORED'})`;
};

/** SQL: the order of a view. Reviews to score begin with the one that waits longest. */
const orderOf = (view: PeerReviewView): RawBuilder<unknown> =>
  view === 'TO_DO'
    ? sql`coalesce(p.scored_at, p.created_at), p.id`
    : sql`coalesce(p.scored_at, p.created_at) desc, p.id`;

/** Returns the first ids of a view, in its order. */
export const listedIds = async (scope: Scope, view: PeerReviewView, most: number): Promise<string[]> => {
  const rows = await ownReviews(scope)
    .select('p.id')
    .where(isInView(scope.session, view))
    .orderBy(orderOf(view))
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
};

/** Returns one page of the caller's reviews: to score, scored, or received. The latest come first. */
export const list = async (
  scope: Scope,
  query: Query<typeof endpoints.list>,
): Promise<Reply<typeof endpoints.list>> => {
  const { view, page, size } = query;
  const condition = isInView(scope.session, view);
  const total = await countReviews(scope, condition);
  const content = await reviewsWhere(scope, (rows) =>
    rows
      .where(condition)
      .orderBy(orderOf(view))
      .limit(size)
      .offset(page * size),
  );
  const toDo = view === 'TO_DO' ? total : await countReviews(scope, isInView(scope.session, 'TO_DO'));
  return { ...pageOf(content, total, query), toDo };
};

/** Returns a review with the signed text of its report, without signers. */
export const get = async (scope: Scope, id: string): Promise<WholePeerReview> => {
  const row = await reviewById(scope, id);
  const parts = await signedParts(scope, row.report_id);
  return {
    ...toPeerReview(row, scope.session),
    parts: parts.map(({ number, kind, passage, content }) => ({ number, kind, passage, content })),
    grades: (await readSettings(scope)).grades,
  };
};

/** Reviews a report that the caller has chosen. Throws 403 for an own report, and 409 when it is reviewed or not signed. */
export const choose = async (
  scope: Scope,
  reportId: string,
  form: Body<typeof endpoints.choose>,
): Promise<PeerReview> => {
  assertMember(scope.session);
  const report = await reportById(scope, reportId);
  if (report.status !== 'FINALIZED') throw conflict('peer_review.unsigned', t`The report is not signed yet`);
  await refuseOwn(scope, reportId);
  const id = newId();
  const added = await scope.db
    .insertInto('peer_reviews')
    .values({
      id,
      report_id: reportId,
      reviewer_id: scope.session.userId,
      origin: 'CHOSEN',
      ...(await scoreOf(scope, form)),
    })
    .onConflict((known) => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) throw conflict('peer_review.known', t`You already review this report. Open it in your peer reviews.`);
  const row = await reviewById(scope, id);
  await noteAct(scope, row, 'peer_review.choose', { grade: form.grade });
  await notifyAuthors(scope, row);
  return toPeerReview(row, scope.session);
};

const assertMember = (session: Session): void => {
  if (session.homeTenantId !== undefined) throw forbidden(membersOnly());
};

const refuseOwn = async ({ db, session }: Scope, reportId: string): Promise<void> => {
  const own = await db
    .selectFrom('reports as r')
    .select('r.id')
    .where('r.id', '=', reportId)
    .where(isOwnReport(callerId(session)))
    .executeTakeFirst();
  if (own) throw forbidden(t`You cannot review a report that you wrote, approved or signed`);
};

const scoreOf = async (scope: Scope, { grade, isSignificant, comment }: Body<typeof endpoints.score>) => ({
  state: 'SCORED' as const,
  grade,
  grade_label: (await readSettings(scope)).grades[grade - 1] ?? '',
  is_significant: isSignificant,
  comment,
  scored_at: sql<string>`now()`,
});

/** Scores a review. The reviewer can change the score until the author has replied. Throws 409 then. */
export const score = async (scope: Scope, id: string, form: Body<typeof endpoints.score>): Promise<PeerReview> => {
  assertMember(scope.session);
  const before = await reviewToReview(scope, id);
  if (before.replied_at !== null) throw conflict('peer_review.replied', t`The author has replied to this review`);
  await refuseOwn(scope, before.report_id);
  await scope.db
    .updateTable('peer_reviews')
    .set(await scoreOf(scope, form))
    .where('id', '=', id)
    .execute();
  const row = await reviewById(scope, id);
  await noteAct(scope, row, 'peer_review.score', { grade: form.grade });
  if (before.state === 'OPEN') await notifyAuthors(scope, row);
  return toPeerReview(row, scope.session);
};

/** Locks a review of which the caller is the reviewer. Throws 403 for the author. */
const reviewToReview = async (scope: Scope, id: string): Promise<StoredReview> => {
  const row = await reviewToChange(scope, id);
  if (row.reviewer_id !== scope.session.userId) throw forbidden(t`Only the reviewer can do this`);
  return row;
};

/** Hands an open review to another reviewer. Throws 409 when it is scored, or when there is no other reviewer. */
export const pass = async (scope: Scope, id: string): Promise<void> => {
  assertMember(scope.session);
  const row = await reviewToReview(scope, id);
  if (row.state !== 'OPEN') throw conflict('peer_review.scored', t`The review is already scored`);
  const passedBy = [...row.passed_by, row.reviewer_id];
  const next = await nextReviewer(scope, row, passedBy);
  if (next === undefined) throw conflict('peer_review.nobody', t`No other reviewer is available`);
  await scope.db
    .updateTable('peer_reviews')
    .set({ reviewer_id: next, passed_by: passedBy })
    .where('id', '=', id)
    .execute();
  await noteAct(scope, row, 'peer_review.pass');
  await requestPeerReview(scope, row, next);
};

/** Stores the reply of the author, who can change it. Throws 403 for the reviewer. */
export const reply = async (scope: Scope, id: string, text: string): Promise<PeerReview> => {
  assertMember(scope.session);
  const before = await reviewToChange(scope, id);
  if (before.reviewer_id === scope.session.userId) throw forbidden(t`Only the author can reply`);
  await scope.db
    .updateTable('peer_reviews')
    .set({ reply: text, replied_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  const row = await reviewById(scope, id);
  await noteAct(scope, row, 'peer_review.reply');
  await notify(scope, {
    to: [row.reviewer_id],
    type: 'REVIEW_RESULT',
    title: sentence`The author replied to your peer review`,
    ...(await aboutStudy(scope, row.study_id)),
    link: linkTo(id, 'DONE'),
  });
  return toPeerReview(row, scope.session);
};

const notifyAuthors = async (scope: Scope, row: StoredReview): Promise<void> => {
  await notify(scope, {
    to: [row.author_id, row.finalized_by ?? []].flat(),
    type: 'REVIEW_RESULT',
    title: sentence`One of your reports received a peer review`,
    ...(await aboutStudy(scope, row.study_id)),
    link: linkTo(row.id, 'RECEIVED'),
  });
};

/** Returns the page that shows a review. */
export const linkTo = (id: string, view: PeerReviewView): string => `/peer-reviews?view=${view}&reviewId=${id}`;

/** Audits an act on a review. Lists leave the entry out where it would show a hidden name (blinded-entries.ts). */
const noteAct = (
  scope: Scope,
  { id, study_id: studyId, patient_id: patientId }: StoredReview,
  action: string,
  detail: Record<string, number> = {},
): Promise<void> => audit(scope, action, { entity: 'peer_review', entityId: id, studyId, patientId, detail });
