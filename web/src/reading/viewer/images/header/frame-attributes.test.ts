import { expect, test } from 'vitest';
import { type DicomJson, numberOf, numbersOf, tag, textOf, textsOf } from './dicom-json.ts';
import { asWritten, withFrameAtTop } from './frame-attributes.ts';

const element = (...Value: unknown[]) => ({ vr: 'UN', Value });
const coronal = [-1, 0, 0, 0, 0, -1];
const oblique = [0.8, 0.6, 0, 0, 0, -1];

const shared = {
  [tag.PlaneOrientationSequence]: element({ [tag.ImageOrientationPatient]: element(...coronal) }),
  [tag.PixelMeasuresSequence]: element({
    [tag.PixelSpacing]: element(0.7, 0.6),
    [tag.SliceThickness]: element(5),
    [tag.SpacingBetweenSlices]: element(6),
  }),
  [tag.PixelValueTransformationSequence]: element({
    [tag.RescaleIntercept]: element(-1024),
    [tag.RescaleSlope]: element(2),
    [tag.RescaleType]: element('HU'),
  }),
};
const frame = {
  [tag.PlanePositionSequence]: element({ [tag.ImagePositionPatient]: element(-180, -180, 10) }),
  [tag.FrameVOILUTSequence]: element({
    [tag.WindowCenter]: element(40, -600),
    [tag.WindowWidth]: element(400, 1500),
    [tag.WindowCenterWidthExplanation]: element('SOFT', 'LUNG'),
    [tag.VOILUTFunction]: element('LINEAR_EXACT'),
  }),
};

const enhanced = (numberOfFrames: DicomJson, more: DicomJson = {}, ofFrame: DicomJson = frame): DicomJson => ({
  [tag.SharedFunctionalGroupsSequence]: element(shared),
  [tag.PerFrameFunctionalGroupsSequence]: element(ofFrame),
  ...numberOfFrames,
  ...more,
});

test.each([
  ['1', { [tag.NumberOfFrames]: element(1) }],
  ['"1"', { [tag.NumberOfFrames]: element('1') }],
  ['missing', {}],
  ['empty', { [tag.NumberOfFrames]: { vr: 'IS' } }],
])(
  'if the number of frames is %s, the functional groups of the frame are copied to the top level',
  (_, numberOfFrames) => {
    const header = withFrameAtTop(enhanced(numberOfFrames));

    expect(numbersOf(header, tag.ImagePositionPatient)).toEqual([-180, -180, 10]);
    expect(numbersOf(header, tag.ImageOrientationPatient)).toEqual(coronal);
    expect(numbersOf(header, tag.PixelSpacing)).toEqual([0.7, 0.6]);
    expect([tag.SliceThickness, tag.SpacingBetweenSlices].map((one) => numberOf(header, one))).toEqual([5, 6]);
    expect([tag.RescaleIntercept, tag.RescaleSlope].map((one) => numberOf(header, one))).toEqual([-1024, 2]);
    expect(textOf(header, tag.RescaleType)).toBe('HU');
    expect(numbersOf(header, tag.WindowCenter)).toEqual([40, -600]);
    expect(numbersOf(header, tag.WindowWidth)).toEqual([400, 1500]);
    expect(textsOf(header, tag.WindowCenterWidthExplanation)).toEqual(['SOFT', 'LUNG']);
    expect(textOf(header, tag.VOILUTFunction)).toBe('LINEAR_EXACT');
  },
);

test("the frame's functional group takes precedence over the shared group, and both over the top level", () => {
  const ofFrame = { [tag.PlaneOrientationSequence]: element({ [tag.ImageOrientationPatient]: element(...oblique) }) };
  const top = {
    [tag.ImageOrientationPatient]: element(1, 0, 0, 0, 1, 0),
    [tag.RescaleIntercept]: element(0),
  };
  const header = withFrameAtTop(enhanced({}, top, ofFrame));

  expect(numbersOf(header, tag.ImageOrientationPatient)).toEqual(oblique);
  expect(numberOf(header, tag.RescaleIntercept)).toBe(-1024);
});

test('the top level is used where the functional groups have no value', () => {
  const empty = {
    [tag.PlanePositionSequence]: element({ [tag.ImagePositionPatient]: { vr: 'DS' } }),
    [tag.FrameVOILUTSequence]: { vr: 'SQ' },
  };
  const top = { [tag.ImagePositionPatient]: element(1, 2, 3), [tag.WindowCenter]: element(50) };
  const header = withFrameAtTop(enhanced({}, top, empty));

  expect(numbersOf(header, tag.ImagePositionPatient)).toEqual([1, 2, 3]);
  expect(numberOf(header, tag.WindowCenter)).toBe(50);
});

test('the list of tags shows the header as it is in the file', () => {
  const file = enhanced({}, { [tag.RescaleIntercept]: element(0) });

  expect(asWritten(withFrameAtTop(file))).toBe(file);
});

test('headers of several frames or without functional groups stay unchanged', () => {
  const several = enhanced({ [tag.NumberOfFrames]: element(2) });
  const plain = { [tag.ImagePositionPatient]: element(1, 2, 3) };

  expect(withFrameAtTop(several)).toBe(several);
  expect(withFrameAtTop(plain)).toBe(plain);
  expect(asWritten(plain)).toBe(plain);
});
