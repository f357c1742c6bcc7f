import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { asReading, del, get, post, put } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { studyRow } from '../imaging/study-rows.ts';

/**
 * Studies that a queue offers. MINE: assigned to the reader or to a group of the reader. MINE_THEN_UNASSIGNED offers
 * unassigned studies after them. ALL offers every study whose report the reader may write.
 */
export const readingQueues = ['MINE_THEN_UNASSIGNED', 'MINE', 'UNASSIGNED', 'ALL'] as const;

/**
 * A queue: one of `readingQueues`; `GROUP:` and the ID of a group whose studies wait; or `VIEW:` and the ID of a saved
 * view of the study list, of which it offers the unread studies. The sort order of the view does not apply.
 */
export const readingQueueChoice = z.union(
  [z.enum(readingQueues), z.templateLiteral(['GROUP:', z.uuid()]), z.templateLiteral(['VIEW:', z.uuid()])],
  { error: () => t`Choose a queue` },
);
export type ReadingQueue = z.infer<typeof readingQueueChoice>;

/** Queue of readers who have not chosen one. It replaces a chosen queue that no longer exists. */
export const defaultReadingQueue: ReadingQueue = 'MINE_THEN_UNASSIGNED';

/** Returns the group of a queue; undefined for a queue that is not of a group. */
export const groupOfQueue = (queue: ReadingQueue): string | undefined => /^GROUP:(.+)$/.exec(queue)?.[1];

/** Returns the saved view of a queue; undefined for a queue that is not of a saved view. */
export const viewOfQueue = (queue: ReadingQueue): string | undefined => /^VIEW:(.+)$/.exec(queue)?.[1];

export const readingQueueLabels: Record<(typeof readingQueues)[number], string> = translated({
  MINE_THEN_UNASSIGNED: 'Mine, then unassigned',
  MINE: 'Assigned to me or my groups',
  UNASSIGNED: 'Unassigned',
  ALL: 'All',
});

const skipped = z
  .array(z.uuid({ error: () => t`Choose a study` }))
  .max(500, { error: () => t`Skip at most 500 studies` })
  .default([]);

const queueForm = z.object({
  queue: readingQueueChoice.default(defaultReadingQueue),
  /** IDs of studies that the reader has skipped in this session. */
  skipped,
});

/** A study of the queue, with the IDs by which the browser prefetches it. */
const queuedStudy = z.object({ id: z.string(), studyInstanceUID: z.string() });
export type QueuedStudy = z.infer<typeof queuedStudy>;

/**
 * The queue that the reply is about. It is the default queue if the requested one no longer exists for the caller: its
 * group or saved view was deleted, or the view is no longer shared.
 */
const queue = readingQueueChoice;

/** Studies that wait for the caller, up to `mostCountedInQueue`. Studies that others read are not counted. */
const waiting = z.number();

/** Limit of the count of a queue. Beyond it, screens show "1,000+". */
export const mostCountedInQueue = 1000;

export const deferralForm = z.object({
  /** Time at which the study returns to the queue. */
  until: z.iso.datetime({ offset: true, error: () => t`Choose a time` }),
  reason: z
    .string()
    .trim()
    .min(1, { error: () => t`Reason is required` })
    .max(500, { error: () => t`The reason is longer than 500 characters` }),
});

const deferral = z.object({ study: studyRow, until: z.string(), reason: z.string() });
export type ReadingDeferral = z.infer<typeof deferral>;

/**
 * Queue of a reader. Unread studies in the order of priority, due time and waiting time. A study that another user
 * reads is not offered. Reading claims a study by its reading lock (reading-locks.ts).
 */
export const readingQueue = {
  /**
   * Claims the next study of the queue for the caller, and releases the study that the caller leaves. Several readers
   * who call at the same time get different studies. `study` is null at the end of the queue.
   */
  next: post('/reading-queue/next', {
    can: 'report.edit',
    audited: 'study.claimReading',
    body: queueForm.extend({ leave: z.uuid({ error: () => t`Choose a study` }).optional() }),
    reply: z.object({ queue, study: queuedStudy.nullable(), waiting, deferred: z.number() }),
  }),
  /**
   * Returns the first studies that `next` would open, in its order: those that the caller has claimed, then those of the
   * queue. Claims none of them.
   */
  list: post('/reading-queue/list', {
    can: 'report.edit',
    audited: asReading('study.search', 'study'),
    body: queueForm.extend({ size: z.number().int().min(1).max(20).default(6) }),
    reply: z.object({ queue, studies: z.array(studyRow), waiting }),
  }),
  /** Returns the next studies without claiming them, so that the browser can prefetch them. */
  ahead: post('/reading-queue/ahead', {
    can: 'report.edit',
    audited: asReading('study.search', 'study'),
    body: queueForm.extend({ current: z.uuid({ error: () => t`Choose a study` }).optional() }),
    reply: z.object({ queue, studies: z.array(queuedStudy), waiting }),
  }),
  /** The studies that the caller has put off, the earliest return first. */
  deferrals: get('/reading-queue/deferrals', {
    can: 'report.edit',
    audited: asReading('study.search', 'study'),
    reply: z.array(deferral),
  }),
  /** Puts a study off until a time. Only the caller's queue changes. Releases the caller's lock. */
  defer: put('/studies/:id/reading-deferral', {
    can: 'report.edit',
    audited: 'study.deferReading',
    body: deferralForm,
  }),
  /** Returns a study to the caller's queue. */
  resume: del('/studies/:id/reading-deferral', {
    can: 'report.edit',
    audited: 'study.resumeReading',
  }),
};

export const noun = {
  calls: [readingQueue],
  actions: {
    Study: {
      'study.claimReading': 'Opened study for reading',
      'study.deferReading': 'Deferred study',
      'study.resumeReading': 'Returned study to the queue',
    },
  },
} as const satisfies Noun;
