import { readHeader } from '@radwork/dicom/header';
import { presentationStates } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { beyondLook, beyondWords } from './beyond-look.ts';
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

test('of a state with window, rotation and drawings, only the drawings go beyond a window', () => {
  expect(beyondLook(lung, imageOf(lung))).toEqual(['drawn']);
  expect(beyondLook({ ...lung, annotations: [] }, imageOf(lung))).toEqual([]);
});

test('shutters, tables, sigmoids and presentation LUTs are more than a window', () => {
  const image = imageOf(lung);
  const plain = { ...lung, annotations: [] };
  const lut = { first: 0, entries: [0, 1] };
  const withVoi = (part: PresentationState['greys']['voi'][number]['part']) => ({
    ...plain,
    greys: { ...plain.greys, voi: [{ images: undefined, part }] },
  });

  expect(beyondLook(inverse, imageOf(inverse))).toEqual(['shutter', 'drawn']);
  expect(beyondLook(withVoi({ kind: 'sigmoid', center: 40, width: 400 }), image)).toEqual(['greys']);
  expect(beyondLook(withVoi({ kind: 'table', table: lut }), image)).toEqual(['greys']);
  expect(beyondLook({ ...plain, greys: { ...plain.greys, presentation: lut } }, image)).toEqual(['greys']);
  expect(beyondLook({ ...plain, greys: { ...plain.greys, palette: [lut, lut, lut] } }, image)).toEqual(['greys']);
  // Data kept outside the header is tables.
  expect(beyondLook({ ...plain, apart: { header: {}, path: '' } }, image)).toEqual(['greys']);
  // The image and the state use different window functions.
  const sigmoid = { '00281056': { vr: 'CS', Value: ['SIGMOID'] } };
  expect(beyondLook(plain, imageOf(lung, sigmoid))).toEqual(['greys']);
});

test('no state, or a state of other images, adds nothing', () => {
  expect(beyondLook(undefined, imageOf(inverse))).toEqual([]);
  expect(beyondLook(inverse, imageOf(lung))).toEqual([]);
  expect(beyondWords(inverse, ['shutter', 'drawn'])).toBe(
    'Presentation state INVERSE also shows a shutter and annotations.',
  );
});
