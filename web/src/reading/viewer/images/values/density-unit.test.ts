import { expect, test } from 'vitest';
import { densityUnit, learnDensity, unitOnImage } from './density-unit.ts';
import { type Tag, tag } from '#reading/viewer/images/header/dicom-json.ts';

const saying = (rescaleType: string) => ({ [tag.RescaleType]: { vr: 'LO', Value: [rescaleType] } });

test('CT values are in Hounsfield units unless the header names another unit', () => {
  expect(densityUnit({})).toBe('HU');
  expect(densityUnit(saying('HU'))).toBe('HU');
  expect(densityUnit(saying('MGML'))).toBe('mg/ml');
  expect(densityUnit(saying('US'))).toBe('');
});

test.each([tag.RescaleSlope, tag.RescaleIntercept])('values with an unreadable %s have no unit', (attribute) => {
  const rescale = (...Value: unknown[]) => ({ ...saying('HU'), [attribute]: { vr: 'DS', Value } });

  expect(densityUnit(rescale('1,0,0'))).toBe('');
  expect(densityUnit(rescale(1))).toBe('HU');
  expect(densityUnit(rescale(' 1.5 '))).toBe('HU');
  expect(densityUnit(rescale(null))).toBe('HU');
});

test('values of an iodine map are never in Hounsfield units, on any frame', () => {
  learnDensity('wadors:/a/instances/7/frames/1', saying('MGML'));
  learnDensity('wadors:/a/instances/8/frames/1', {});

  expect(unitOnImage('HU', 'wadors:/a/instances/7/frames/2')).toBe('mg/ml');
  expect(unitOnImage('mm', 'wadors:/a/instances/7/frames/2')).toBe('mm');
  expect(unitOnImage('HU', 'wadors:/a/instances/8/frames/1')).toBe('HU');
});

test('values of a modality LUT have the unit of the LUT, and Hounsfield units only if the LUT says so', () => {
  const table = (type?: string) => ({
    [tag.ModalityLUTSequence]: {
      vr: 'SQ',
      Value: [type === undefined ? {} : { [tag.ModalityLUTType]: { vr: 'LO', Value: [type] } }],
    },
  });
  const unitOf = (library: string, header: object) => {
    learnDensity('wadors:/a/instances/9/frames/1', { ...header });
    return unitOnImage(library, 'wadors:/a/instances/9/frames/1');
  };

  expect(unitOf('', table('OD'))).toBe('10⁻³ OD');
  expect(unitOf('HU', table('HU'))).toBe('HU');
  expect(unitOf('HU', table())).toBe('');
  expect(unitOf('HU', table('US'))).toBe('');
  expect(unitOf('mm', table('OD'))).toBe('mm');
});

test('a secondary capture of a CT screen has no unit unless its header has a rescale', () => {
  const capture = { [tag.SOPClassUID]: { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.7'] } };
  const ofManyFrames = { [tag.SOPClassUID]: { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.7.3'] } };
  const ct = { [tag.SOPClassUID]: { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.2'] } };
  const water = { [tag.RescaleIntercept]: { vr: 'DS', Value: [-1024] } };

  expect(densityUnit(capture)).toBe('');
  expect(densityUnit(ofManyFrames)).toBe('');
  expect(densityUnit({ ...capture, ...water })).toBe('HU');
  expect(densityUnit({ ...capture, ...saying('HU') })).toBe('HU');
  expect(densityUnit(ct)).toBe('HU');
});

test('an enhanced CT with another unit in its functional groups has that unit', () => {
  const enhanced = (sequence: Tag) => ({
    [sequence]: {
      vr: 'SQ',
      Value: [{ [tag.PixelValueTransformationSequence]: { vr: 'SQ', Value: [saying('Z_EFF')] } }],
    },
  });

  expect(densityUnit(enhanced(tag.SharedFunctionalGroupsSequence))).toBe('Z_EFF');
  expect(densityUnit(enhanced(tag.PerFrameFunctionalGroupsSequence))).toBe('Z_EFF');
});
