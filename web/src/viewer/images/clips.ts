import { type DicomJson, numberOf, tag, textOf } from './dicom-json.ts';
import { type FilmTiming, timingOf } from './film-timing.ts';
import type { SeriesImage } from './series-loader.ts';

/** An instance of an ultrasound study: a film or a single picture. */
export type Clip = {
  /** Its SOP instance UID. */
  key: string;
  seriesInstanceUID: string;
  header: DicomJson;
  images: readonly SeriesImage[];
  timing: FilmTiming;
  /** Of a film, how long it is as recorded, in seconds. */
  seconds: number | undefined;
  /** Of stress echo: the stage ("Rest", "Peak") and the view, '' where the header does not name them. */
  stage: string;
  view: string;
};

export const isFilm = ({ images }: Clip): boolean => images.length > 1;

/** The clips of a series, in its order. */
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
  return name || (number === undefined ? '' : `${what} ${number}`);
};

export type ClipGroup = { stage: string; clips: Clip[] };

/** The clips stage by stage (PS3.3 §C.8.5.6, Stage Name), in the order of the first of each; one group where no stage is named. */
export const stagesOf = (clips: readonly Clip[]): ClipGroup[] =>
  [...Map.groupBy(clips, ({ stage }) => stage)].map(([stage, inStage]) => ({ stage, clips: inStage }));

/** What is opened first: the first film, else the first picture. */
export const firstClipOf = (clips: readonly Clip[]): Clip | undefined => clips.find(isFilm) ?? clips[0];
