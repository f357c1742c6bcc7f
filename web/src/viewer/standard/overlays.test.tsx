import type { SeriesSummary } from '@radwork/contract/studies';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { type DicomJson, tag } from '#viewer/images/dicom-json.ts';
import { saidOf } from '#viewer/pictures/drawn-over.ts';
import { Overlays } from './overlays.tsx';
import type { ShownImage } from '#viewer/engine/shown-image.ts';

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

const patientId = (value: string): DicomJson => ({ [tag.PatientID]: { vr: 'LO', Value: [value] } });

test('a picture carries its place, window, magnification and directions', () => {
  const { container } = render(
    <Overlays series={series} count={40} shown={shownWith(patientId('P-100'))} patientId="P-100" />,
  );

  expect(screen.getByText('12 / 40')).toBeDefined();
  expect(screen.getByText('H 42.5 mm')).toBeDefined();
  expect(screen.getByText('Zoom 135 %')).toBeDefined();
  expect(container.textContent).toContain('W 400  L 40  inverted');
  expect(['A', 'R', 'L', 'P'].every((letter) => screen.getByText(letter))).toBe(true);
});

test('an image whose header names another patient than its study says so', () => {
  render(<Overlays series={series} count={40} shown={shownWith(patientId('P-999'))} patientId="P-100" />);

  expect(screen.getByText('The image itself names patient P-999')).toBeDefined();
});

test('a picture whose proportions are not those of the patient says so', () => {
  const header = { ...patientId('P-100'), [tag.PixelAspectRatio]: { vr: 'IS', Value: [1, 2] } };

  const { container } = render(<Overlays series={series} count={40} shown={shownWith(header)} patientId="P-100" />);

  const words = 'Distorted: a pixel is 1 tall and 2 wide, and is drawn square';
  expect(screen.getByText(words)).toBeDefined();
  expect(saidOf(container).facts, 'on a picture that is taken away, too').toEqual([words]);
});

test('a picture that is to have graphics over it, which are not drawn, says so', () => {
  const header = { ...patientId('P-100'), '60003000': { vr: 'OW', BulkDataURI: '/bulkdata/60003000' } };

  const { container } = render(<Overlays series={series} count={40} shown={shownWith(header)} patientId="P-100" />);

  expect(screen.getByText('Not drawn: graphics of the file (overlay planes)')).toBeDefined();
  expect(saidOf(container).facts).toEqual(['Not drawn: graphics of the file (overlay planes)']);
});

test.each([
  ['Lossy 20:1', { '00282110': { vr: 'CS', Value: ['01'] }, '00282112': { vr: 'DS', Value: [19.7] } }],
  ['Lossy 2:1, 10:1', { '00282110': { vr: 'CS', Value: ['01'] }, '00282112': { vr: 'DS', Value: [2, 10] } }],
  ['Lossy', { '00282110': { vr: 'CS', Value: ['01'] } }],
  ['Lossy', { '00083002': { vr: 'UI', Value: ['1.2.840.10008.1.2.4.50'] } }],
  [undefined, { '00282110': { vr: 'CS', Value: ['00'] }, '00282112': { vr: 'DS', Value: [2.4] } }],
  [undefined, {}],
])('a picture says %s of what compression has lost', (words, header) => {
  const { container } = render(<Overlays series={series} count={40} shown={shownWith(header)} patientId="P-100" />);

  expect(screen.queryByText(/^Lossy/)?.textContent).toBe(words);
  expect(saidOf(container).facts).toEqual(words ? [words] : []);
});
