import { type DicomJson, numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { timingOf } from '#reading/viewer/images/cine/cine-timing.ts';

/** Frames of a stream, in its own time. */
export type VideoFrames = {
  count: number;
  /** Duration of one frame in the stream, in seconds. */
  duration: number;
  /** Speed at which the header wants the stream to play (PS3.3 §C.7.6.5, Recommended Display Frame Rate). */
  speed: number;
};

/** Largest deviation between the header and the stream that is still rounding. */
const tolerance = 0.05;
const [slowest, fastest] = [0.0625, 16];

/**
 * Returns the frames of a video of `seconds`. The rate of the header is used where it agrees with the stream. Otherwise
 * the frames share the length of the stream, so that each step shows another frame.
 */
export const framesOf = (header: DicomJson, seconds: number): VideoFrames => {
  const declared = numberOf(header, tag.NumberOfFrames) ?? 1;
  const { rate, isRecorded } = timingOf({ ...header, [tag.RecommendedDisplayFrameRate]: { vr: 'IS' } }, declared);
  const own = isRecorded ? 1 / rate : undefined;
  const agrees = own !== undefined && Math.abs(declared * own - seconds) <= Math.max(2 * own, tolerance * seconds);
  const duration = (agrees || declared <= 1 ? own : undefined) ?? (declared > 1 ? seconds / declared : 1 / 25);
  const recommended = numberOf(header, tag.RecommendedDisplayFrameRate);
  const speed = recommended && recommended > 0 ? recommended * duration : 1;
  return {
    count: Math.max(1, Math.round(seconds / duration)),
    duration,
    speed: Math.abs(speed - 1) < tolerance ? 1 : Math.min(fastest, Math.max(slowest, speed)),
  };
};

/** Returns the frame at a time of the stream. Frames count from 1. */
export const frameAt = ({ count, duration }: VideoFrames, time: number): number =>
  Math.min(count, Math.max(1, Math.floor(time / duration + 0.01) + 1));

/** Returns the time in the middle of a frame, because browsers round a time at its edge in either direction. */
export const timeOf = ({ count, duration }: VideoFrames, frame: number): number =>
  (Math.min(count, Math.max(1, frame)) - 0.5) * duration;
