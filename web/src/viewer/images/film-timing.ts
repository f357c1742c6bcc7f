import { type DicomJson, numberOf, numbersOf, tag } from './dicom-json.ts';

/** For stacks that were not recorded as a film, in frames per second. */
const leisurely = 10;

/** How a film is meant to be played, from its header (PS3.3 §C.7.6.5, C.7.6.6). */
export type FilmTiming = {
  /** How long each frame stays, in milliseconds; all the same unless the header lists them. */
  durations: readonly number[];
  /** Frames per second, on average. */
  rate: number;
  /** Whether the header says so; otherwise it is a guess. */
  isRecorded: boolean;
  /** Back and forth, instead of from the end to the beginning. */
  isSwinging: boolean;
  /** The first and last frame that are meant to be shown, from 0. */
  first: number;
  last: number;
};

/**
 * How long each frame stays. What the header recommends comes first, then what was recorded. The list of increments
 * begins with that of the first frame, which is 0: each says how long the frame before it lasted.
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

/** A trim counts frames from 1; what lies outside the film or leaves nothing of it does not count. */
const trimOf = (header: DicomJson, count: number): [first: number, last: number] => {
  const first = (numberOf(header, tag.StartTrim) ?? 1) - 1;
  const last = (numberOf(header, tag.StopTrim) ?? count) - 1;
  return first >= 0 && last < count && first < last ? [first, last] : [0, count - 1];
};

export const timingOf = (header: DicomJson, count: number): FilmTiming => {
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
