import { plural, t } from '@lingui/core/macro';
import type { Clip } from '#reading/viewer/images/cine/clips.ts';
import { isCine } from '#reading/viewer/images/cine/clips.ts';
import { numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';

/** Formats a frame rate: without decimals, or with one decimal if the rate is below 10. */
export const rateText = (rate: number): string => (rate < 10 ? rate.toFixed(1).replace(/\.0$/, '') : rate.toFixed(0));

/** Returns the text about the rate that is actually drawn, compared with the requested rate. */
export const rateReached = (reached: number, requestedRate: number): string => {
  const drawn = rateText(reached);
  const wanted = rateText(requestedRate);
  return t`${drawn} of ${wanted} fps`;
};

/** Returns the name of a clip: its view, or else its series description. */
export const nameOfClip = ({ header, view }: Clip): string =>
  view || textOf(header, tag.SeriesDescription) || t`No description`;

/** Returns facts about a clip: "30 frames", "30 fps", "1.0 s", or "Still". Leaves out an unknown rate. */
export const factsOf = (clip: Clip): string[] => {
  if (!isCine(clip)) return [t`Still`];
  const { images, timing, seconds } = clip;
  const count = images.length;
  const rate = rateText(timing.rate);
  const length = seconds?.toFixed(1);
  return [
    t`${plural(count, { one: '# frame', other: '# frames' })}`,
    ...(timing.isRecorded ? [t`${rate} fps`] : []),
    ...(length === undefined ? [] : [t`${length} s`]),
  ];
};

/** Returns recorded values: heart rate and mechanical index (PS3.3 §C.8.5.6). */
export const notesOf = ({ header }: Clip): string[] => {
  const heartRate = numberOf(header, tag.HeartRate);
  const index = numberOf(header, tag.MechanicalIndex);
  return [
    ...(heartRate === undefined ? [] : [`HR ${Math.round(heartRate)} bpm`]),
    ...(index === undefined ? [] : [`MI ${index.toFixed(1)}`]),
  ];
};
