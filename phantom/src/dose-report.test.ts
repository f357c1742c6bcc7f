import { itemsOf, numberOf, textOf, type DicomJson } from '@radwork/dicom/dataset';
import { readHeader } from '@radwork/dicom/header';
import { expect, test } from 'vitest';
import { patients } from './patients.ts';
import { ctVolume, doseReport, type StudyOptions } from './studies.ts';
import { ctTruth } from './known-values.ts';

const options: StudyOptions = {
  seed: 'dose',
  patient: patients[5],
  studyDate: '20261110',
  accessionNumber: 'ACC-12',
  slices: 1,
};
const report = readHeader(doseReport(options).bytes).dataset;

/** All content items with a concept, at any level of a report. */
const itemsNamed = (content: DicomJson, code: string): DicomJson[] => {
  const [name = {}] = itemsOf(content, 'ConceptNameCodeSequence');
  const below = itemsOf(content, 'ContentSequence').flatMap((item) => itemsNamed(item, code));
  return textOf(name, 'CodeValue') === code ? [content, ...below] : below;
};

test('the dose report contains the dose length product in mGy.cm', () => {
  const [total = {}] = itemsNamed(report, '113813');
  const [measured = {}] = itemsOf(total, 'MeasuredValueSequence');
  const [unit = {}] = itemsOf(measured, 'MeasurementUnitsCodeSequence');

  expect(numberOf(measured, 'NumericValue')).toBe(ctTruth.dose.doseLengthProduct);
  expect(textOf(unit, 'CodeValue')).toBe('mGy.cm');
});

test('the dose report belongs to the study of the images, in its own series', () => {
  const [image] = ctVolume(options);
  const { dataset } = readHeader(image?.bytes ?? Buffer.alloc(0));

  expect(textOf(report, 'StudyInstanceUID')).toBe(textOf(dataset, 'StudyInstanceUID'));
  expect(textOf(report, 'SeriesInstanceUID')).not.toBe(textOf(dataset, 'SeriesInstanceUID'));
  expect(textOf(report, 'Modality')).toBe('SR');
});
