import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, stream, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Maximum number of key images in a study. It is more than a user marks, yet few enough to show together. */
export const mostKeyImages = 200;

const uid = z.string().regex(/^[0-9.]{1,64}$/, { error: () => t`A UID contains digits and dots only` });
const number = z.number().min(-1e9).max(1e9);

/** Presentation of an image, independent of the screen size. */
export const imageLook = z.object({
  /** Window from black to white, in modality values of the image (PS3.3 C.11.2.1). Null if no window applies. */
  window: z
    .object({ lower: number, upper: number })
    .refine(({ lower, upper }) => lower < upper, { error: () => t`Window width must be greater than 0` })
    .nullable(),
  /** Whether grays are inverted compared with the photometric interpretation of the image. */
  isInverted: z.boolean(),
  /** Clockwise rotation in degrees. */
  rotation: z.number().min(0).lt(360),
  isMirroredAcross: z.boolean(),
  isMirroredDown: z.boolean(),
  /** Zoom; 1 fits the whole image. */
  zoom: z.number().min(0.001).max(10_000),
  /** Offset to the right and down on the screen, in mm, or in pixels for an image without spacing. */
  pan: z.tuple([number, number]),
});
export type ImageLook = z.infer<typeof imageLook>;

const marked = {
  seriesInstanceUID: uid,
  sopInstanceUID: uid,
  /** Frame number, from 1. */
  frame: z.int().min(1).max(1_000_000),
  note: z
    .string()
    .trim()
    .max(200, { error: () => t`The note is longer than 200 characters` }),
  look: imageLook,
};

export const keyImageForm = z.object({
  ...marked,
  /** Revision on which the change is based; 0 for a new key image. */
  revision: z.int().min(0),
});
export type KeyImageForm = z.infer<typeof keyImageForm>;

export const keyImage = z.object({
  id: z.string(),
  ...marked,
  revision: z.number(),
  author: z.object({ username: z.string(), name: z.string() }),
  createdDate: z.string(),
  /** Whether the caller marked the image and so may change and remove it. */
  isMine: z.boolean(),
});
export type KeyImage = z.infer<typeof keyImage>;

/** A key image, rendered for use in a text. */
export const keyImagePicture = z.object({
  /** Data URL of a JPEG. */
  src: z.string(),
  width: z.number(),
  height: z.number(),
  /** Position in the study: "series 2, image 57", "series 3, image 1, frame 12". */
  place: z.string(),
  /**
   * Whether the gray values match the view that the user marked. The server cannot render SUV windows, and does not
   * know which of several lookup tables the user chose.
   */
  isWindowKept: z.boolean(),
});
export type KeyImagePicture = z.infer<typeof keyImagePicture>;

/** Values of `error`. `changed`: the user changed or removed the key image in another window. */
export const keyImageErrors = { changed: 'keyImage.changed' } as const;

/**
 * Key images of a study, as their authors saw them. All users who see the study see them. Only the author can change a
 * key image.
 */
export const keyImages = {
  /** Returns the key images in the order of creation. */
  ofStudy: get('/key-images/for-study/:id', {
    can: 'study.view',
    audited: asReading('keyImage.view', 'study', 'study'),
    reply: z.array(keyImage),
  }),
  /**
   * Saves a new or changed key image under the ID that the viewer chose. A caller without a response may retry. Saving
   * a removed key image with its last revision restores it. 409 `changed` if `revision` is outdated.
   */
  save: put('/key-images/for-study/:id/:keyImageId', {
    can: 'report.edit',
    audited: 'keyImage.save',
    body: keyImageForm,
    reply: keyImage,
  }),
  /** Removes the key image. Saving it again restores it. */
  remove: del('/key-images/for-study/:id/:keyImageId', {
    can: 'report.edit',
    audited: 'keyImage.remove',
    query: z.object({ revision: z.coerce.number().int().min(1) }),
    reply: z.object({ revision: z.number() }),
  }),
  /**
   * Renders the key image for a report as its author saw it, without overlays. 404 also if the image is no longer in
   * the study; 422 if it cannot be rendered.
   */
  picture: get('/key-images/for-study/:id/:keyImageId/picture', {
    can: 'report.edit',
    audited: 'study.retrieve',
    reply: keyImagePicture,
  }),
  /**
   * Stores the key images in the study as a DICOM Key Object Selection (PS3.3 §A.35.4). If nothing has changed, returns
   * the selection stored last. 422 if there are no key images.
   */
  store: post('/key-images/for-study/:id/store', {
    can: 'report.edit',
    audited: 'keyImage.store',
    reply: z.object({ seriesInstanceUID: z.string(), sopInstanceUID: z.string(), isNew: z.boolean() }),
  }),
};

/** Exports the key images of a study as a Key Object Selection (application/dicom). 422 if there are none. */
export const keyImagesExport = stream('GET', '/api/key-images/for-study/:id/export', 'study.export', 'keyImage.export');

export const noun = {
  calls: [keyImages],
  streams: [keyImagesExport],
  actions: {
    Study: {
      'keyImage.view': 'Viewed key images',
      'keyImage.save': 'Saved key image',
      'keyImage.remove': 'Deleted key image',
      'keyImage.export': 'Exported key images',
      'keyImage.store': 'Stored key images in study',
    },
  },
} as const satisfies Noun;
