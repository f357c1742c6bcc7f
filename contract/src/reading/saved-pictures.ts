import { t } from '../core/translate.ts';
import { z } from 'zod';
import { post } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

const uid = z.string().regex(/^[0-9.]{1,64}$/, { error: () => t`A UID contains digits and dots only` });

/** Destinations of an image saved from a viewer. */
export const saveMethods = ['FILE', 'CLIPBOARD'] as const;
export type SaveMethod = (typeof saveMethods)[number];

export const pictureNote = z.object({
  /** UIDs of the visible series; a fusion has two. */
  seriesInstanceUIDs: z
    .array(uid)
    .min(1, { error: () => t`Series is required` })
    .max(4),
  /** UID of the visible image; null for a plane through a volume. */
  sopInstanceUID: uid.nullable(),
  /** Whether the image contains the patient's name and data. */
  isIdentified: z.boolean(),
  way: z.enum(saveMethods),
  /** ID of the record of the named patient. Rejected if the study has moved to another patient. */
  patientRecordId: z.uuid({ error: () => t`Patient record of the image is required` }).optional(),
});
export type PictureNote = z.infer<typeof pictureNote>;

/** Images that users save from a viewer. The browser creates them; the archive stores none. */
export const savedPictures = {
  /**
   * Records that the user saves an image of a study. The viewer creates the file only after this call. 422 for a series
   * or image outside the study; 409 if the image would name another patient.
   */
  note: post('/saved-pictures/for-study/:id', {
    can: 'study.export',
    audited: 'study.savePicture',
    body: pictureNote,
    reply: z.object({ isNoted: z.literal(true) }),
  }),
};

export const noun = {
  calls: [savedPictures],
  actions: {
    Study: {
      'study.savePicture': 'Saved rendered image',
    },
  },
} as const satisfies Noun;
