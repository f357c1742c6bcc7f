import type { DicomElement, DicomJson } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { presentationStates } from '@radwork/phantom/studies';
import { documentTruth } from '@radwork/phantom/known-values';
import { expect, test } from 'vitest';
import { isFor, isOfImage } from './image-references.ts';
import { isApplied, presentationStateOf, titleOf } from './presentation-state.ts';

const options = {
  seed: 'states',
  patient: { PatientName: 'Docu^Dora', PatientID: 'P-1', PatientBirthDate: '19610203', PatientSex: 'F' as const },
  studyDate: '20261112',
  accessionNumber: 'R-1',
  slices: 20,
  size: 64,
};
const headers = [...presentationStates(options)].map(({ bytes }) => readHeader(bytes).dataset);
const [lung, inverse] = documentTruth.states(options);
const stateOf = (at: number) => presentationStateOf(headers[at] ?? {});

const text = (vr: string, value: string | number): DicomElement => ({ vr, Value: [value] });
const sequence = (...items: DicomJson[]): DicomElement => ({ vr: 'SQ', Value: items });

test('a presentation state is read as its file describes it', () => {
  const state = stateOf(0);

  expect(titleOf(state)).toBe('LUNG – Granuloma, lung window · Okafor, Dr Ngozi · 2026-11-12 12:00');
  expect(state).toMatchObject({ rotation: lung.rotation, isFlipped: lung.isFlipped, notApplied: [] });
  expect(state.grays.voi[0]?.part).toEqual({ kind: 'linear', range: { lower: -1350, upper: 149 } });
  expect(state.areas[0]?.part).toMatchObject({
    corners: [
      { x: lung.area[0][0] - 1, y: lung.area[0][1] - 1 },
      { x: lung.area[1][0], y: lung.area[1][1] },
    ],
    magnification: undefined,
    aspectRatio: 1,
  });
  expect(stateOf(1).grays.isInverted).toBe(inverse.shape === 'INVERSE');
  expect(state.annotations.map(({ part }) => part.kind)).toEqual(['graphic', 'words', 'words']);
});

test('a shutter leaves the pixels at its edges visible', () => {
  const { left = 0, right = 0, upper = 0, lower = 0 } = inverse.shutter ?? {};

  expect(stateOf(1).shutters).toEqual([
    [
      { x: left - 1, y: upper - 1 },
      { x: right, y: upper - 1 },
      { x: right, y: lower },
      { x: left - 1, y: lower },
    ],
  ]);
});

test('a state applies only to the images that it references, frame by frame', () => {
  const header = {
    '00081115': sequence({
      '0020000E': text('UI', '2.25.1'),
      '00081140': sequence(
        { '00081155': text('UI', '2.25.2') },
        { '00081155': text('UI', '2.25.3'), '00081160': { vr: 'IS', Value: [2, 5] } },
      ),
    }),
  };
  const state = presentationStateOf(header);

  expect([isOfImage(state, '2.25.2', 1), isOfImage(state, '2.25.2', 9)]).toEqual([true, true]);
  expect([isOfImage(state, '2.25.3', 2), isOfImage(state, '2.25.3', 3)]).toEqual([true, false]);
  expect(isOfImage(state, '2.25.4', 1)).toBe(false);
});

test('a state that references an image or series twice applies to all its frames', () => {
  const image = (uid: string, ...frames: number[]) => ({
    '00081155': text('UI', uid),
    ...(frames.length > 0 && { '00081160': { vr: 'IS', Value: frames } }),
  });
  const words = {
    '00700006': text('ST', 'here'),
    '00700004': text('CS', 'PIXEL'),
    '00700014': { vr: 'FL', Value: [3, 4] },
  };
  const images = sequence(image('2.25.2', 1), image('2.25.2', 5), image('2.25.3', 4), image('2.25.3'));
  const state = presentationStateOf({
    '00081115': sequence(
      { '0020000E': text('UI', '2.25.1'), '00081140': images },
      { '0020000E': text('UI', '2.25.1'), '00081140': sequence(image('2.25.2', 7), image('2.25.4')) },
    ),
    '00700001': sequence({ '00081140': images, '00700008': sequence(words) }),
  });
  const frames = (uid: string) => [1, 4, 5, 7, 9].filter((frame) => isOfImage(state, uid, frame));
  const annotated = (uid: string) => [1, 4, 5, 7, 9].filter((frame) => isFor(state.annotations[0]?.images, uid, frame));

  expect(frames('2.25.2')).toEqual([1, 5, 7]);
  expect(annotated('2.25.2')).toEqual([1, 5]);
  for (const uid of ['2.25.3', '2.25.4']) expect(frames(uid)).toEqual([1, 4, 5, 7, 9]);
  expect(annotated('2.25.3')).toEqual([1, 4, 5, 7, 9]);
  expect(annotated('2.25.4')).toEqual([]);
});

test('unsupported parts of a state are named', () => {
  const state = presentationStateOf({
    '00286100': sequence({}),
    '60020010': text('US', 4),
    '60020011': text('US', 4),
    '60021001': text('CS', 'MARKS'),
    '60023000': { vr: 'OW', BulkDataURI: 'elsewhere' },
    '00181600': { vr: 'CS', Value: ['RECTANGULAR', 'BITMAP'] },
    '00283000': sequence({}),
    '00283110': sequence({ '00283010': sequence({ '00283002': { vr: 'US', Value: [4, 0, 16] } }) }),
    '00700001': sequence({
      '00700009': sequence({ '00700023': text('CS', 'SPIRAL') }, { '00700023': text('CS', 'CIRCLE') }),
      '00700209': sequence({}),
    }),
    '0070005A': sequence({ '00700100': text('CS', 'TRUE SIZE') }),
  });

  expect(state.notApplied).toEqual([
    'mask subtraction',
    'overlay planes',
    'shutter',
    'grayscale (has a modality LUT)',
    'lookup table (unreadable)',
    '2 annotations',
    '1 compound graphic',
    'true size (fitted to the viewport)',
  ]);
  expect(state.grays.isUsable).toBe(false);
});

test('a state that blends several images is not applied', () => {
  const kinds = ['1', '2', '3', '4', '8'].map((kind) => `1.2.840.10008.5.1.4.1.1.11.${kind}`);

  expect(kinds.map((uid) => isApplied({ '00080016': text('UI', uid) }))).toEqual([true, true, true, false, false]);
});

const tableIn = (data: DicomElement) => ({
  '00283110': sequence({
    '00283010': sequence({ '00283002': { vr: 'US', Value: [4, 100, 12] }, '00283006': data }),
  }),
});

test('a lookup table of a state is read wherever it is stored', () => {
  const expected = { kind: 'table', table: { first: 100, entries: [0, 1, 2048 / 4095, 4095 / 4095].map(Number) } };
  const bytes = new Uint8Array(new Uint16Array([0, 4095, 2048, 4095]).buffer);
  const inline = tableIn({ vr: 'OW', InlineBinary: Buffer.from(bytes).toString('base64') });
  const apart = tableIn({ vr: 'OW', BulkDataURI: 'bulkdata/x' });
  const asNumbers = tableIn({ vr: 'US', Value: [0, 4095, 2048, 4095] });

  for (const state of [
    presentationStateOf(inline),
    presentationStateOf(asNumbers),
    presentationStateOf(apart, new Map([['bulkdata/x', bytes]])),
  ]) {
    expect(state.grays.voi[0]?.part).toEqual(expected);
    expect(state.notApplied).toEqual([]);
  }
  const gone = presentationStateOf(apart, new Map([['bulkdata/x', 'not there']]));
  expect(gone.notApplied).toEqual(['lookup table (unreadable)']);
});

test.each([
  [
    'the state rescales to Hounsfield units',
    { '00281052': text('DS', -1024), '00281053': text('DS', 1) },
    [4, 64_512, 12],
  ],
  ['the table would otherwise end beyond 16 bits', {}, [4096, 61_440 + 3072, 12]],
])('the first value of an unsigned table is below 0 if %s', (_, modality, descriptor) => {
  const values = Array.from({ length: descriptor[0] ?? 0 }, () => 4095);
  const lut = { '00283002': { vr: 'US', Value: descriptor }, '00283006': { vr: 'US', Value: values } };

  const [voi] = presentationStateOf({
    ...modality,
    '00283110': sequence({ '00283010': sequence(lut) }),
  }).grays.voi;

  expect(voi?.part).toMatchObject({ kind: 'table', table: { first: -1024 } });
});

test('a 16-bit VOI LUT with 8-bit entries reaches full brightness, but a dark palette channel does not', () => {
  const channel = (values: number[]): DicomElement => ({ vr: 'US', Value: values });
  const descriptor: DicomElement = { vr: 'US', Value: [2, 0, 16] };
  const { voi, palette } = presentationStateOf({
    '00283110': sequence({ '00283010': sequence({ '00283002': descriptor, '00283006': channel([0, 255]) }) }),
    '00281101': descriptor,
    '00281102': descriptor,
    '00281103': descriptor,
    '00281201': channel([0, 65_535]),
    '00281202': channel([0, 0]),
    '00281203': channel([0, 255]),
  }).grays;

  expect(voi[0]?.part).toMatchObject({ table: { entries: [0, 1] } });
  expect(palette?.map(({ entries }) => entries[1])).toEqual([1, 0, 255 / 65_535]);
});

test('text of a state is never markup, and its line breaks stay', () => {
  const hostile = '<img src=x onerror=window.__xss=1>\r\nline two';
  const [words] = presentationStateOf({
    '00700001': sequence({
      '00700008': sequence({
        '00700004': text('CS', 'PIXEL'),
        '00700006': text('ST', hostile),
        '00700014': { vr: 'FL', Value: [3, 4] },
      }),
    }),
  }).annotations;

  expect(words?.part).toMatchObject({ text: '<img src=x onerror=window.__xss=1>\nline two', hasLine: false });
});
