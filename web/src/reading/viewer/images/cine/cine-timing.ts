import { type DicomJson, numberOf, numbersOf, tag } from '#reading/viewer/images/header/dicom-json.ts';

/** Frame rate for stacks without recorded timing, in frames per second. */
const leisurely = 10;

/** Playback of a cine as its header intends (PS3.3 §C.7.6.5, C.7.6.6). */
export type CineTiming = {
  /** Duration of each frame in milliseconds. All are equal unless the header lists them. */
  durations: readonly number[];
  /** Mean rate in frames per second. */
  rate: number;
  /** Whether the timing comes from the header. If not, it is a default. */
  isRecorded: boolean;
  /** Whether the cine plays back and forth instead of in a loop. */
  isSwinging: boolean;
  /** First and last frame to show, from 0. */
  first: number;
  last: number;
};

/**
 * Returns the duration of each frame in ms. A recommended rate takes precedence over recorded rates. In a list of
 * increments, each value is the duration of the previous frame, so the first value is 0. The last frame then gets the
 * mean duration.
 */
const durationsOf = (header: DicomJson, count: number): number[] | undefined => {
  const every = (duration: number) => Array.from({ length: count }, () => duration);
  const recommended = numberOf(header, tag.RecommendedDisplayFrameRate);
  if (recommended && recommended > 0) return every(1000 / recommended);
  const frameTime = numberOf(header, tag.FrameTime);
  if (frameTime && frameTime > 0) return every(frameTime);
  const increments = numbersOf(header, tag.FrameTimeVector).slice(1, count);
  if (count > 1 && increments.length === count - 1 && increments.every((increment) => increment > 0)) {
    const mean = increments.reduce((sum, increment) => sum + increment, 0) / increments.length;
    return [...increments, mean];
  }
  const cineRate = numberOf(header, tag.CineRate);
  return cineRate && cineRate > 0 ? every(1000 / cineRate) : undefined;
};

/**
 * Reads the range of frames to play (trim), which the header counts from 1. If the range is empty or exceeds the cine,
 * returns all frames.
 */
const trimOf = (header: DicomJson, count: number): [first: number, last: number] => {
  const first = (numberOf(header, tag.StartTrim) ?? 1) - 1;
  const last = (numberOf(header, tag.StopTrim) ?? count) - 1;
  return first >= 0 && last < count && first < last ? [first, last] : [0, count - 1];
};

export const timingOf = (header: DicomJson, count: number): CineTiming => {
  const recorded = durationsOf(header, count);
  const durations = recorded ?? Array.from({ length: count }, () => 1000 / leisurely);
  const total = durations.reduce((sum, duration) => sum + duration, 0);
  const [first, last] = trimOf(header, count);
  return {
    durations,
    rate: (1000 * count) / total,
    isRecorded: recorded !== undefined,
    isSwinging: numberOf(header, tag.PreferredPlaybackSequencing) === 1,
    first,
    last,
  };
};
