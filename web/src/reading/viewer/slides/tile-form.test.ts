import { expect, test } from 'vitest';
import { tag } from '#reading/viewer/images/header/dicom-json.ts';
import { grayWindowOf } from './tile-form.ts';

const gray = {
  [tag.SamplesPerPixel]: { vr: 'US', Value: [1] },
  [tag.BitsStored]: { vr: 'US', Value: [12] },
};

test('all tiles of a gray slide without a window are drawn with the whole range of stored values', () => {
  expect(grayWindowOf(gray)).toBe('2047.5,4095,linear-exact');
});

test('a gray slide with a window keeps it, in the header or in the shared groups', () => {
  const window = { [tag.WindowCenter]: { vr: 'DS', Value: [300] }, [tag.WindowWidth]: { vr: 'DS', Value: [600] } };
  const shared = { [tag.FrameVOILUTSequence]: { vr: 'SQ', Value: [window] } };

  expect(grayWindowOf({ ...gray, ...window })).toBeUndefined();
  expect(
    grayWindowOf({ ...gray, [tag.SharedFunctionalGroupsSequence]: { vr: 'SQ', Value: [shared] } }),
  ).toBeUndefined();
});

test('a slide in color needs no window', () => {
  expect(grayWindowOf({ ...gray, [tag.SamplesPerPixel]: { vr: 'US', Value: [3] } })).toBeUndefined();
});
