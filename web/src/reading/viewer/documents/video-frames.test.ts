import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { frameAt, framesOf, timeOf } from './video-frames.ts';

const of = (value: unknown) => ({ vr: 'DS', Value: [value] });

const header = (
  elements: Partial<Record<'NumberOfFrames' | 'FrameTime' | 'CineRate' | 'RecommendedDisplayFrameRate', number>>,
) => Object.fromEntries(Object.entries(elements).map(([keyword, value]) => [tag[keyword as 'FrameTime'], of(value)]));

test('steps through a video by the frame time of its header', () => {
  const frames = framesOf(header({ NumberOfFrames: 50, FrameTime: 40 }), 2);

  expect(frames).toEqual({ count: 50, duration: 0.04, speed: 1 });
  expect(frameAt(frames, 0)).toBe(1);
  expect(frameAt(frames, timeOf(frames, 17))).toBe(17);
  expect(timeOf(frames, 99)).toBe(timeOf(frames, 50));
});

test('steps by the stream if the frame time of the header contradicts it', () => {
  expect(framesOf(header({ NumberOfFrames: 50, FrameTime: 33 }), 5).duration).toBe(0.1);
  expect(framesOf(header({ NumberOfFrames: 10, CineRate: 30 }), 1).count).toBe(10);
});

test('a header without a number of frames leaves the rate to its cine rate, or else to 25 frames per second', () => {
  expect(framesOf(header({ CineRate: 10 }), 3).count).toBe(30);
  expect(framesOf({}, 2).count).toBe(50);
});

test('plays at the recommended display frame rate', () => {
  const frames = framesOf(header({ NumberOfFrames: 100, FrameTime: 10, RecommendedDisplayFrameRate: 25 }), 1);

  expect(frames.count).toBe(100);
  expect(frames.speed).toBeCloseTo(0.25);
});
