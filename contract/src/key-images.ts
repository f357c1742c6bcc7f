import { z } from 'zod';
import { del, get, post, put, stream } from './endpoint.ts';

/** More than anybody marks of a study, and few enough to be shown at once. */
export const mostKeyImages = 200;

const uid = z.string().regex(/^[0-9.]{1,64}$/, 'A UID is made of digits and dots');
const number = z.number().min(-1e9).max(1e9);

/** How an image is shown: independent of how large the screen is. */
export const imageLook = z.object({
  /**
   * From black to white, in the values that the image says of itself (DICOM PS3.3 C.11.2.1); null where no window lies
   * over it.
   */
  window: z
    .object({ lower: number, upper: number })
    .refine(({ lower, upper }) => lower < upper, 'A window is wider than nothing')
    .nullable(),
  /** Against what the image asks for itself. */
  isInverted: z.boolean(),
  /** To the right, in degrees. */
  rotation: z.number().min(0).lt(360),
  isMirroredAcross: z.boolean(),
  isMirroredDown: z.boolean(),
  /** 1 is the whole image as large as it fits. */
  zoom: z.number().min(0.001).max(10_000),
  /** How far the image is moved to the right and down on the screen, in its mm, or its pixels where it has none. */
  pan: z.tuple([number, number]),
});
export type ImageLook = z.infer<typeof imageLook>;

const marked = {
  seriesInstanceUID: uid,
  sopInstanceUID: uid,
  /** From 1. */
  frame: z.int().min(1).max(1_000_000),
  note: z.string().trim().max(200, 'A note has 200 characters at most'),
  look: imageLook,
};

export const keyImageForm = z.object({
  ...marked,
  /** The revision that was changed; 0 for a new one. */
  revision: z.int().min(0),
});
export type KeyImageForm = z.infer<typeof keyImageForm>;

export const keyImage = z.object({
  id: z.string(),
  ...marked,
  revision: z.number(),
  author: z.object({ username: z.string(), name: z.string() }),
  createdDate: z.string(),
  /** Whether the caller may change it and take it away: whoever marked it. */
  isMine: z.boolean(),
});
export type KeyImage = z.infer<typeof keyImage>;

/** A key image as a picture to be part of a text. */
export const keyImagePicture = z.object({
  /** A data URL of a JPEG. */
  src: z.string(),
  width: z.number(),
  height: z.number(),
  /** Where it is in the study: "series 2, image 57", "series 3, image 1, frame 12". */
  place: z.string(),
  /**
   * Whether its greys are those that it was marked with. Uptake is windowed in SUV, in which the server does not draw; and
   * which of several tables somebody chose is not known.
   */
  isWindowKept: z.boolean(),
});
export type KeyImagePicture = z.infer<typeof keyImagePicture>;

/** By the name in `error`: somebody's other window has changed it meanwhile, or taken it away. */
export const keyImageErrors = { changed: 'keyImage.changed' } as const;

/**
 * The images of a study that matter, as whoever marked them saw them. Whoever may see the study sees all of them; only
 * whoever marked one changes it.
 */
export const keyImages = {
  /** In the order in which they were marked. */
  ofStudy: get('/key-images/for-study/:id', { can: 'study.view', reply: z.array(keyImage) }),
  /**
   * Keeps a key image under the id that the viewer has given it, new or changed. The same may be sent again when no
   * answer came. One that was taken away comes back when it is saved with its last revision. 409 `changed` when it is not
   * at `revision` any more.
   */
  save: put('/key-images/for-study/:id/:keyImageId', { can: 'report.edit', body: keyImageForm, reply: keyImage }),
  /** Takes it away; saving it again brings it back. */
  remove: del('/key-images/for-study/:id/:keyImageId', {
    can: 'report.edit',
    query: z.object({ revision: z.coerce.number().int().min(1) }),
    reply: z.object({ revision: z.number() }),
  }),
  /**
   * The key image as whoever marked it saw it, for a report: of the picture only, without anything that is written over
   * it on the screen. 404 also where its image has left the study, 422 where no picture can be made of it.
   */
  picture: get('/key-images/for-study/:id/:keyImageId/picture', { can: 'report.edit', reply: keyImagePicture }),
  /**
   * Files the key images as a DICOM Key Object Selection (PS3.3 §A.35.4) in a series of the study. Where nothing has
   * changed since, the last one is answered. 422 where there are none.
   */
  store: post('/key-images/for-study/:id/store', {
    can: 'report.edit',
    reply: z.object({ seriesInstanceUID: z.string(), sopInstanceUID: z.string(), isNew: z.boolean() }),
  }),
};

/** The key images of a study as such a selection, as application/dicom. 422 where there are none. */
export const keyImagesExport = stream('GET', '/api/key-images/for-study/:id/export', 'study.export');
