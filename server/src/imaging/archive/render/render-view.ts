import { t } from '@radwork/contract/core/translate';
import type { ImageLook, KeyImagePicture } from '@radwork/contract/reading/key-images';
import { type DicomJson, numberOf, textOf } from '@radwork/dicom/dataset';
import { drawnSpacing, pixelShape } from '@radwork/dicom/image-grid';
import sharp from 'sharp';
import { Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { readMetadata } from '#imaging/archive/retrieve/read-metadata.ts';
import { windowAndTablesOf } from '#imaging/archive/pixels/image-description.ts';
import type { Window } from '#imaging/archive/pixels/pixel-format.ts';
import type { RenderedOptions } from './rendered-options.ts';
import type { ViewedAs } from '#imaging/archive/render-process/viewed-region.ts';
import { decodable } from './send-rendered-image.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';

/** A frame of an image as a user viewed it. */
export type ViewedImage = {
  studyUid: string;
  seriesUid: string;
  instanceUid: string;
  /** Counts from 1. */
  frame: number;
  look: ImageLook;
};

/** Pixels of the longest side. This is high enough for print: 250 dots per inch in a text column. */
const longestSide = 1024;
const quality = 85;

/**
 * Modalities whose window in the viewer has other units than the file. They show uptake, and the viewer's window is in
 * SUV.
 */
const inOtherUnits = new Set(['PT', 'NM']);

/**
 * Renders an image as a user viewed it, so that the rendered image can be inserted into a report. It contains only the
 * pixels, not the viewer's overlays. Writes the retrieval to the audit log like that of any image. Throws 404 when the
 * image is missing, and 422 when the image cannot be rendered.
 */
export const renderViewedImage = async (wado: Wado, session: Session, view: ViewedImage): Promise<KeyImagePicture> => {
  const study = await wado.objects.study(session, view.studyUid);
  await wado.retrievals.auditRetrieval(session, study);
  const instance = await wado.objects.instance(session, study, view.seriesUid, view.instanceUid);
  if (!instance.isRenderable)
    throw new Problem(422, 'rendered.no_image', t`This instance cannot be rendered as an image`);
  const metadata = await readMetadata(wado, session, instance);
  const { options, isWindowKept } = optionsFor(view, metadata);
  const picture = await wado.renderer.picture(session, decodable(instance), view.frame, options);
  const { width, height } = await sharp(picture).metadata();
  const src = `data:image/jpeg;base64,${picture.toString('base64')}`;
  return { src, width, height, place: placeOf(metadata, view.frame), isWindowKept };
};

const optionsFor = (
  view: ViewedImage,
  metadata: DicomJson,
): { options: RenderedOptions; isWindowKept: KeyImagePicture['isWindowKept'] } => {
  const { window: _, ...more } = view.look;
  const { isKept, window, ...light } = lightOf(view, metadata);
  const options = {
    mediaType: 'image/jpeg' as const,
    quality,
    viewport: { columns: longestSide, rows: longestSide },
    region: undefined,
    window,
    hasColorProfile: false,
    seen: { ...more, ...light, ...drawnSpacing(metadata, view.frame), shape: pixelShape(metadata, view.frame) },
  };
  return { options, isWindowKept: isKept };
};

type Light = Pick<ViewedAs, 'isThroughTable' | 'brightness'> & { window: Window | undefined; isKept: boolean };

const asTheFileSays: Light = { window: undefined, isThroughTable: false, brightness: null, isKept: true };

/**
 * Returns the window or table of a view. Grays without a window were viewed through a table. If the image has several
 * tables, the first is used, because the viewed one is unknown.
 */
const lightOf = ({ look, frame }: ViewedImage, metadata: DicomJson): Light => {
  if (inOtherUnits.has(textOf(metadata, 'Modality') ?? '')) return { ...asTheFileSays, isKept: false };
  const isGrey = (textOf(metadata, 'PhotometricInterpretation') ?? 'MONOCHROME2').startsWith('MONOCHROME');
  if (!isGrey) return { ...asTheFileSays, brightness: look.window };
  const { window: own, tables } = windowAndTablesOf(metadata, frame - 1);
  return look.window
    ? { ...asTheFileSays, window: windowBetween(look.window, own) }
    : { ...asTheFileSays, isThroughTable: tables > 0, isKept: tables <= 1 };
};

/** Returns the window between two values (PS3.3 §C.11.2.1.3), with the function that the image names. */
const windowBetween = ({ lower, upper }: NonNullable<ImageLook['window']>, own: Window | undefined): Window => ({
  center: (lower + upper) / 2,
  width: upper - lower,
  shape: own?.shape === 'sigmoid' ? 'sigmoid' : 'linear-exact',
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
