import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { paneTextOf } from '#reading/viewer/pictures/picture-overlays.ts';
import { Overlays } from './overlays.tsx';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';

const series: SeriesSummary = {
  id: 's1',
  seriesInstanceUID: '2.25.1',
  seriesNumber: 4,
  seriesDescription: 'Chest with contrast',
  modality: 'CT',
  bodyPartExamined: '',
  instanceCount: 40,
};

const shownWith = (header: DicomJson): ShownImage => ({
  image: { imageId: 'wadors:x', header, frame: 1, numberOfFrames: 1, instanceNumber: 12, plane: undefined },
  index: 11,
  location: 'H 42.5 mm',
  thickness: '5.0 mm thick',
  window: 'W 400  L 40',
  presets: [],
  edges: { left: 'R', right: 'L', top: 'A', bottom: 'P' },
  magnification: 1.35,
  isInverted: true,
});

const of = (...values: unknown[]) => ({ vr: 'UN', Value: values });

const patientId = (value: string): DicomJson => ({ [tag.PatientID]: { vr: 'LO', Value: [value] } });

test('an image shows its position, window, magnification and orientation letters', () => {
  const { container } = render(
    <Overlays series={series} count={40} shownImage={shownWith(patientId('P-100'))} patientId="P-100" />,
  );

  expect(screen.getByText('12 / 40')).toBeDefined();
  expect(screen.getByText('H 42.5 mm')).toBeDefined();
  expect(screen.getByText('Zoom 135%')).toBeDefined();
  expect(container.textContent).toContain('W 400  L 40  inverted');
  expect(['A', 'R', 'L', 'P'].every((letter) => screen.getByText(letter))).toBe(true);
});

test('an image of another patient than its study shows a warning', () => {
  render(<Overlays series={series} count={40} shownImage={shownWith(patientId('P-999'))} patientId="P-100" />);

  expect(screen.getByText('The image names patient P-999')).toBeDefined();
});

test('a mammogram shows its side, view and detail, and raw data a caution', () => {
  const text = (value: string) => ({ vr: 'CS', Value: [value] });
  const header = {
    ...patientId('P-100'),
    [tag.Modality]: text('MG'),
    [tag.ImageLaterality]: text('R'),
    [tag.ViewPosition]: text('CC'),
    [tag.PartialView]: text('YES'),
    [tag.PresentationIntentType]: text('FOR PROCESSING'),
  };

  const { container } = render(<Overlays series={series} count={1} shownImage={shownWith(header)} patientId="P-100" />);

  expect(screen.getByTestId('view-name').textContent).toBe('R CC, partial view');
  expect(paneTextOf(container).facts).toEqual(['Raw image (FOR PROCESSING), not meant for reading']);
});

test.each([
  ['left, as it hangs', 'MG', { left: 'P', right: 'A' }, 'right'],
  ['right, as it hangs', 'MG', { left: 'A', right: 'P' }, 'left'],
  ['left of an oblique view', 'MG', { left: 'PH', right: 'AF' }, 'right'],
  ['of unknown side', 'MG', { left: '', right: '' }, undefined],
  ['no matter, of a CT', 'CT', { left: 'P', right: 'A' }, undefined],
])('the texts of a mammogram with the chest wall %s are where the air is', (_, modality, sides, expected) => {
  const shown = shownWith({ ...patientId('P-100'), [tag.Modality]: { vr: 'CS', Value: [modality] } });
  const { container } = render(
    <Overlays
      series={series}
      count={2}
      shownImage={{ ...shown, edges: { top: 'R', bottom: 'L', ...sides } }}
      patientId="P-100"
    />,
  );

  const sideOf = (text: string) => screen.getByText(text).closest<HTMLElement>('[data-side]')?.dataset.side;
  expect(['H 42.5 mm', 'Zoom 135%', '12 / 2', 'Series 4 Chest with contrast'].map(sideOf)).toEqual(
    Array.from({ length: 4 }, () => expected),
  );
  expect(container.querySelectorAll('[data-at]')).toHaveLength(expected ? 2 : 0);
});

const correctedBy = (system: string, original: object): DicomJson => ({
  ...patientId('P-100'),
  '00280008': { vr: 'IS', Value: [3] },
  '04000561': {
    vr: 'SQ',
    Value: [
      {
        '04000550': { vr: 'SQ', Value: [{ '00280008': { vr: 'IS', ...original } }] },
        '04000563': { vr: 'LO', Value: [system] },
      },
    ],
  },
});

test.each([
  [{ Value: [5] }, 'Radwork', ['Frames: 3 found, the file gives 5']],
  [{ Value: [0] }, 'Radwork', ['Frames: 3 found, the file gives 0']],
  [{ Value: ['many'] }, 'Radwork', ['Frames: 3 found, the file gives many']],
  [{}, 'Radwork', ['Frames: 3 found, the file gives no number']],
  [{ Value: [5] }, 'Another system', []],
])(
  'a number of frames that was %j and corrected by %s shows a caution, also on a saved picture',
  (original, by, words) => {
    const shownImage = shownWith(correctedBy(by, original));

    const { container } = render(<Overlays series={series} count={3} shownImage={shownImage} patientId="P-100" />);

    expect(paneTextOf(container).facts).toEqual(words);
    for (const text of words) expect(screen.getByText(text)).toBeDefined();
  },
);

test('an image with overlay planes that cannot be drawn shows a warning', () => {
  const inPixels = { [tag.BitsAllocated]: of(16), [tag.BitsStored]: of(12), '60000100': of(16), '60000102': of(12) };
  const compressed = {
    ...patientId('P-100'),
    ...inPixels,
    [tag.AvailableTransferSyntaxUID]: of('1.2.840.10008.1.2.4.70'),
  };

  const { container } = render(
    <Overlays series={series} count={40} shownImage={shownWith(compressed)} patientId="P-100" />,
  );

  expect(screen.getByText('Not drawn: overlay planes of the file')).toBeDefined();
  expect(paneTextOf(container).facts).toEqual(['Not drawn: overlay planes of the file']);
});

test('an image names its overlay planes, and shows no warning for those that are drawn', () => {
  const plane = { '60003000': { vr: 'OW', BulkDataURI: '/bulkdata/60003000' }, '60001500': of('LEFT MARKER') };
  const header = { ...patientId('P-100'), [tag.Rows]: of(4), [tag.Columns]: of(4), ...plane };

  const { container } = render(
    <Overlays series={series} count={40} shownImage={shownWith(header)} patientId="P-100" />,
  );

  expect(screen.getByText('Overlay: LEFT MARKER')).toBeDefined();
  expect(paneTextOf(container)).toEqual({ facts: [], titles: ['Overlay: LEFT MARKER'] });
});

test('an image with color tables that are not used shows a warning', () => {
  const tables = { [tag.RedPaletteColorLookupTableData]: { vr: 'OW', BulkDataURI: '/bulkdata/00281201' } };
  const header = { ...patientId('P-100'), [tag.PhotometricInterpretation]: of('MONOCHROME2'), ...tables };

  const { container } = render(
    <Overlays series={series} count={40} shownImage={shownWith(header)} patientId="P-100" />,
  );

  expect(paneTextOf(container).facts).toEqual(['Not drawn: color tables of the file']);
});

test('an image of a dynamic series names its phase, also on a saved picture', () => {
  const shownImage = shownWith(patientId('P-100'));
  const phase = { at: 1, count: 3, place: 2, places: 6, isTime: true, isUnnamed: false, facts: { TriggerTime: 200 } };

  const { container } = render(
    <Overlays
      series={series}
      count={18}
      shownImage={{ ...shownImage, image: { ...shownImage.image, phase } }}
      patientId="P-100"
    />,
  );

  expect(screen.getByText('Phase 2 of 3 · 200 ms')).toBeDefined();
  expect(screen.getByText('Slice 3 of 6')).toBeDefined();
  expect(paneTextOf(container).facts).toEqual(['Phase 2 of 3 · 200 ms']);
});

test.each([
  ['Lossy 20:1', { '00282110': { vr: 'CS', Value: ['01'] }, '00282112': { vr: 'DS', Value: [19.7] } }],
  ['Lossy 2:1, 10:1', { '00282110': { vr: 'CS', Value: ['01'] }, '00282112': { vr: 'DS', Value: [2, 10] } }],
  ['Lossy', { '00282110': { vr: 'CS', Value: ['01'] } }],
  ['Lossy', { '00083002': { vr: 'UI', Value: ['1.2.840.10008.1.2.4.50'] } }],
  [undefined, { '00282110': { vr: 'CS', Value: ['00'] }, '00282112': { vr: 'DS', Value: [2.4] } }],
  [undefined, {}],
])('an image shows %s about lossy compression', (words, header) => {
  const { container } = render(
    <Overlays series={series} count={40} shownImage={shownWith(header)} patientId="P-100" />,
  );

  expect(screen.queryByText(/^Lossy/)?.textContent).toBe(words);
  expect(paneTextOf(container).facts).toEqual(words ? [words] : []);
});
