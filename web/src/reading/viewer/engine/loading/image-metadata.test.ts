import { metaData, registerDefaultProviders } from '@cornerstonejs/metadata';
import { beforeAll, expect, test } from 'vitest';
import { type DicomJson, itemsOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { withFrameAtTop } from '#reading/viewer/images/header/frame-attributes.ts';
import { planeOf } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { learnUptake } from '#reading/viewer/images/values/uptake-scaling.ts';
import { describeImages, isLaidAsKnown, provideUptake } from './image-metadata.ts';

const element = (vr: string, ...values: unknown[]) => ({ vr, Value: values });

/** PET image that the imaging library treats as SUV by body weight, whatever its SUVType says. */
const image = (number: number, type: string) => ({
  imageId: `wadors:/studies/1/series/${type}/instances/1.${number}/frames/1`,
  header: {
    '00080018': element('UI', `1.${number}`),
    '00080021': element('DA', '20261112'),
    '00080022': element('DA', '20261112'),
    '00080031': element('TM', '093000'),
    '00080032': element('TM', '093000'),
    '00080060': element('CS', 'PT'),
    '00101020': element('DS', 1.71),
    '00100040': element('CS', 'F'),
    '00101030': element('DS', 70),
    '00280051': element('CS', 'DECY', 'ATTN'),
    '00541001': element('CS', 'GML'),
    '00541006': element('CS', type),
    '00541102': element('CS', 'START'),
    '00540016': element('SQ', {
      '00181072': element('TM', '083000'),
      '00181074': element('DS', 370_000_000),
      '00181075': element('DS', 6586.2),
    }),
  },
});

const scalingOf = ({ imageId }: { imageId: string }): unknown => metaData.get('scalingModule', imageId);

beforeAll(() => {
  registerDefaultProviders();
  provideUptake();
});

test('PET values are scaled to SUV by body weight with our factor', () => {
  const images = [image(1, 'BW'), image(2, 'BW')];
  learnUptake(images);

  expect(images.map(scalingOf)).toEqual([{ suvbw: 1 }, { suvbw: 1 }]);
});

test('if we have no SUV factor, the library does not scale PET values', () => {
  const refused = image(1, 'LBM');
  metaData.addMetaData('naturalized', refused.imageId, { dicomwebJson: refused.header });
  const byTheLibrary = scalingOf(refused);

  learnUptake([refused]);

  expect(byTheLibrary, 'without us it would').toHaveProperty('suvbw');
  expect(scalingOf(refused)).toBeUndefined();
});

let instances = 0;

/** Image whose metadata and plane both come from `header`. */
const described = (header: DicomJson): SeriesImage => {
  instances += 1;
  const imageId = `wadors:/studies/1/series/2/instances/2.${instances}/frames/1`;
  const one = { imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: planeOf(header, 1) };
  describeImages([one]);
  return one;
};

const size = { [tag.Rows]: element('US', 64), [tag.Columns]: element('US', 64), [tag.Modality]: element('CS', 'CT') };
const oneFrame: DicomJson = {
  ...size,
  [tag.NumberOfFrames]: element('IS', 1),
  [tag.SharedFunctionalGroupsSequence]: element('SQ', {
    [tag.PlaneOrientationSequence]: element('SQ', { [tag.ImageOrientationPatient]: element('DS', -1, 0, 0, 0, 0, -1) }),
    [tag.PixelMeasuresSequence]: element('SQ', { [tag.PixelSpacing]: element('DS', 0.7, 0.6) }),
    [tag.PixelValueTransformationSequence]: element('SQ', {
      [tag.RescaleIntercept]: element('DS', -1024),
      [tag.RescaleSlope]: element('DS', 2),
      [tag.RescaleType]: element('LO', 'HU'),
    }),
  }),
  [tag.PerFrameFunctionalGroupsSequence]: element('SQ', {
    [tag.PlanePositionSequence]: element('SQ', { [tag.ImagePositionPatient]: element('DS', 90, 5, 90) }),
    [tag.FrameVOILUTSequence]: element('SQ', {
      [tag.WindowCenter]: element('DS', 40),
      [tag.WindowWidth]: element('DS', 400),
    }),
  }),
};

test.each([
  ['1', oneFrame],
  ['missing', { ...oneFrame, [tag.NumberOfFrames]: { vr: 'IS' } }],
])('an enhanced image whose number of frames is %s gives the library plane, values and window', (_, header) => {
  const { imageId } = described(withFrameAtTop(header));

  expect(metaData.get('imagePlaneModule', imageId)).toMatchObject({
    imagePositionPatient: [90, 5, 90],
    rowCosines: [-1, 0, 0],
    columnCosines: [0, 0, -1],
    rowPixelSpacing: 0.7,
    columnPixelSpacing: 0.6,
  });
  expect(metaData.get('modalityLutModule', imageId)).toMatchObject({ rescaleIntercept: -1024, rescaleSlope: 2 });
  expect(metaData.get('voiLutModule', imageId)).toMatchObject({ windowCenter: [40], windowWidth: [400] });
});

const radiograph: DicomJson = {
  ...size,
  [tag.SOPClassUID]: element('UI', '1.2.840.10008.5.1.4.1.1.1.1'),
  [tag.ImagerPixelSpacing]: element('DS', 0.2, 0.2),
  '00181110': element('DS', 1800),
};

test.each([
  ['a patient distance of 0', { [tag.DistanceSourceToPatient]: element('DS', 0) }, 0.2],
  ['a skin distance of 0', { [tag.DistanceSourceToEntrance]: element('DS', 0) }, 0.2],
  ['the patient halfway to the detector', { [tag.DistanceSourceToPatient]: element('DS', 900) }, 0.1],
  [
    'only the skin halfway to the detector',
    { [tag.DistanceSourceToPatient]: element('DS', 0), [tag.DistanceSourceToEntrance]: element('DS', 900) },
    0.1,
  ],
])('the pixel spacing of a radiograph with %s is computed', (_, distances, millimetres) => {
  const { imageId } = described({ ...radiograph, ...distances });

  expect(metaData.get('imagePlaneModule', imageId)).toMatchObject({
    rowPixelSpacing: millimetres,
    columnPixelSpacing: millimetres,
  });
});

const positionedHeader: DicomJson = {
  ...size,
  [tag.ImagePositionPatient]: element('DS', 90, 5, 90),
  [tag.ImageOrientationPatient]: element('DS', '-1', '0', '0', '0', '0', '-1'),
};

test.each([
  ['at the position in its header', positionedHeader],
  ['in its own axes if its header has no position', size],
])('the library places an image %s', (_, header) => {
  expect(isLaidAsKnown(described(header))).toBe(true);
});

test('the library places the frames of a dose at our positions', () => {
  const header: DicomJson = {
    ...positionedHeader,
    [tag.NumberOfFrames]: element('IS', 3),
    [tag.GridFrameOffsetVector]: element('DS', 0, 2.5, 5),
  };
  const { imageId } = described(header);

  const laid = [1, 2, 3].map((frame) => metaData.get('imagePlaneModule', imageId.replace(/1$/, String(frame))));
  expect(laid.map(({ imagePositionPatient }) => imagePositionPatient)).toEqual(
    [1, 2, 3].map((frame) => planeOf(header, frame)?.position),
  );
  expect(planeOf(header, 3)?.position).toEqual([90, 0, 90]);
});

test.each([
  ['as many digits as its position', [90, 92.5, 95]],
  ['fewer digits than its position', [90.0004, 92.5004, 95.0004]],
])('the library places the frames of a dose at our positions if their heights have %s', (_, heights) => {
  const header: DicomJson = {
    ...positionedHeader,
    [tag.ImageOrientationPatient]: element('DS', 1, 0, 0, 0, 1, 0),
    [tag.NumberOfFrames]: element('IS', 3),
    [tag.GridFrameOffsetVector]: element('DS', ...heights),
  };
  const { imageId } = described(header);

  const { imagePositionPatient } = metaData.get('imagePlaneModule', imageId.replace(/1$/, '3'));
  expect(imagePositionPatient).toEqual([90, 5, expect.closeTo(95, 5)]);
  expect(planeOf(header, 3)?.position).toEqual([90, 5, expect.closeTo(95, 9)]);
});

/** Header of three coronal slices in nuclear medicine. Only the detector gives the position of the first slice. */
const tomography = (spacing: number): DicomJson => ({
  ...size,
  [tag.Modality]: element('CS', 'NM'),
  [tag.ImageType]: element('CS', 'ORIGINAL', 'PRIMARY', 'RECON TOMO', 'EMISSION'),
  [tag.NumberOfFrames]: element('IS', 3),
  [tag.PixelSpacing]: element('DS', 4.4, 4.4),
  [tag.SpacingBetweenSlices]: element('DS', spacing),
  [tag.SliceVector]: element('US', 1, 2, 3),
  [tag.DetectorInformationSequence]: element('SQ', {
    [tag.ImagePositionPatient]: element('DS', -140, 30, 90),
    [tag.ImageOrientationPatient]: element('DS', 1, 0, 0, 0, 0, -1),
  }),
});

test.each([
  ['positive spacing', 4.4, [-140, 34.4, 90]],
  ['negative spacing', -4.4, [-140, 25.6, 90]],
])('nuclear medicine slices with %s lie at the positions that the library computes', (_, spacing, second) => {
  const header = tomography(spacing);
  const one = described(header);

  expect(planeOf(header, 2)?.position).toEqual(second);
  expect(isLaidAsKnown(one)).toBe(true);
  for (const frame of [1, 2, 3]) {
    const laid = metaData.get('imagePlaneModule', one.imageId.replace(/1$/, String(frame)));
    expect(laid.imagePositionPatient).toEqual(
      planeOf(header, frame)?.position.map((millimetres) => expect.closeTo(millimetres, 3)),
    );
  }
});

const gated = { [tag.SliceVector]: element('US', 1, 2, 1) };
const projections = { [tag.ImageType]: element('CS', 'ORIGINAL', 'PRIMARY', 'TOMO', 'EMISSION') };
const ofTwoDetectors = { [tag.DetectorInformationSequence]: element('SQ', {}, {}) };

test.each([
  ['slices in several gates', gated],
  ['projections', projections],
  ['frames of two detectors', ofTwoDetectors],
  ['slices with a spacing of 0', { [tag.SpacingBetweenSlices]: element('DS', 0) }],
])('the position of nuclear medicine frames is unknown: %s', (_, other) => {
  expect(planeOf({ ...tomography(4.4), ...other }, 2)).toBeUndefined();
});

/**
 * Header of two frames of an enhanced image, 4 mm apart, with a rescale slope of 2. `beside` adds attributes to each
 * frame.
 */
const twoFrames = (beside: DicomJson): DicomJson => {
  const frame = (height: number) => ({
    ...itemsOf(oneFrame, tag.SharedFunctionalGroupsSequence)[0],
    [tag.PlanePositionSequence]: element('SQ', { [tag.ImagePositionPatient]: element('DS', 90, height, 90) }),
    ...beside,
  });
  return {
    ...size,
    [tag.NumberOfFrames]: element('IS', 2),
    [tag.PerFrameFunctionalGroupsSequence]: element('SQ', frame(5), frame(9)),
  };
};

const another = {
  [tag.ImagePositionPatient]: element('DS', 1, 2, 3),
  [tag.RescaleIntercept]: element('DS', 0),
  [tag.RescaleSlope]: element('DS', 77),
};

const withPrivate = {
  ...twoFrames({ '2005140F': element('SQ', another) }),
  [tag.SharedFunctionalGroupsSequence]: element('SQ', {}),
};

test.each([
  ['has no shared functional groups', twoFrames({})],
  ['has a private functional group with another position', withPrivate],
])('a frame has our position and its own values in the library if it %s', (_, header) => {
  const { imageId } = described(header);

  const second = imageId.replace(/1$/, '2');
  expect(metaData.get('imagePlaneModule', second)).toMatchObject({
    imagePositionPatient: planeOf(header, 2)?.position,
    rowCosines: [-1, 0, 0],
    columnPixelSpacing: 0.6,
  });
  expect(planeOf(header, 2)?.position).toEqual([90, 9, 90]);
  expect(metaData.get('modalityLutModule', second)).toMatchObject({ rescaleIntercept: -1024, rescaleSlope: 2 });
});

test.each([
  ['finds no plane but we find one', oneFrame],
  ['finds directions but we find no plane', { ...positionedHeader, [tag.ImagePositionPatient]: { vr: 'DS' } }],
])('the orientation of an image counts as unknown if the library %s', (_, header) => {
  expect(isLaidAsKnown(described(header))).toBe(false);
});

test('the orientation of an image without metadata counts as unknown', () => {
  expect(isLaidAsKnown({ imageId: 'wadors:/studies/1/series/2/instances/5/frames/1', plane: undefined })).toBe(false);
});

test('the pixel format is read although the palette is outside the header', () => {
  const imageId = 'wadors:/studies/1/series/palette/instances/2.1/frames/1';
  const header: DicomJson = {
    [tag.PhotometricInterpretation]: element('CS', 'PALETTE COLOR'),
    [tag.RedPaletteColorLookupTableDescriptor]: element('US', 0, 0, 16),
    [tag.RedPaletteColorLookupTableData]: { vr: 'OW', BulkDataURI: '/studies/1/bulkdata/00281201' },
  };

  describeImages([{ imageId, header, frame: 1, numberOfFrames: 1, instanceNumber: 1, plane: undefined }]);

  expect(metaData.get('imagePixelModule', imageId)).toMatchObject({ photometricInterpretation: 'PALETTE COLOR' });
});

test('frames of nuclear medicine whose detector has an orientation but no position are placed', () => {
  const directions = { [tag.ImageOrientationPatient]: element('DS', 1, 0, 0, 0, 1, 0) };
  const image = described({
    ...size,
    [tag.NumberOfFrames]: element('IS', 3),
    [tag.SpacingBetweenSlices]: element('DS', 4),
    [tag.DetectorInformationSequence]: element('SQ', { ...directions, [tag.ImagePositionPatient]: { vr: 'DS' } }),
  });

  expect(metaData.get('imagePlaneModule', image.imageId)).toMatchObject({ rows: 64, columns: 64 });
  expect(isLaidAsKnown(image)).toBe(true);
});
