import { expect, test } from 'vitest';
import { type DicomJson, tag } from './dicom-json.ts';
import { withUsableScale } from './usable-scale.ts';

const spacing = (...Value: unknown[]): DicomJson => ({ [tag.PixelSpacing]: { vr: 'DS', Value } });
const rows: DicomJson = { [tag.Rows]: { vr: 'US', Value: [64] } };

test.each([
  ['zero', [0, 0]],
  ['zero in one direction', [0.5, 0]],
  ['negative', [-1, -1]],
  ['a single number', [0.5]],
  ['not a number', ['wide', 'high']],
  ['empty', []],
])('a pixel size that is %s is removed, and the rest of the header stays', (_, spacingValues) => {
  expect(withUsableScale({ ...rows, ...spacing(...spacingValues) })).toEqual(rows);
});

test('a valid pixel size stays as written', () => {
  const header = { ...rows, ...spacing(0.5, '0.7') };

  expect(withUsableScale(header)).toEqual(header);
});

test('the pixel size of each frame of an enhanced image is checked separately', () => {
  const frame = (...Value: number[]) => ({ [tag.PixelMeasuresSequence]: { vr: 'SQ', Value: [spacing(...Value)] } });
  const enhanced = (...Value: DicomJson[]): DicomJson => ({
    [tag.PerFrameFunctionalGroupsSequence]: { vr: 'SQ', Value },
  });

  expect(withUsableScale(enhanced(frame(2, 2), frame(0, 0)))).toEqual(
    enhanced(frame(2, 2), { [tag.PixelMeasuresSequence]: { vr: 'SQ', Value: [{}] } }),
  );
});

test.each([tag.DistanceSourceToPatient, tag.DistanceSourceToEntrance])(
  'a distance of zero from the X-ray source (%s) counts as unknown',
  (distance) => {
    const at = (millimetres: number): DicomJson => ({ ...rows, [distance]: { vr: 'DS', Value: [millimetres] } });

    expect(withUsableScale(at(0))).toEqual(rows);
    expect(withUsableScale(at(900))).toEqual(at(900));
  },
);
