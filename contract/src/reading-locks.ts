import { z } from 'zod';
import { del, put } from './endpoint.ts';

/**
 * "Being read by": whoever opens the editor of a study's report takes a soft lock on it, says every `beatEvery`
 * that they still write, and releases it when they leave. While somebody holds it, the others read only. It spares
 * people work that would collide; what keeps texts from being overwritten is the revision of the report.
 *
 * A lock belongs to a person, not to a window. In a second tab or at another machine the same person writes under the
 * same lock; when they close one of two windows, the lock is free until the other one's next beat takes it again.
 */

/** How often whoever writes says so, in milliseconds. */
export const beatEvery = 30_000;

/** How long after its holder was last heard of a lock is gone, in seconds. */
export const lapsesAfter = 120;

/** Who writes the report of a study now. */
export const reading = z.object({
  username: z.string(),
  name: z.string(),
  since: z.string(),
  isMe: z.boolean(),
  /** When the lock is gone unless its holder is heard of again. Beats are told to nobody: ask again by then. */
  expiresAt: z.string(),
});
export type Reading = z.infer<typeof reading>;

/** The same, for those who look at the report itself. */
export const readingOfReport = reading.extend({
  /** Why it was taken over from somebody who wrote; empty when it was free. */
  reason: z.string(),
  /** Whether that was the caller. */
  isTakenFromMe: z.boolean(),
  canTakeOver: z.boolean(),
});
export type ReadingOfReport = z.infer<typeof readingOfReport>;

export const takeLockForm = z
  .object({
    /** The username of whoever is seen to hold the lock, to take it over from them and nobody else. */
    takeOverFrom: z.string().optional(),
    reason: z.string().trim().max(500, 'The reason is longer than 500 characters').default(''),
    /** The study's report is finalized, and the caller begins another one. */
    isAnother: z.boolean().default(false),
    /** Since when the caller has been writing the text, where they had the lock before. */
    since: z.iso.datetime({ offset: true, error: 'Use a date and time in UTC' }).optional(),
  })
  .refine(({ takeOverFrom, reason }) => takeOverFrom === undefined || reason !== '', {
    path: ['reason'],
    message: 'Reason is required',
  });

/** By the names in `error`, a refusal says whether somebody else holds the lock or nobody does any more. */
export const lockErrors = { held: 'reading_lock.held', lapsed: 'reading_lock.lapsed' } as const;

export const readingLocks = {
  /**
   * For those who may write the report now, by the rules of the report itself: 403 and 409 say why not. Who holds the
   * lock already keeps it. 409 `held` names who else holds it, also when the take-over was meant for somebody before.
   */
  take: put('/studies/:id/reading-lock', { can: 'report.edit', body: takeLockForm, reply: reading }),
  /** The caller still writes. 409 `held` says who has taken it over and why, `lapsed` that nobody holds it. */
  beat: put('/studies/:id/reading-lock/beat', { can: 'report.edit', reply: reading }),
  /** The caller no longer writes; somebody else's lock stays. */
  release: del('/studies/:id/reading-lock', { can: 'report.edit' }),
};
