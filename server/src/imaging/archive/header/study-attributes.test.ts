import { readHeader } from '@radwork/dicom/header';
import { ctVolume, doseReport } from '@radwork/phantom/studies';
import { expect, test } from 'vitest';
import { image } from '#test/multipart-upload.ts';
import { patientAttributes, seriesAttributes, studyAttributes, mergedAttributes } from './study-attributes.ts';

const options = {
  seed: 'attributes',
  patient: {
    PatientName: 'Okafor^Adaeze',
    PatientID: 'RW-1',
    PatientBirthDate: '19810412',
    PatientSex: 'F' as const,
  },
  studyDate: '20261102',
  studyTime: '101500',
  accessionNumber: 'A-77',
  slices: 1,
  size: 32,
};

const datasetOf = (bytes: Buffer) => readHeader(bytes).dataset;
const dataset = (elements: Parameters<typeof image>[0]) => datasetOf(image(elements).bytes);

test('reads study, equipment and order from the header of an image', () => {
  const [file] = ctVolume(options);

  const attributes = studyAttributes(datasetOf(file?.bytes ?? Buffer.alloc(0)));

  expect(attributes).toMatchObject({
    study_date: '2026-11-02T10:15:00',
    accession_number: 'A-77',
    referring_physician_name: 'Moreau^Claire^^Dr',
    referring_physician_phone: '+1 555 0142',
    equipment_name: 'CT1',
    equipment_manufacturer: 'Radwork',
    equipment_model: 'Phantom CT 64',
    equipment_room: 'CT 1',
    order_number: 'P-A-77',
    ordering_physician_name: 'Moreau^Claire^^Dr',
    procedure_code: '24627-2',
    procedure_description: 'CT Chest',
    scheduled_at: '2026-11-02T10:00:00',
    performing_technologist_name: 'Lindqvist^Karin',
  });
});

test('the dose of a study comes from its dose report', () => {
  const attributes = studyAttributes(datasetOf(doseReport(options).bytes));

  expect(attributes).toMatchObject({ total_dlp: 172.8, ctdi_vol: 7.2, effective_dose: null });
});

test('an image has its own CTDIvol, and the study has the highest', () => {
  const [low, high, none] = [{ CTDIvol: 4.5 }, { CTDIvol: 6 }, {}].map((elements) =>
    studyAttributes(dataset(elements)),
  );

  expect([low, none, high].map((one) => one?.ctdi_vol)).toEqual([4.5, null, 6]);
  expect([low, high, none].flatMap((one) => one ?? []).reduce(mergedAttributes).ctdi_vol).toBe(6);
});

test('takes a study attribute from the first file that has a value', () => {
  const first = studyAttributes(dataset({ AccessionNumber: 'A', StudyDescription: undefined, StudyDate: undefined }));
  const second = studyAttributes(dataset({ AccessionNumber: 'B', StudyDescription: 'Head', StudyDate: '20260102' }));

  expect(mergedAttributes(first, second)).toMatchObject({
    accession_number: 'A',
    study_description: 'Head',
    study_date: '2026-01-02T10:15:00',
  });
});

test('omits invalid dates and numbers too large for their column', () => {
  expect(studyAttributes(dataset({ StudyDate: '20260231' })).study_date).toBeNull();
  expect(patientAttributes(dataset({ PatientBirthDate: '1970' }), '1.2').date_of_birth).toBeNull();
  expect(seriesAttributes(dataset({ SeriesNumber: 99_999_999_999 })).series_number).toBeNull();
});

test("stores all spellings of a patient's name", () => {
  const attributes = patientAttributes(dataset({ PatientName: 'Yamada^Tarou=山田^太郎=やまだ^たろう' }), '1.2');

  expect(attributes.patient_name).toBe('Yamada^Tarou=山田^太郎=やまだ^たろう');
});

test('a patient without an ID always gets the same ID, derived from the study', () => {
  const nobody = dataset({ PatientID: undefined });

  const [one, again, other] = ['1.2', '1.2', '1.3'].map((uid) => patientAttributes(nobody, uid).patient_id);

  expect(one).toMatch(/^UNKNOWN-[0-9A-F]{12}$/);
  expect(again).toBe(one);
  expect(other).not.toBe(one);
});

test('removes characters from text that a column cannot store', () => {
  const attributes = studyAttributes(dataset({ StudyDescription: 'CT\0\nof the\tchest' }));

  expect(attributes.study_description).toBe('CT of the chest');
});

test('an invalid modality becomes OT', () => {
  expect(seriesAttributes(dataset({ Modality: 'mr' })).modality).toBe('MR');
  expect(seriesAttributes(dataset({ Modality: undefined })).modality).toBe('OT');
  expect(seriesAttributes(dataset({ Modality: '<script>' })).modality).toBe('OT');
});
