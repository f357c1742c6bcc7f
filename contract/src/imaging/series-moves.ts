import { t } from '../core/translate.ts';
import { z } from 'zod';
import { post } from '../core/endpoint.ts';
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

export const seriesMoves = {
  /**
   * Moves a series to another study. Its images are copied with new UIDs, and the originals are rejected. Restoring this
   * rejection (`rejections.restore`) undoes the move. Answers after all copies are stored.
   */
  move: post('/studies/:id/series-moves', {
    can: 'study.delete',
    audited: 'study.moveSeries',
    body: seriesMoveForm,
    /** The study with the copies, and the rejection of the originals. */
    reply: z.object({ studyId: z.string(), rejectionId: z.string(), images: z.number() }),
    successStatus: 201,
  }),
};

export const noun = {
  calls: [seriesMoves],
  actions: {
    Study: {
      'study.moveSeries': 'Moved series to another study',
      'study.receiveSeries': 'Received series of another study',
      'study.undoSeriesMove': 'Undid move of series',
    },
  },
} as const satisfies Noun;
