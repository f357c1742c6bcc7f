import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { timingOf } from './cine-timing.ts';

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

test('the timing of a cine comes from the recommended rate, then the frame time, then the acquisition rate', () => {
  const recorded = { [tag.CineRate]: element(25) };
  const timed = { ...recorded, [tag.FrameTime]: element('50.0') };
  const recommended = { ...timed, [tag.RecommendedDisplayFrameRate]: element(30) };

  expect([recommended, timed, recorded].map((header) => Math.round(timingOf(header, 4).rate))).toEqual([30, 20, 25]);
  expect(timingOf(recorded, 4).isRecorded).toBe(true);
});

test('a cine without timing plays slowly, and its rate counts as not recorded', () => {
  expect(timingOf({}, 4)).toMatchObject({ rate: 10, isRecorded: false });
  expect(timingOf({ [tag.FrameTime]: element(0) }, 4).isRecorded).toBe(false);
});

test('frame durations come from a list of increments, and the last frame lasts their mean', () => {
  const timing = timingOf({ [tag.FrameTimeVector]: element(0, 20, 40) }, 3);

  expect(timing.durations).toEqual([20, 40, 30]);
  expect(timing.rate).toBeCloseTo(1000 / 30);
});

test('a list of increments that does not fit the number of frames is ignored', () => {
  expect(timingOf({ [tag.FrameTimeVector]: element(0, 20) }, 3).isRecorded).toBe(false);
  expect(timingOf({ [tag.FrameTimeVector]: element(0, 20, -5) }, 3).isRecorded).toBe(false);
});

test('a trim counts frames from 1, and a trim that leaves no frame is ignored', () => {
  const trimmed = (start: number, stop: number) =>
    timingOf({ [tag.StartTrim]: element(start), [tag.StopTrim]: element(stop) }, 10);

  expect(trimmed(3, 7)).toMatchObject({ first: 2, last: 6 });
  expect(trimmed(8, 3)).toMatchObject({ first: 0, last: 9 });
  expect(trimmed(2, 30)).toMatchObject({ first: 0, last: 9 });
});

test('the header says whether a cine sweeps back and forth', () => {
  expect(timingOf({ [tag.PreferredPlaybackSequencing]: element(1) }, 3).isSwinging).toBe(true);
  expect(timingOf({ [tag.PreferredPlaybackSequencing]: element(0) }, 3).isSwinging).toBe(false);
});
