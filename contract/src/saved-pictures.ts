import { z } from 'zod';
import { post } from './endpoint.ts';

const uid = z.string().regex(/^[0-9.]{1,64}$/, 'A UID is made of digits and dots');

/** Where a picture goes that somebody takes out of a viewer. */
export const pictureWays = ['FILE', 'CLIPBOARD'] as const;
export type PictureWay = (typeof pictureWays)[number];

export const pictureNote = z.object({
  /** What is seen on it: of a fusion two series. */
  seriesInstanceUIDs: z.array(uid).min(1, 'A picture shows a series').max(4),
  /** The image that it shows; null for a plane through a volume. */
  sopInstanceUID: uid.nullable(),
  /** Whether the patient's name and data stand on it. */
  isIdentified: z.boolean(),
  way: z.enum(pictureWays),
  /** The record of the patient whom it names: none is taken away with a name whose study is of another one by now. */
  patientRecordId: z.uuid('Say whose picture it is').optional(),
});
export type PictureNote = z.infer<typeof pictureNote>;

/** Pictures of a viewer that people take away. They are made in the browser; the archive keeps none. */
export const savedPictures = {
  /**
   * Writes down that somebody takes a picture of a study away. The viewer makes no file before it is written. 422 for a
   * series or an image that is not in the study, 409 for one that would name another patient than the study's.
   */
  note: post('/saved-pictures/for-study/:id', {
    can: 'study.export',
    body: pictureNote,
    reply: z.object({ isNoted: z.literal(true) }),
  }),
};
