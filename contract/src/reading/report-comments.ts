import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, del, get, post, put } from '../core/endpoint.ts';
import type { Moves } from '../core/moves.ts';
import type { Noun } from '../core/noun.ts';
import { hasSameLines } from './report-anchors.ts';
import { person } from './report-parts.ts';

/** Maximum length of a passage, in UTF-16 units. */
export const longestPassage = 2000;

/** Maximum number of comments on one report. */
export const mostComments = 300;

/** States of a comment, and of a suggested change: ACCEPTED and REJECTED are decisions of the writer. */
export const commentStates = ['OPEN', 'RESOLVED', 'ACCEPTED', 'REJECTED'] as const;
export type CommentState = (typeof commentStates)[number];

export const commentStateLabels: Record<CommentState, string> = translated({
  OPEN: 'Open',
  RESOLVED: 'Resolved',
  ACCEPTED: 'Accepted',
  REJECTED: 'Rejected',
});

/** Each state can be undone, because the writer may undo the change in the text. */
export const commentMoves: Moves<CommentState> = {
  OPEN: ['RESOLVED'],
  RESOLVED: ['OPEN'],
  ACCEPTED: [],
  REJECTED: [],
};

export const suggestionMoves: Moves<CommentState> = {
  OPEN: ['ACCEPTED', 'REJECTED'],
  RESOLVED: [],
  ACCEPTED: ['OPEN'],
  REJECTED: ['OPEN'],
};

/** Passage of the report (`TextAnchor`). */
const anchor = z
  .object({
    exact: z
      .string()
      .max(longestPassage, { error: () => t`The passage is longer than 2,000 characters` })
      .refine((words) => words.trim() !== '', { error: () => t`Select words in the report` }),
    prefix: z.string().max(64),
    suffix: z.string().max(64),
    start: z.number().int().min(0),
    end: z.number().int().min(1),
  })
  .refine(({ start, end }) => end > start, { path: ['end'], error: () => t`Select words in the report` });

const commentText = z
  .string()
  .trim()
  .max(4000, { error: () => t`The comment is longer than 4,000 characters` });

const otherLineBreaks = /\r\n?|[\u2028\u2029]/g;

/** Revision of the report on the caller's screen. */
const revision = z.number({ error: () => t`Revision of the report is required` }).int();

/**
 * A comment on a passage. With `replacement`, it suggests a change: other text, or no text to delete the passage. Each
 * line of it is a paragraph or list item, as in the passage.
 */
export const commentForm = z
  .object({
    anchor,
    text: commentText.default(''),
    replacement: z
      .string()
      .max(4000, { error: () => t`The replacement is longer than 4,000 characters` })
      .transform((text) => text.replaceAll(otherLineBreaks, '\n'))
      .nullable()
      .default(null),
    revision,
  })
  .refine(({ text, replacement }) => replacement !== null || text !== '', {
    path: ['text'],
    error: () => t`Comment is required`,
  })
  .refine(({ anchor: { exact }, replacement }) => replacement === null || !hasSameLines(exact, replacement), {
    path: ['replacement'],
    error: () => t`Change the text to suggest a change`,
  });

export const replyForm = z.object({
  text: commentText.min(1, { error: () => t`Reply is required` }),
});

const commentReply = z.object({ id: z.string(), author: person, text: z.string(), createdAt: z.string() });

export const reportComment = z.object({
  id: z.string(),
  author: person,
  /** Version of the report on which the passage was selected. */
  version: z.number(),
  anchor: z.object({
    exact: z.string(),
    prefix: z.string(),
    suffix: z.string(),
    start: z.number(),
    end: z.number(),
  }),
  text: z.string(),
  /** Suggested text; empty to delete the passage. Null for a comment without a suggestion. */
  replacement: z.string().nullable(),
  state: z.enum(commentStates),
  settledBy: person.nullable(),
  settledAt: z.string().nullable(),
  createdAt: z.string(),
  replies: z.array(commentReply),
  /** Whether the caller may delete the comment: it is open, the caller's own, and without a reply. */
  canDelete: z.boolean(),
});
export type ReportComment = z.infer<typeof reportComment>;

/** Comments in the order of their passages, and what the caller may do. */
export const commentsOfReport = z.object({
  reportId: z.string(),
  studyId: z.string(),
  comments: z.array(reportComment),
  /** Whether the caller may comment, reply, resolve and reopen. */
  canComment: z.boolean(),
  canSuggest: z.boolean(),
  /** Whether the caller may accept and reject suggestions. */
  canDecide: z.boolean(),
});
export type CommentsOfReport = z.infer<typeof commentsOfReport>;

/**
 * Comments of author and reviewer on passages of a report. They are no part of the report: not of its text, its PDF,
 * its links or its search. Users who see no drafts get none. Every call returns all comments of the report.
 */
export const reportComments = {
  list: get('/reports/:id/comments', {
    can: 'report.view',
    audited: asReading('report.viewComments', 'report', 'report'),
    reply: commentsOfReport,
  }),
  create: post('/reports/:id/comments', {
    can: 'report.view',
    audited: 'report.comment',
    body: commentForm,
    reply: commentsOfReport,
  }),
  reply: post('/reports/:id/comments/:commentId/replies', {
    can: 'report.view',
    audited: 'report.replyToComment',
    body: replyForm,
    reply: commentsOfReport,
  }),
  /** Changes the state. Accepting a suggestion does not change the text: the writer changes and saves it. */
  settle: put('/reports/:id/comments/:commentId/state', {
    can: 'report.view',
    audited: 'report.settleComment',
    body: z.object({ state: z.enum(commentStates, { error: () => t`Choose a state` }) }),
    reply: commentsOfReport,
  }),
  remove: del('/reports/:id/comments/:commentId', {
    can: 'report.view',
    audited: 'report.deleteComment',
    reply: commentsOfReport,
  }),
};

export const noun = {
  calls: [reportComments],
  actions: {
    Report: {
      'report.viewComments': 'Viewed comments on report',
      'report.comment': 'Commented on report',
      'report.replyToComment': 'Replied to comment on report',
      'report.settleComment': 'Settled comment on report',
      'report.deleteComment': 'Deleted comment on report',
    },
  },
} as const satisfies Noun;
