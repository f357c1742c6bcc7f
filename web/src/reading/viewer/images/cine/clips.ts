import { t } from '@lingui/core/macro';
import { type DicomJson, numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type CineTiming, timingOf } from './cine-timing.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';

/** Instance of an ultrasound study: a cine or a still image. */
export type Clip = {
  /** SOPInstanceUID. */
  key: string;
  seriesInstanceUID: string;
  header: DicomJson;
  images: readonly SeriesImage[];
  timing: CineTiming;
  /** Recorded duration of a cine, in seconds. */
  seconds: number | undefined;
  /** Stage ("Rest", "Peak") and view of a stress echo; '' if the header has none. */
  stage: string;
  view: string;
};

export const isCine = ({ images }: Clip): boolean => images.length > 1;

/** Returns the clips of a series. They are in the order of the images of the series. */
export const clipsOf = (seriesInstanceUID: string, images: readonly SeriesImage[]): Clip[] => {
  const byInstance = Map.groupBy(images, ({ header }) => header);
  return [...byInstance].map(([header, frames]): Clip => {
    const inOrder = frames.toSorted((one, other) => one.frame - other.frame);
    const timing = timingOf(header, inOrder.length);
    const total = timing.durations.reduce((sum, duration) => sum + duration, 0);
    return {
      key: textOf(header, tag.SOPInstanceUID),
      seriesInstanceUID,
      header,
      images: inOrder,
      timing,
      seconds: inOrder.length > 1 && timing.isRecorded ? total / 1000 : undefined,
      stage: nameOf(header, 'Stage'),
      view: nameOf(header, 'View'),
    };
  });
};

const nameOf = (header: DicomJson, what: 'Stage' | 'View'): string => {
  const name = textOf(header, tag[`${what}Name`]);
  const number = numberOf(header, tag[`${what}Number`]);
  if (name || number === undefined) return name;
  return what === 'Stage' ? t`Stage ${number}` : t`View ${number}`;
};

export type ClipGroup = { stage: string; clips: Clip[] };

/**
 * Groups clips by stage (PS3.3 §C.8.5.6, Stage Name), in the order of their first clips. Returns one group if no stage
 * is named.
 */
export const stagesOf = (clips: readonly Clip[]): ClipGroup[] =>
  [...Map.groupBy(clips, ({ stage }) => stage)].map(([stage, inStage]) => ({ stage, clips: inStage }));

/** Returns the clip to open first: the first cine, or else the first image. */
export const firstClipOf = (clips: readonly Clip[]): Clip | undefined => clips.find(isCine) ?? clips[0];
