import { expect, test } from 'vitest';
import { secondIdentifier } from './second-identifier.ts';

const known = { BIRTH_DATE: '1961-04-30', PATIENT_ID: 'P-1', ACCESSION_NUMBER: 'A-1' };

test.each(['BIRTH_DATE', 'PATIENT_ID', 'ACCESSION_NUMBER'] as const)('a report contains the chosen %s', (kind) => {
  expect(secondIdentifier(kind, known)).toEqual({ kind, value: known[kind] });
});

test('a report contains another patient identifier when the patient lacks the chosen identifier', () => {
  expect(secondIdentifier('BIRTH_DATE', { ...known, BIRTH_DATE: null })).toEqual({ kind: 'PATIENT_ID', value: 'P-1' });
  expect(secondIdentifier('BIRTH_DATE', { ...known, BIRTH_DATE: null, PATIENT_ID: '' })?.kind).toBe('ACCESSION_NUMBER');
});

test('a report contains no patient identifier when none is known', () => {
  expect(secondIdentifier('PATIENT_ID', { BIRTH_DATE: null, PATIENT_ID: '', ACCESSION_NUMBER: '' })).toBeNull();
});
