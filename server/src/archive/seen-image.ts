import type { ImageLook, KeyImagePicture } from '@radwork/contract/key-images';
import { type DicomJson, numberOf, textOf } from '@radwork/dicom/dataset';
import { imageGrid } from '@radwork/dicom/image-grid';
import sharp from 'sharp';
import { Problem } from '#core/problem.ts';
import type { Session } from '#core/scope.ts';
import { readMetadata } from './read-metadata.ts';
import type { RenderedOptions } from './rendering/rendered-options.ts';
import { decodable } from './send-picture.ts';
import type { Wado } from './wado.ts';

/** A frame of an image, and how somebody saw it. */
export type SeenImage = {
  studyUid: string;
  seriesUid: string;
  instanceUid: string;
  /** From 1. */
  frame: number;
  look: ImageLook;
};

/** Enough for paper: across a column of text 250 dots an inch. */
const longestSide = 1024;
const quality = 85;

/** Uptake is windowed in SUV on the screen. */
const inOtherUnits = new Set(['PT', 'NM']);

/**
 * An image as somebody saw it, to be part of a text: the pixels alone, without what the screen writes over them. That
 * they have had it is written down, as of every picture. Throws a 404 where it is not, 422 where no picture can be made.
 */
export const drawSeen = async (wado: Wado, session: Session, seen: SeenImage): Promise<KeyImagePicture> => {
  const study = await wado.objects.study(session, seen.studyUid);
  await wado.retrievals.note(session, study);
  const instance = await wado.objects.instance(session, study, seen.seriesUid, seen.instanceUid);
  if (!instance.isRenderable) throw new Problem(422, 'rendered.no_image', 'Only images can be shown as pictures');
  const metadata = await readMetadata(wado, session, instance);
  const isWindowKept = !inOtherUnits.has(textOf(metadata, 'Modality') ?? '');
  const options = optionsFor(seen, metadata, isWindowKept);
  const picture = await wado.renderer.picture(session, decodable(instance), seen.frame, options);
  const { width, height } = await sharp(picture).metadata();
  const src = `data:image/jpeg;base64,${picture.toString('base64')}`;
  return { src, width, height, place: placeOf(metadata, seen.frame), isWindowKept };
};

const optionsFor = ({ look, frame }: SeenImage, metadata: DicomJson, isWindowKept: boolean): RenderedOptions => {
  const { window, ...more } = look;
  const { columnSpacing, rowSpacing } = imageGrid(metadata, frame);
  return {
    mediaType: 'image/jpeg',
    quality,
    viewport: { columns: longestSide, rows: longestSide },
    region: undefined,
    window: window && isWindowKept ? windowBetween(window) : undefined,
    hasColourProfile: false,
    seen: { ...more, columnSpacing, rowSpacing },
  };
};

/** The window that begins at one value and ends at the other (PS3.3 §C.11.2.1.3.2). */
const windowBetween = ({ lower, upper }: NonNullable<ImageLook['window']>): RenderedOptions['window'] => ({
  center: (lower + upper) / 2,
  width: upper - lower,
  shape: 'linear-exact',
});

const placeOf = (metadata: DicomJson, frame: number): string => {
  const numbered = (word: string, number: number | undefined) => (number === undefined ? [] : [`${word} ${number}`]);
  const frames = numberOf(metadata, 'NumberOfFrames') ?? 1;
  return [
    ...numbered('series', numberOf(metadata, 'SeriesNumber')),
    ...numbered('image', numberOf(metadata, 'InstanceNumber')),
    ...(frames > 1 ? [`frame ${frame}`] : []),
  ].join(', ');
};
