import { newUid } from '@radwork/dicom/uid';
import sharp from 'sharp';
import { expect } from 'vitest';
import { getFrom, storeAs } from './archive-calls.ts';
import { image } from './multipart-upload.ts';
import type { Person, World } from './world.ts';

export type Elements = NonNullable<Parameters<typeof image>[0]>;

/** Stores one image as a new user and returns its paths below WADO-RS. */
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

/** Decodes the pixels of a rendered image. */
export const pixelsOf = async (picture: Buffer) => {
  const { channels } = await sharp(picture).metadata();
  const image = channels === 1 ? sharp(picture).toColourspace('b-w') : sharp(picture);
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
  return { pixels: [...data], columns: info.width, rows: info.height, channels };
};

/** Returns all gray or color values of a rendered image, channel by channel. */
export const valuesOf = async (person: Person, path: string, query = '') => {
  const answer = await getFrom(person, `${path}/rendered?accept=image/png${query}`);
  expect(answer.statusCode).toBe(200);
  return (await pixelsOf(answer.rawPayload)).pixels;
};

/** 16 x 16 pixels of 16 bits with the values 0 to 255. */
export const rampBytes = Buffer.from(Uint16Array.from({ length: 256 }, (_, index) => index).buffer);

/** Removes rescaling, so the window applies to the stored values. */
export const asStored = {
  RescaleSlope: undefined,
  RescaleIntercept: undefined,
  WindowCenter: undefined,
  WindowWidth: undefined,
};
export const fullWindow = '&window=128,256,linear-exact';
/** The gray values of the ramp in that window. */
export const upward = Array.from({ length: 256 }, (_, index) => Math.round((index * 255) / 256));

export const colour = {
  SamplesPerPixel: 3,
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
  PhotometricInterpretation: 'RGB',
};
/** 16 x 16 pixels, each with a different color. */
export const rgb = Array.from({ length: 256 }, (_, index) => [index, 255 - index, 77]);
