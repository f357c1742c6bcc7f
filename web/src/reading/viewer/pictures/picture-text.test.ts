import { expect, test } from 'vitest';
import { studyDetails } from '#test/studies.ts';
import { fileNameOf, pictureTextOf } from './picture-text.ts';

const study = studyDetails({
  studyDescription: 'Abdomen of Mrs Malory',
  studyDate: '2026-11-12T10:30:00',
  accessionNumber: 'ACC-77',
  patient: {
    id: '0190aaaa-0000-7000-8000-000000000900',
    patientName: 'Malory, Mona',
    patientId: 'P/4711',
    gender: 'F',
    dateOfBirth: '1961-02-03',
  },
});
const [first] = study.series;
if (!first) throw new Error('The study has a series');
const series = { ...first, seriesNumber: 2, seriesDescription: 'Malory venous', modality: 'CT' };
const picture = {
  study,
  series: [series],
  headers: [{ '00100020': { vr: 'LO', Value: ['P/4711'] } }],
  facts: ['Image 12 of 40', 'W 400  L 40', 'H 42.5 mm'],
  titles: ['Presentation MALORY – Nodule of P/4711'],
  place: 'image 12',
};

/** Every text that identifies the patient or helps to do so. */
const identifyingTexts = [
  'Malory',
  'MALORY',
  'P/4711',
  'P-4711',
  '4711',
  '1961',
  'female',
  '2026-11-12',
  'ACC-77',
  study.studyInstanceUID,
];

test('an export without identity names the patient neither in the text around the image nor in the file name', () => {
  const { above, cautions, below } = pictureTextOf(picture, false);
  const texts = [...above, ...cautions, ...below, fileNameOf(picture, false)].join('\n');

  for (const word of identifyingTexts) expect(texts).not.toContain(word);
  expect(above).toEqual([]);
  expect(below).toEqual([
    'CT  ·  Series 2  ·  Image 12 of 40  ·  W 400  L 40  ·  H 42.5 mm',
    'Not for primary diagnosis',
  ]);
  expect(fileNameOf(picture, false)).toBe('CT-series-2-image-12.png');
});

test('an export with identity names the patient, the date and the study', () => {
  expect(pictureTextOf(picture, true).above).toEqual([
    'Malory, Mona  ·  P/4711  ·  1961-02-03  ·  female',
    'Abdomen of Mrs Malory  ·  2026-11-12 10:30  ·  Accession ACC-77',
    'Series 2 Malory venous',
    'Presentation MALORY – Nodule of P/4711',
  ]);
  expect(fileNameOf(picture, true)).toBe('Malory-Mona-P-4711-2026-11-12-CT-series-2-image-12.png');
});

test('an exported image of another patient has a mark at the name, and without identity names no patient', () => {
  const mixed = { ...picture, headers: [{ '00100020': { vr: 'LO', Value: ['OTHER-1'] } }] };

  expect(pictureTextOf(mixed, true).cautions).toEqual(['The image names patient OTHER-1']);
  expect(JSON.stringify(pictureTextOf(mixed, false))).not.toContain('OTHER-1');
});
