import { t } from '../core/translate.ts';
import { z } from 'zod';
import { get, notAudited, post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/**
 * Target of a move: an existing study, or a new study of a patient. Moving to another patient also requires
 * `patient.merge`.
 */
export const seriesMoveForm = z
  .object({
    seriesInstanceUID: z.string().regex(/^[0-9.]{1,64}$/, { error: () => t`A UID contains digits and dots only` }),
    toStudyId: z.uuid().optional(),
    toPatientId: z.uuid().optional(),
  })
  .refine(({ toStudyId, toPatientId }) => (toStudyId === undefined) !== (toPatientId === undefined), {
    path: ['toStudyId'],
    error: () => t`Choose a study or a patient`,
  });

export const seriesMoveStates = ['COPYING', 'FAILED', 'CANCELED', 'DONE', 'UNDONE'] as const;

/** A move of a series. Its copies are hidden until it is done. */
export const seriesMove = z.object({
  id: z.string(),
  seriesInstanceUID: z.string(),
  state: z.enum(seriesMoveStates),
  /** Number of images, and of those that are copied. */
  images: z.number(),
  copied: z.number(),
  /** Message for the user if the move failed; otherwise empty. */
  cause: z.string(),
  /** The target; null if the caller may not see it. */
  studyId: z.string().nullable(),
  /** The rejection of the originals, after the move is done. Restoring it (`rejections.restore`) undoes the move. */
  rejectionId: z.string().nullable(),
  movedBy: z.string(),
  movedDate: z.string(),
});
export type SeriesMove = z.infer<typeof seriesMove>;

export const seriesMoves = {
  /**
   * Begins to move a series to another study. A job copies its images with new UIDs, and then rejects the originals. It
   * outlives the request and a restart of the server.
   */
  move: post('/studies/:id/series-moves', {
    can: 'study.delete',
    audited: 'study.beginSeriesMove',
    body: seriesMoveForm,
    reply: seriesMove,
    successStatus: 201,
  }),
  /** Returns the moves of series of this study that run, or have ended within a day; the latest first. */
  ofStudy: get('/studies/:id/series-moves', {
    can: 'study.delete',
    audited: notAudited.noPatient,
    reply: z.array(seriesMove),
  }),
  /** Cancels a move. The originals stay, and the copies stay hidden. 409 if it has ended. */
  cancel: post('/studies/:id/series-moves/:moveId/cancel', {
    can: 'study.delete',
    audited: 'study.cancelSeriesMove',
    reply: seriesMove,
  }),
};

export const noun = {
  calls: [seriesMoves],
  actions: {
    Study: {
      'study.beginSeriesMove': 'Began to move series',
      'study.moveSeries': 'Moved series to another study',
      'study.receiveSeries': 'Received series of another study',
      'study.cancelSeriesMove': 'Canceled move of series',
      'study.failSeriesMove': 'Move of series failed',
      'study.undoSeriesMove': 'Undid move of series',
    },
  },
} as const satisfies Noun;
