import { z } from 'zod';
import { asReading, get, notAudited, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { person } from './report-parts.ts';
import type { ReportAction } from './report-status.ts';
import { criticalChanges } from './report-text-changes.ts';
import { reportRow } from './reports.ts';

/** Number of reports that the list of feedback returns. */
export const mostFeedback = 30;

type HistoryFacts = { version: number; action: ReportAction; actor: { id: string } };

/** Versions to compare: the text that the author submitted, and the text that a colleague approved or signed. */
export type ComparedVersions = { from: number; to: number };

const ends: readonly ReportAction[] = ['APPROVED', 'FINALIZED'];

/**
 * Returns the versions from which an author learns what became of a report. Undefined unless a colleague approved or
 * signed it. The author submitted the text of the first request for a review; without a review, the text that the
 * author last saved before a colleague changed it.
 * @param history Newest first.
 */
export const feedbackVersions = <Entry extends HistoryFacts>(
  history: readonly Entry[],
  authorId: string,
): (ComparedVersions & { end: Entry }) | undefined => {
  const isOwn = ({ actor }: HistoryFacts) => actor.id === authorId;
  const end = history.find(({ action }) => ends.includes(action));
  if (!end || !history.some((entry) => ends.includes(entry.action) && !isOwn(entry))) return undefined;
  const oldestFirst = history.toReversed();
  const requested = oldestFirst.find((entry) => entry.action === 'REVIEW_REQUESTED' && isOwn(entry));
  const changedAt = oldestFirst.findIndex((entry) => !isOwn(entry));
  const submitted = requested ?? oldestFirst.slice(0, changedAt).findLast(isOwn);
  return submitted && submitted.version < end.version ? { from: submitted.version, to: end.version, end } : undefined;
};

/** Changes by a colleague in a report of the caller before it was approved or signed. */
export const reportFeedback = z.object({
  report: reportRow,
  /** Versions to compare. */
  from: z.number(),
  to: z.number(),
  /** User who last approved or signed, and when. */
  by: person,
  at: z.string(),
  /** Number of words added and removed. */
  added: z.number(),
  removed: z.number(),
  critical: z.array(z.enum(criticalChanges)),
  /** Whether the caller has read the comparison up to this version. */
  isRead: z.boolean(),
});
export type ReportFeedback = z.infer<typeof reportFeedback>;

/** Changes by colleagues in the caller's own reports, newest first. */
export const reportFeedbackCalls = {
  list: get('/reports/feedback', {
    can: 'report.create',
    audited: asReading('report.search', 'report'),
    reply: z.object({ entries: z.array(reportFeedback), unread: z.number() }),
  }),
  /** Marks the feedback on one report as read or unread, for the caller only. */
  mark: put('/reports/:id/feedback', {
    can: 'report.create',
    audited: notAudited.own,
    body: z.object({ isRead: z.boolean() }),
  }),
};

export const noun = { calls: [reportFeedbackCalls] } as const satisfies Noun;
