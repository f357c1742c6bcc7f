import { expect, test } from 'vitest';
import { patients } from './patients.ts';

test('all demo patients have different Patient IDs', () => {
  const ids = new Set(patients.map(({ PatientID }) => PatientID));

  expect(ids.size).toBe(patients.length);
  expect(patients.length).toBeGreaterThanOrEqual(14);
});

test.each(patients.map((patient) => [patient.PatientName, patient] as const))(
  'the demo patient %s is a valid DICOM patient',
  (_, patient) => {
    const { PatientName, PatientID, PatientBirthDate } = patient;
    const born = new Date(PatientBirthDate.replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3'));

    expect(PatientName.split('=').every((group) => group.length <= 64 && group.split('^').length <= 5)).toBe(true);
    expect(PatientName.split('=').length).toBeLessThanOrEqual(3);
    expect(PatientID).toMatch(/^DEMO-\d{6}$/);
    expect(born.toISOString().slice(0, 10).replaceAll('-', '')).toBe(PatientBirthDate);
  },
);
