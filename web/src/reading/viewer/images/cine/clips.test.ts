import { expect, test } from 'vitest';
import { clipsOf, firstClipOf, isCine, stagesOf } from './clips.ts';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';

const element = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const header = (uid: string, more: DicomJson = {}): DicomJson => ({ [tag.SOPInstanceUID]: element(uid), ...more });

const frames = (of: DicomJson, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    imageId: `${count - at}`,
    header: of,
    frame: count - at,
    numberOfFrames: count,
    instanceNumber: 1,
    plane: undefined,
  }));

test('each multi-frame instance becomes one clip with its frames in order and its duration', () => {
  const cine = header('1.1', { [tag.FrameTime]: element(40) });
  const still = header('1.2');

  const clips = clipsOf('9.1', [...frames(cine, 3), ...frames(still, 1)]);

  expect(clips.map((clip) => [clip.key, isCine(clip), clip.seconds])).toEqual([
    ['1.1', true, 0.12],
    ['1.2', false, undefined],
  ]);
  expect(clips[0]?.images.map(({ frame }) => frame)).toEqual([1, 2, 3]);
});

test('a cine without recorded timing has no duration', () => {
  expect(clipsOf('9.1', frames(header('1.1'), 3))[0]?.seconds).toBeUndefined();
});

test('the first cine opens first, even if a still image precedes it', () => {
  const clips = clipsOf('9.1', [...frames(header('1.1'), 1), ...frames(header('1.2'), 2)]);

  expect(firstClipOf(clips)?.key).toBe('1.2');
  expect(firstClipOf(clips.slice(0, 1))?.key).toBe('1.1');
});

test('clips of stress echo are grouped by stage and view, by number if stages have no name', () => {
  const of = (uid: string, stage: string, view: number) =>
    header(uid, { [tag.StageName]: element(stage), [tag.ViewNumber]: element(view) });
  const clips = ['Rest', 'Peak', 'Rest'].flatMap((stage, at) => clipsOf('9.1', frames(of(`1.${at}`, stage, at), 2)));

  const stages = stagesOf(clips);

  expect(stages.map(({ stage, clips: inStage }) => [stage, ...inStage.map(({ view }) => view)])).toEqual([
    ['Rest', 'View 0', 'View 2'],
    ['Peak', 'View 1'],
  ]);
});
