import { peerReviewViews } from './peer-review-views.ts';
import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, get, notAudited, post, put, stream } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery } from '../core/paging.ts';
import { areInOrder, dayInQuery, outOfOrder } from '../core/period.ts';
import { person } from './report-parts.ts';

/** RANDOM: the server has chosen report and reviewer. CHOSEN: a reader reviewed the report of a prior. */
export const peerReviewOrigins = ['RANDOM', 'CHOSEN'] as const;
export type PeerReviewOrigin = (typeof peerReviewOrigins)[number];

export const peerReviewStates = ['OPEN', 'SCORED'] as const;
export type PeerReviewState = (typeof peerReviewStates)[number];

/** Grades, from agreement to an important difference. */
export const peerGrades = [1, 2, 3, 4] as const;
export type PeerGrade = (typeof peerGrades)[number];

const gradeKeys = ['ONE', 'TWO', 'THREE', 'FOUR'] as const;
const defaultLabels = translated({
  ONE: 'I agree with the report',
  TWO: 'Small difference that changes nothing for the patient',
  THREE: 'Difference that could change the care of the patient',
  FOUR: 'Important finding is missing or wrong',
});

/** Returns the default wording of the four grades. */
export const defaultGradeLabels = (): string[] => gradeKeys.map((key) => defaultLabels[key]);

const grade = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)], {
  error: () => t`Choose a grade`,
});

/**
 * A peer review, as its reviewer or the author of the report sees it. The server leaves out the names that the
 * organization hides.
 */
export const peerReview = z.object({
  id: z.string(),
  origin: z.enum(peerReviewOrigins),
  state: z.enum(peerReviewStates),
  /** Whether the caller is the reviewer. Otherwise the caller wrote or signed the report. */
  isReviewer: z.boolean(),
  /** Null if the organization hides the name from the caller. */
  author: person.nullable(),
  reviewer: person.nullable(),
  reportId: z.string(),
  studyId: z.string(),
  modality: z.string(),
  studyDescription: z.string(),
  studyDate: z.string().nullable(),
  patientName: z.string(),
  patientId: z.string(),
  grade: grade.nullable(),
  gradeLabel: z.string(),
  isSignificant: z.boolean(),
  comment: z.string(),
  scoredAt: z.string().nullable(),
  reply: z.string(),
  repliedAt: z.string().nullable(),
  createdDate: z.string(),
  canScore: z.boolean(),
  canReply: z.boolean(),
});
export type PeerReview = z.infer<typeof peerReview>;

/** A review with the signed text, without signature and signer. */
export const wholePeerReview = peerReview.extend({
  parts: z.array(z.object({ number: z.number(), kind: z.string(), passage: z.string(), content: z.string() })),
  grades: z.array(z.string()),
});
export type WholePeerReview = z.infer<typeof wholePeerReview>;

const comment = z
  .string()
  .trim()
  .max(4000, { error: () => t`The comment is longer than 4,000 characters` });

/** A grade above 1 needs a comment, because the author learns nothing from a number. */
export const peerScore = z
  .object({ grade, isSignificant: z.boolean().default(false), comment: comment.default('') })
  .refine(({ grade: chosen, comment: text }) => chosen === 1 || text !== '', {
    path: ['comment'],
    error: () => t`Comment is required`,
  });
export type PeerScore = z.input<typeof peerScore>;

const label = z
  .string()
  .trim()
  .min(1, { error: () => t`Wording is required` })
  .max(200, { error: () => t`The wording is longer than 200 characters` });

const settings = {
  /** Share of the reports of each reader and month, in percent; 0 turns the random choice off. */
  percent: z
    .number({ error: () => t`Enter a percentage` })
    .int({ error: () => t`Enter a whole percentage` })
    .min(0, { error: () => t`Use at least 0 percent` })
    .max(100, { error: () => t`Use at most 100 percent` }),
  hidesAuthor: z.boolean(),
  hidesReviewer: z.boolean(),
  /** Wording of the four grades. */
  grades: z.array(label).length(4, { error: () => t`Enter four grades` }),
};
export const peerReviewSettings = z.object(settings);
export type PeerReviewSettings = z.infer<typeof peerReviewSettings>;

/** Figures of a reader, without the reviewers. */
const readerFigures = z.object({
  reader: person,
  /** Reports that the reader signed in the period. */
  signed: z.number(),
  chosenAtRandom: z.number(),
  chosenByHand: z.number(),
  open: z.number(),
  /** Number of reviews with each of the four grades. */
  grades: z.array(z.number()),
  significant: z.number(),
});
export type ReaderFigures = z.infer<typeof readerFigures>;

const filters = { view: z.enum(peerReviewViews).default('TO_DO') };

/** Query of `peerReviewExport`. */
export const peerReviewExportQuery = z.object(filters);

/** Limit of an export. A line at the end says that rows are missing. */
export const mostExportedPeerReviews = 10_000;

/**
 * Exports the reviews of the caller as CSV, with formulas escaped and without the names that the organization hides. The
 * query is that of `peerReviews.list`, without the page. It also requires report.edit.
 */
export const peerReviewExport = stream('GET', '/api/peer-reviews/export', 'study.export', 'peer_review.exportList');

/** Reviews of signed reports by colleagues. No user reviews a report that this user wrote, approved or signed. */
export const peerReviews = {
  list: get('/peer-reviews', {
    can: 'report.edit',
    audited: asReading('peer_review.search', 'peer_review'),
    query: z.object({ ...pageQuery, ...filters }),
    reply: page(peerReview).extend({ toDo: z.number() }),
  }),
  get: get('/peer-reviews/:id', {
    can: 'report.edit',
    audited: asReading('peer_review.view', 'peer_review', 'peer_review'),
    reply: wholePeerReview,
  }),
  /** Wording of the grades, and whether names are hidden, for a reviewer. */
  terms: get('/peer-review-terms', {
    can: 'report.review',
    audited: notAudited.noPatient,
    reply: peerReviewSettings,
  }),
  /** Reviews a signed report that the caller has chosen. 409 if the caller has reviewed it, 403 for an own report. */
  choose: post('/reports/:id/peer-reviews', {
    can: 'report.review',
    audited: 'peer_review.choose',
    body: peerScore,
    reply: peerReview,
  }),
  /** Scores a review, or changes the score until the author has replied. */
  score: put('/peer-reviews/:id/score', {
    can: 'report.review',
    audited: 'peer_review.score',
    body: peerScore,
    reply: peerReview,
  }),
  /** Hands an open review to another reviewer. It waits if there is no other. */
  pass: post('/peer-reviews/:id/pass', { can: 'report.review', audited: 'peer_review.pass' }),
  /** Answers a scored review of an own report. */
  reply: put('/peer-reviews/:id/reply', {
    can: 'report.edit',
    audited: 'peer_review.reply',
    body: z.object({ reply: comment.min(1, { error: () => t`Reply is required` }) }),
    reply: peerReview,
  }),
  figures: get('/peer-review-figures', {
    can: 'config.manage',
    audited: notAudited.noPatient,
    query: z
      .object({ from: dayInQuery, to: dayInQuery })
      .refine(({ from, to }) => areInOrder(from, to), outOfOrder('from')),
    reply: z.array(readerFigures),
  }),
  settings: get('/peer-review-settings', {
    can: 'config.manage',
    audited: notAudited.noPatient,
    reply: peerReviewSettings,
  }),
  saveSettings: put('/peer-review-settings', {
    can: 'config.manage',
    audited: 'peer_review_settings.save',
    body: peerReviewSettings,
    reply: peerReviewSettings,
  }),
};

export const noun = {
  calls: [peerReviews],
  streams: [peerReviewExport],
  entities: ['peer_review', 'peer_review_settings'],
  actions: {
    Report: {
      'peer_review.search': 'Listed peer reviews',
      'peer_review.exportList': 'Exported list of peer reviews',
      'peer_review.view': 'Viewed peer review',
      'peer_review.draw': 'Chose report for peer review',
      'peer_review.choose': 'Reviewed report of a colleague',
      'peer_review.score': 'Scored peer review',
      'peer_review.pass': 'Passed peer review on',
      'peer_review.reassign': 'Gave peer review to another reviewer',
      'peer_review.reply': 'Replied to peer review',
      'peer_review_settings.save': 'Edited peer review settings',
    },
  },
} as const satisfies Noun;
