import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, put, asReading, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { reading } from '../imaging/study-marks.ts';

/** Interval between two beats, in milliseconds. */
export const heartbeatMs = 30_000;

/** Seconds after the last beat until the lock of an editor expires. */
export const lapseSeconds = 120;

/** State of the reading lock, for the report page. */
export const readingOfReport = reading.extend({
  /** Reason for the take-over. Empty if the lock was free. */
  reason: z.string(),
  /** Whether the lock was taken from the caller. */
  isTakenFromMe: z.boolean(),
  canTakeOver: z.boolean(),
});
export type ReadingOfReport = z.infer<typeof readingOfReport>;

export const takeLockForm = z
  .object({
    /** Username of the holder that the caller saw. The lock is taken over only from this user. */
    takeOverFrom: z.string().optional(),
    reason: z
      .string()
      .trim()
      .max(500, { error: () => t`The reason is longer than 500 characters` })
      .default(''),
    /** Whether the study opens in reading mode. The lock then lasts for the time that the organization sets. */
    isReading: z.boolean().default(false),
    /** Whether the report of the study is finalized and the caller begins another report. */
    isAnother: z.boolean().default(false),
    /** Time when the caller began the text, if the caller had the lock before. */
    since: z.iso.datetime({ offset: true, error: () => t`Use a date and time in UTC` }).optional(),
  })
  .refine(({ takeOverFrom, reason }) => takeOverFrom === undefined || reason !== '', {
    path: ['reason'],
    error: () => t`Reason is required`,
  });

/** Values of `error`. `held`: another user has the lock. `lapsed`: no user has it. */
export const lockErrors = { held: 'reading_lock.held', lapsed: 'reading_lock.lapsed' } as const;

/**
 * Reading lock ("Being read by"): opening the report editor, or opening a study from the reading queue, takes a soft
 * lock on the study. The browser renews it every `heartbeatMs` and releases it on leaving. Meanwhile other users can only read. The lock prevents parallel work; only
 * the report's revision prevents overwriting.
 *
 * A lock belongs to a user, not to a window. The same user can write in a second tab or on another computer. Closing
 * one of two windows frees the lock until the next beat of the other.
 */
export const readingLocks = {
  /**
   * Takes the lock if the rules of the report allow the caller to write; otherwise 403 or 409 with the reason. A caller
   * who already has the lock keeps it. 409 `held` names the user who has the lock, if that is not the user from whom
   * the caller takes it over.
   */
  take: put('/studies/:id/reading-lock', {
    can: 'report.edit',
    audited: asReading('study.view', 'study', 'study'),
    body: takeLockForm,
    reply: reading,
  }),
  /**
   * Renews the caller's lock. 409 `held` names the user who took the lock over, with the reason. 409 `lapsed` if no
   * user has it.
   */
  beat: put('/studies/:id/reading-lock/beat', {
    can: 'report.edit',
    audited: unaudited('a page reports every few seconds that it is open'),
    reply: reading,
  }),
  /** Releases the caller's lock. A lock of another user stays. */
  release: del('/studies/:id/reading-lock', {
    can: 'report.edit',
    audited: unaudited('reports that a page was closed; its opening is audited'),
  }),
};

export const noun = {
  calls: [readingLocks],
} as const satisfies Noun;
