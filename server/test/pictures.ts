import { newUid } from '@radwork/dicom/uid';
import sharp from 'sharp';
import { expect } from 'vitest';
import { getFrom, storeAs } from './archive.ts';
import { image } from './upload.ts';
import type { Person, World } from './world.ts';

export type Elements = NonNullable<Parameters<typeof image>[0]>;

/** Stores one image as somebody new, and says where it is: paths below WADO-RS. */
export const imageStorer =
  (world: World) =>
  async (elements: Elements = {}, file: Parameters<typeof image>[1] = {}) => {
    const person = await world.signIn();
    const uids = { StudyInstanceUID: newUid(), SeriesInstanceUID: newUid(), SOPInstanceUID: newUid() };
    await storeAs(person, image({ ...uids, ...elements }, file));
    const study = `/studies/${uids.StudyInstanceUID}`;
    const series = `${study}/series/${uids.SeriesInstanceUID}`;
    return { person, study, series, instance: `${series}/instances/${uids.SOPInstanceUID}` };
  };

/** The pixels of a picture as they were before it was encoded. */
export const pixelsOf = async (picture: Buffer) => {
  const { channels } = await sharp(picture).metadata();
  const image = channels === 1 ? sharp(picture).toColourspace('b-w') : sharp(picture);
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { pixels: [...data], columns: info.width, rows: info.height, channels };
};

/** All values of a picture, of grey or of one colour after the other. */
export const valuesOf = async (person: Person, path: string, query = '') => {
  const answer = await getFrom(person, `${path}/rendered?accept=image/png${query}`);
  expect(answer.statusCode).toBe(200);
  return (await pixelsOf(answer.rawPayload)).pixels;
};

/** 16 x 16 pixels of 16 bits, from 0 up, one more each. */
export const rampBytes = Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => index).buffer);

/** Without rescaling, so that what is stored is what is seen through the window. */
export const asStored = {
  RescaleSlope: undefined,
  RescaleIntercept: undefined,
  WindowCenter: undefined,
  WindowWidth: undefined,
};
export const fullWindow = '&window=128,256,linear-exact';
/** The greys of the ramp in that window. */
export const upward = Array.from({ length: 256 }, (_, index) => Math.round((index * 255) / 256));

export const colour = {
  SamplesPerPixel: 3,
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
  PhotometricInterpretation: 'RGB',
};
/** 16 x 16 pixels, all of them of other colours. */
export const rgb = Array.from({ length: 256 }, (_, index) => [index, 255 - index, 77]);
