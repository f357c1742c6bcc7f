import type { Clip } from '#viewer/images/clips.ts';
import { isFilm } from '#viewer/images/clips.ts';
import { numberOf, tag, textOf } from '#viewer/images/dicom-json.ts';

/** Formats a rate in whole frames per second; slow clips with one decimal. */
export const rateText = (rate: number): string => (rate < 10 ? rate.toFixed(1).replace(/\.0$/, '') : rate.toFixed(0));

/** Name of a clip: its view, else its series description. */
export const nameOfClip = ({ header, view }: Clip): string =>
  view || textOf(header, tag.SeriesDescription) || 'No description';

/** Facts: "30 frames", "30 fps", "1.0 s", or "Still". An unknown rate is omitted. */
export const factsOf = (clip: Clip): string[] => {
  if (!isFilm(clip)) return ['Still'];
  const { images, timing, seconds } = clip;
  return [
    `${images.length} frames`,
    ...(timing.isRecorded ? [`${rateText(timing.rate)} fps`] : []),
    ...(seconds === undefined ? [] : [`${seconds.toFixed(1)} s`]),
  ];
};

/** Recorded values for the reader: heart rate and mechanical index (PS3.3 §C.8.5.6). */
export const notesOf = ({ header }: Clip): string[] => {
  const heartRate = numberOf(header, tag.HeartRate);
  const index = numberOf(header, tag.MechanicalIndex);
  return [
    ...(heartRate === undefined ? [] : [`HR ${Math.round(heartRate)} bpm`]),
    ...(index === undefined ? [] : [`MI ${index.toFixed(1)}`]),
  ];
};
