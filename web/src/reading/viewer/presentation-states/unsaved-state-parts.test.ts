import { readHeader } from '@radwork/dicom/header';
import { presentationStates } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { unsavedStateParts, unsavedPartsText } from './unsaved-state-parts.ts';
import { type PresentationState, presentationStateOf } from './presentation-state.ts';

const options = {
  seed: 'beyond',
  patient: { PatientName: 'Docu^Dora', PatientID: 'P-1', PatientBirthDate: '19610203', PatientSex: 'F' as const },
  studyDate: '20261112',
  accessionNumber: 'R-1',
  slices: 20,
  size: 64,
};
const [lung, inverse] = [...presentationStates(options)].map(({ bytes }) =>
  presentationStateOf(readHeader(bytes).dataset),
);
if (!lung || !inverse) throw new Error('The phantom has three states');

const imageOf = ({ references }: PresentationState, more = {}) => {
  const [uid = ''] = [...references.values()].flatMap((images) => [...images.keys()]);
  return { header: { '00080018': { vr: 'UI', Value: [uid] }, ...more }, frame: 1 };
};

test('of a state with window, rotation and drawings, only the drawings count as not saved', () => {
  expect(unsavedStateParts(lung, imageOf(lung))).toEqual(['drawn']);
  expect(unsavedStateParts({ ...lung, annotations: [] }, imageOf(lung))).toEqual([]);
});

test('shutters, tables, sigmoids and presentation LUTs of a state count as not saved', () => {
  const image = imageOf(lung);
  const plain = { ...lung, annotations: [] };
  const lut = { first: 0, entries: [0, 1] };
  const withVoi = (part: PresentationState['grays']['voi'][number]['part']) => ({
    ...plain,
    grays: { ...plain.grays, voi: [{ images: undefined, part }] },
  });

  expect(unsavedStateParts(inverse, imageOf(inverse))).toEqual(['shutter', 'drawn']);
  expect(unsavedStateParts(withVoi({ kind: 'sigmoid', center: 40, width: 400 }), image)).toEqual(['greys']);
  expect(unsavedStateParts(withVoi({ kind: 'table', table: lut }), image)).toEqual(['greys']);
  expect(unsavedStateParts({ ...plain, grays: { ...plain.grays, presentation: lut } }, image)).toEqual(['greys']);
  expect(unsavedStateParts({ ...plain, grays: { ...plain.grays, palette: [lut, lut, lut] } }, image)).toEqual([
    'greys',
  ]);
  // `apart` means that the state has lookup tables stored outside its header.
  expect(unsavedStateParts({ ...plain, apart: { header: {}, path: '' } }, image)).toEqual(['greys']);
  // State and image have different window functions.
  const sigmoid = { '00281056': { vr: 'CS', Value: ['SIGMOID'] } };
  expect(unsavedStateParts(plain, imageOf(lung, sigmoid))).toEqual(['greys']);
});

test('without a state, or with a state of other images, no parts count as not saved', () => {
  expect(unsavedStateParts(undefined, imageOf(inverse))).toEqual([]);
  expect(unsavedStateParts(inverse, imageOf(lung))).toEqual([]);
  expect(unsavedPartsText(inverse, ['shutter', 'drawn'])).toBe(
    'Presentation state INVERSE also shows a shutter and annotations.',
  );
});
