import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { canMove } from '@radwork/contract/core/moves';
import { findPassage } from '@radwork/contract/reading/report-anchors';
import { visibleText } from '@radwork/contract/reading/report-check-text';
import {
  commentMoves,
  type CommentsOfReport,
  type CommentState,
  commentStateLabels,
  mostComments,
  type reportComments as endpoints,
  suggestionMoves,
} from '@radwork/contract/reading/report-comments';
import { type CommentAct, refuseComment, seesDrafts } from '@radwork/contract/reading/report-rights';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { announce } from '#core/live/announce.ts';
import { conflict, forbidden, invalid, orNotFound } from '#core/http/problem.ts';
import { newId } from '#core/values/ids.ts';
import { notifyOfComment } from '#reading/report-records/announce-report.ts';
import { auditReport } from '#reading/report-records/change-report.ts';
import { blocksOfHtml } from '#reading/report-records/report-blocks.ts';
import { factsOf, problemOfRefusal, reportById, type StoredReport } from '#reading/report-records/stored-report.ts';
import { commentsOf, commentToChange, countComments, type StoredComment, toComment } from './comment-rows.ts';

/** Comments on passages of a report. Each function returns all comments as the caller sees them. */

type Place = { id: string; commentId: string };

/** Returns the comments of a report. Empty for users who see no drafts, because the comments are about drafts. */
export const list = async (scope: Scope, reportId: string): Promise<CommentsOfReport> =>
  describe(scope, await reportById(scope, reportId));

const describe = async (scope: Scope, report: StoredReport): Promise<CommentsOfReport> => {
  const may = (act: CommentAct) => refuseComment[act](factsOf(report, scope.session)) === undefined;
  const comments = seesDrafts(scope.session.userType) ? await commentsOf(scope, report.id) : [];
  const canComment = may('comment');
  return {
    reportId: report.id,
    studyId: report.study_id,
    comments: comments.map((comment) => toComment(comment, canComment && isOwnAndUntouched(scope, comment))),
    canComment,
    canSuggest: may('suggest'),
    canDecide: may('decide'),
  };
};

/** Whether the caller wrote a comment to which no user has reacted. */
const isOwnAndUntouched = ({ session }: Scope, { author_id, state, replies }: StoredComment): boolean =>
  author_id === session.userId && state === 'OPEN' && replies.length === 0;

/** Returns the report if the caller may do this with its comments. Throws 404, 403 or 409. */
const reportFor = async (scope: Scope, reportId: string, act: CommentAct): Promise<StoredReport> => {
  const report = await reportById(scope, reportId);
  assertMay(act, report, scope);
  return report;
};

const assertMay = (act: CommentAct, report: StoredReport, { session }: Scope): void => {
  const refusal = refuseComment[act](factsOf(report, session));
  if (refusal) throw problemOfRefusal(refusal);
};

/** Comments on a passage, or suggests other text for it. Throws 409 if the caller saw an older text. */
export const create = async (
  scope: Scope,
  reportId: string,
  { anchor, text, replacement, revision }: Body<typeof endpoints.create>,
): Promise<CommentsOfReport> => {
  const report = await reportFor(scope, reportId, replacement === null ? 'comment' : 'suggest');
  if (revision > report.revision) throw invalid({ revision: t`Reload the report` });
  // A text is not edited during its review. A writer may comment on words that are not saved yet.
  if (report.status === 'PENDING_REVIEW') {
    if (revision !== report.revision) {
      throw conflict('report.changed', t`The report has changed. Reload it and select the words again.`);
    }
    if (!findPassage(visibleText(blocksOfHtml(report.content)), anchor)) {
      throw invalid({ anchor: t`The selected words were not found in the report. Select them again.` });
    }
  }
  await assertRoom(scope, reportId);
  const id = newId();
  await scope.db
    .insertInto('report_comments')
    .values({
      id,
      report_id: reportId,
      version: revision,
      author_id: scope.session.userId,
      text,
      replacement,
      passage: anchor.exact,
      prefix: anchor.prefix,
      suffix: anchor.suffix,
      passage_start: anchor.start,
      passage_end: anchor.end,
    })
    .execute();
  await auditReport(scope, 'report.comment', report, { commentId: id, isSuggestion: replacement !== null });
  await notifyOfComment(scope, report);
  return changed(scope, report);
};

const assertRoom = async (scope: Scope, reportId: string): Promise<void> => {
  if ((await countComments(scope, reportId)) < mostComments) return;
  throw conflict('comment.full', t`This report already has ${mostComments} comments.`);
};

/** Replies to a comment or a suggestion. */
export const reply = async (
  scope: Scope,
  { id, commentId }: Place,
  { text }: Body<typeof endpoints.reply>,
): Promise<CommentsOfReport> => {
  const report = await reportFor(scope, id, 'comment');
  const { replies } = await comment(scope, id, commentId);
  if (replies.length >= mostComments) {
    throw conflict('comment.full', t`This comment already has ${mostComments} replies.`);
  }
  const values = { id: newId(), comment_id: commentId, author_id: scope.session.userId, text };
  await scope.db.insertInto('report_comment_replies').values(values).execute();
  await auditReport(scope, 'report.replyToComment', report, { commentId });
  await notifyOfComment(scope, report);
  return changed(scope, report);
};

/**
 * Resolves or reopens a comment, or accepts, rejects or reopens a suggestion. Throws 409 if another user was faster. The
 * same state again changes nothing, so a repeated call succeeds.
 */
export const settle = async (
  scope: Scope,
  { id, commentId }: Place,
  { state }: Body<typeof endpoints.settle>,
): Promise<CommentsOfReport> => {
  const report = await reportFor(scope, id, 'comment');
  const { replacement, state: current } = await comment(scope, id, commentId);
  const isSuggestion = replacement !== null;
  if (isSuggestion) assertMay('decide', report, scope);
  if (state === current) return describe(scope, report);
  if (!canMove(isSuggestion ? suggestionMoves : commentMoves, current, state)) throw tooLate(current);
  const isOpen = state === 'OPEN';
  await scope.db
    .updateTable('report_comments')
    .set({ state, settled_by: isOpen ? null : scope.session.userId, settled_at: isOpen ? null : sql`now()` })
    .where('id', '=', commentId)
    .execute();
  await auditReport(scope, 'report.settleComment', report, { commentId, state });
  return changed(scope, report);
};

const tooLate = (current: CommentState) => {
  const label = commentStateLabels[current];
  return conflict('comment.state', t`The comment is ${label}. This is not possible now.`);
};

/** Deletes an own comment, unless a user has replied to it or settled it. */
export const remove = async (scope: Scope, { id, commentId }: Place): Promise<CommentsOfReport> => {
  const report = await reportFor(scope, id, 'comment');
  const stored = await comment(scope, id, commentId);
  if (stored.author_id !== scope.session.userId) throw forbidden(t`Only its author can delete a comment`);
  if (!isOwnAndUntouched(scope, stored)) {
    throw conflict('comment.answered', t`The comment has a reply or is settled. It cannot be deleted.`);
  }
  await scope.db.deleteFrom('report_comments').where('id', '=', commentId).execute();
  await auditReport(scope, 'report.deleteComment', report, { commentId });
  return changed(scope, report);
};

/** Returns a comment of a report of which the caller may know. Throws 404. */
const comment = async (scope: Scope, reportId: string, commentId: string): Promise<StoredComment> => {
  await reportById(scope, reportId);
  const found = seesDrafts(scope.session.userType) ? await commentToChange(scope, reportId, commentId) : undefined;
  return orNotFound(found, 'comment');
};

const changed = async (scope: Scope, report: StoredReport): Promise<CommentsOfReport> => {
  await announce(scope, { kind: 'study', studyId: report.study_id });
  return describe(scope, report);
};
