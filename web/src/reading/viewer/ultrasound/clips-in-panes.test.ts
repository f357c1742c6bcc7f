import { expect, test } from 'vitest';
import { type Clip, clipsOf } from '#reading/viewer/images/cine/clips.ts';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { clipAtOffset, clipsInPanes } from './clips-in-panes.ts';
import { factsOf, nameOfClip, notesOf } from './clip-text.ts';

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const clip = (uid: string, frames: number, more: object = {}): Clip => {
  const header = { [tag.SOPInstanceUID]: element(uid), ...more };
  const images = Array.from({ length: frames }, (_, at) => ({
    imageId: `${uid} ${at}`,
    header,
    frame: at + 1,
    numberOfFrames: frames,
    instanceNumber: 1,
    plane: undefined,
  }));
  const [one] = clipsOf('9.1', images);
  if (!one) throw new Error('There is one clip');
  return one;
};

const [still, first, second] = [clip('1', 1), clip('2', 4), clip('3', 4)];
const all = [still, first, second];

test('panes fill with clips from the first on, and a chosen clip stays in its pane', () => {
  expect(clipsInPanes(all, [], 4)).toEqual([first, second, undefined, undefined]);
  expect(clipsInPanes(all, [undefined, still], 2)).toEqual([first, still]);
  expect(clipsInPanes([still], [], 1)).toEqual([still]);
});

test('a chosen clip leaves its pane when it was rejected, and stays when its series was loaded again', () => {
  const [againFirst, againSecond] = [clip('2', 4), clip('3', 4)];
  expect(clipsInPanes([still, first], [second], 1)).toEqual([first]);
  expect(clipsInPanes([againFirst, againSecond], [second], 1)[0]).toBe(againSecond);
});

test('arrow keys move to the next and previous clip, and stop at both ends', () => {
  expect(clipAtOffset(all, first, 1)).toBe(second);
  expect(clipAtOffset(all, first, -1)).toBe(still);
  expect(clipAtOffset(all, second, 1)).toBeUndefined();
  expect(clipAtOffset(all, still, -1)).toBeUndefined();
  expect(clipAtOffset(all, undefined, 1)).toBe(still);
});

test('a clip shows its number of frames, rate and duration if they are known', () => {
  expect(factsOf(clip('4', 30, { [tag.FrameTime]: element(40) }))).toEqual(['30 frames', '25 fps', '1.2 s']);
  expect(factsOf(clip('4', 3, { [tag.FrameTime]: element(400) }))).toEqual(['3 frames', '2.5 fps', '1.2 s']);
  expect(factsOf(clip('4', 30))).toEqual(['30 frames']);
  expect(factsOf(still)).toEqual(['Still']);
});

test('the name of a clip is its view, or its series if it has no view', () => {
  expect(nameOfClip(clip('4', 2, { [tag.ViewName]: element('A4C'), [tag.SeriesDescription]: element('Echo') }))).toBe(
    'A4C',
  );
  expect(nameOfClip(clip('4', 2, { [tag.SeriesDescription]: element('Echo') }))).toBe('Echo');
  expect(nameOfClip(still)).toBe('No description');
});

test('a clip shows heart rate and mechanical index if they are recorded', () => {
  expect(notesOf(clip('4', 2, { [tag.HeartRate]: element(62), [tag.MechanicalIndex]: element(1.25) }))).toEqual([
    'HR 62 bpm',
    'MI 1.3',
  ]);
  expect(notesOf(still)).toEqual([]);
});
