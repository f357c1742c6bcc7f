import { queryOptions } from '@tanstack/react-query';
import { prefetchHeaders } from '#core/http/prefetch.ts';
import { learnDecoding } from '#reading/viewer/images/header/browser-decoding.ts';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { learnDensity } from '#reading/viewer/images/values/density-unit.ts';
import { withFrameAtTop } from '#reading/viewer/images/header/frame-attributes.ts';
import { type ImagePlane, planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { learnTables } from '#reading/viewer/images/gray/lookup-tables.ts';
import { learnShape } from '#reading/viewer/images/geometry/pixel-shape.ts';
import type { ImagePhase } from './image-phases.ts';
import { inReadingOrder } from './reading-order.ts';
import { pathOfSeries, readHeaders } from './series-headers.ts';
import { learnRegions } from '#reading/viewer/images/header/ultrasound-regions.ts';
import { learnPadding } from '#reading/viewer/images/values/padding.ts';
import { withUsableRescale } from '#reading/viewer/images/header/usable-rescale.ts';
import { isSlideImage } from '#reading/viewer/images/header/slide-image.ts';
import { isVideo } from '#reading/viewer/images/header/video-syntax.ts';
import { learnUptake } from '#reading/viewer/images/values/uptake-scaling.ts';

/** Image of a series: an instance, or one frame of an instance. The imaging library loads it by `imageId`. */
export type SeriesImage = {
  imageId: string;
  header: DicomJson;
  frame: number;
  numberOfFrames: number;
  instanceNumber: number | undefined;
  plane: ImagePlane | undefined;
  /** Phase of the image. Only in a series that shows the same positions several times. */
  phase?: ImagePhase | undefined;
};

type Listener = (images: readonly SeriesImage[]) => void;

let listener: Listener | undefined;
let unreportedSeries: (readonly SeriesImage[])[] = [];

/** Tells the listener which images of a series were loaded. */
const reportSeriesRead = (images: readonly SeriesImage[]) => {
  if (listener) listener(images);
  else unreportedSeries.push(images);
};

/** Calls `notify` for each loaded series. Series loaded before the imaging library was ready are reported at once. */
export const onSeriesRead = (notify: Listener) => {
  listener = notify;
  const before = unreportedSeries;
  unreportedSeries = [];
  before.forEach(notify);
};

const idOfImage = (seriesPath: string, instanceUid: string, frame: number) =>
  `wadors:${seriesPath}/instances/${instanceUid}/frames/${frame}`;

/** Returns the ID of a frame in the imaging library. Frames count from 1. */
export const imageIdOf = (studyUid: string, seriesUid: string, instanceUid: string, frame: number): string =>
  idOfImage(pathOfSeries(studyUid, seriesUid), instanceUid, frame);

/** Returns the SOPInstanceUID in an image ID; '' if it has none. */
export const sopInstanceOf = (imageId: string): string => /\/instances\/([\d.]+)\//.exec(imageId)?.[1] ?? '';

const imagesOf = (header: DicomJson, seriesPath: string): SeriesImage[] => {
  const instance = textOf(header, tag.SOPInstanceUID);
  const isPicture = instance !== '' && (numberOf(header, tag.Rows) ?? 0) > 0;
  // A video has no frames that the server sends on their own. It is shown as a document. A slide is shown by tiles.
  if (!isPicture || isVideo(header) || isSlideImage(header)) return [];
  const numberOfFrames = Math.max(1, numberOf(header, tag.NumberOfFrames) ?? 1);
  return Array.from({ length: numberOfFrames }, (_, index) => ({
    imageId: idOfImage(seriesPath, instance, index + 1),
    header,
    frame: index + 1,
    numberOfFrames,
    instanceNumber: numberOf(header, tag.InstanceNumber),
    plane: planeOf(header, index + 1),
  }));
};

/** Records facts about an instance, for callers that have only its image ID. */
const learn = ({ imageId, header }: SeriesImage) => {
  learnRegions(imageId, header);
  learnDecoding(imageId, header);
  learnDensity(imageId, header);
  learnShape(imageId, header);
  learnTables(imageId, header);
  learnPadding(imageId, header);
};

/** Number of instances when the series was loaded, including instances without images. */
const counted = new Map<string, number>();

export const instancesRead = (studyUid: string, seriesUid: string): number =>
  counted.get(pathOfSeries(studyUid, seriesUid)) ?? 0;

/** Loads the headers of a series. Throws ApiError. */
const loadSeries = async (...call: Parameters<typeof readHeaders>): Promise<SeriesImage[]> => {
  const [studyUid, seriesUid] = call;
  const headers = await readHeaders(...call);
  counted.set(pathOfSeries(studyUid, seriesUid), headers.length);
  const images = headers.flatMap((header) =>
    imagesOf(withUsableRescale(withFrameAtTop(header)), pathOfSeries(studyUid, seriesUid)),
  );
  for (const image of images) if (image.frame === 1) learn(image);
  learnUptake(images);
  reportSeriesRead(images);
  return inReadingOrder(images);
};

/** Beginning of the query keys for all images of a study. */
export const imagesOfStudy = (studyUid: string) => ['viewer', 'images', studyUid];

/**
 * Query for the images of a series in reading order. It is empty for a series without images. It is loaded once and
 * cached.
 */
export const seriesImages = (studyUid: string, seriesUid: string) =>
  queryOptions({
    queryKey: [...imagesOfStudy(studyUid), seriesUid],
    queryFn: ({ signal, meta }) => loadSeries(studyUid, seriesUid, signal, prefetchHeaders(meta)),
    staleTime: Number.POSITIVE_INFINITY,
  });
