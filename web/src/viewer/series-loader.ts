import { metaData } from '@cornerstonejs/metadata';
import { archive } from '@radwork/contract/archive';
import { queryOptions } from '@tanstack/react-query';
import { callStream } from '#core/api.ts';
import { type DicomJson, numberOf, tag, textOf } from './dicom-json.ts';
import { type ImagePlane, planeOf } from './image-plane.ts';
import { inReadingOrder } from './reading-order.ts';

/** One picture of a series: an instance, or one frame of it. `imageId` is where the imaging library fetches it. */
export type SeriesImage = {
  imageId: string;
  header: DicomJson;
  frame: number;
  numberOfFrames: number;
  instanceNumber: number | undefined;
  plane: ImagePlane | undefined;
};

const wadoPrefix = '/api/wado-rs';

/** Metadata of a series of thousands of images may take its time. */
const patience = 120_000;

const imagesOf = (header: DicomJson, seriesPath: string): SeriesImage[] => {
  const instance = textOf(header, tag.SOPInstanceUID);
  const isPicture = instance !== '' && (numberOf(header, tag.Rows) ?? 0) > 0;
  if (!isPicture) return [];
  const numberOfFrames = Math.max(1, numberOf(header, tag.NumberOfFrames) ?? 1);
  return Array.from({ length: numberOfFrames }, (_, index) => ({
    imageId: `wadors:${seriesPath}/instances/${instance}/frames/${index + 1}`,
    header,
    frame: index + 1,
    numberOfFrames,
    instanceNumber: numberOf(header, tag.InstanceNumber),
    plane: planeOf(header, index + 1),
  }));
};

/** Tells the imaging library what it must know before it loads a frame. What it knew of the instance is replaced. */
const describe = ({ imageId, header }: SeriesImage) => {
  metaData.clearQuery('naturalized', imageId.replace(/\/frames\/\d+$/, ''));
  metaData.addMetaData('naturalized', imageId, { dicomwebJson: header });
};

/** Reads a series by its metadata (PS3.18 §10.4.1.1.2). Throws ApiError. */
const loadSeries = async (studyUid: string, seriesUid: string, signal: AbortSignal): Promise<SeriesImage[]> => {
  const response = await callStream(wadoPrefix, archive.seriesMetadata, {
    params: { studyUid, seriesUid },
    accept: 'application/dicom+json',
    timeout: patience,
    signal,
  });
  const headers: DicomJson[] = await response.json();
  const images = headers.flatMap((header) => imagesOf(header, `${wadoPrefix}/studies/${studyUid}/series/${seriesUid}`));
  for (const image of images) if (image.frame === 1) describe(image);
  return inReadingOrder(images);
};

/** The pictures of a series in reading order, none for a series without pictures. Read once and kept. */
export const seriesImages = (studyUid: string, seriesUid: string) =>
  queryOptions({
    queryKey: ['viewer', 'images', studyUid, seriesUid],
    queryFn: ({ signal }) => loadSeries(studyUid, seriesUid, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The frames of a series that may be played, per second (PS3.3 §C.7.6.5); undefined where the header does not say. */
export const frameRateOf = (header: DicomJson): number | undefined => {
  const recommended = numberOf(header, tag.RecommendedDisplayFrameRate);
  const frameTime = numberOf(header, tag.FrameTime);
  return recommended || (frameTime ? 1000 / frameTime : numberOf(header, tag.CineRate)) || undefined;
};
