import { expect, test } from 'vitest';
import {
  changesCsv,
  mappingCsv,
  newPseudonym,
  pseudonymProblem,
  unfitPatients,
  withChanges,
} from './deidentification.ts';

const ada = { patientKey: 'ada', patientName: '=HYPERLINK("http://evil.example")', patientID: 'P-1' };
/** Patient without an ID. Only the study distinguishes this patient from others. */
const unknown = {
  patientKey: 'unknown',
  patientName: 'Unknown',
  patientID: '',
  study: { studyInstanceUID: '2.25.101', studyDate: '' },
};
const bob = { patientKey: 'bob', patientName: 'Doe, "Bob"', patientID: '-4711' };

test('a de-identified patient gets a random name', () => {
  const { patientName, patientId } = newPseudonym();

  expect(patientName).toMatch(/^ANON-[A-HJ-NP-Z2-9]{6}$/);
  expect(patientId).toBe(patientName);
});

test.each([
  ['Case^One', undefined],
  ['', 'Required'],
  ['x'.repeat(65), '64 characters at most'],
  ['Müller', 'Only letters A to Z, digits, space, ^ . _ -'],
  ['A\\B', 'Only letters A to Z, digits, space, ^ . _ -'],
])('the new name %j of a patient has the problem: %s', (text, problem) => {
  expect(pseudonymProblem(text)).toBe(problem);
});

test.each([
  ['two patients with a new ID each', 'A', 'B', []],
  ['two patients with one new ID', 'A', 'A', [ada, bob]],
  ['two patients whose new IDs differ in a space at the end', 'A', 'A ', [ada, bob]],
  ['a patient with an impossible ID', 'A', 'Ä', [bob]],
])('the form finds patients with unsuitable new names or IDs: %s', (_, idOfAda, idOfBob, unfit) => {
  const pseudonyms = new Map([
    ['ada', { patientName: 'A', patientId: idOfAda }],
    ['bob', { patientName: 'B', patientId: idOfBob }],
  ]);

  expect(unfitPatients([ada, bob], pseudonyms)).toEqual(unfit);
});

test('a patient whose new name is empty must get a name', () => {
  expect(unfitPatients([ada, bob], new Map([['ada', { patientName: 'A', patientId: 'A' }]]))).toEqual([bob]);
});

test('the list of names contains no formula that a spreadsheet would run', () => {
  const csv = mappingCsv([ada, bob, unknown], new Map([['ada', { patientName: 'A', patientId: 'A-1' }]]));

  expect(csv.split('\r\n')).toEqual([
    '"Patient Name","Patient ID","Study UID","New Name","New ID"',
    `"'=HYPERLINK(""http://evil.example"")","P-1","","A","A-1"`,
    `"Doe, ""Bob""","'-4711","","",""`,
    '"Unknown","","2.25.101","",""',
    '',
  ]);
});

test('changes of attributes are counted together for each kind of file', () => {
  const change = { attribute: 'PatientName', kind: 'Replaced', count: 1 } as const;

  const kinds = withChanges(withChanges(withChanges([], 'CT', [change]), 'MR', [change]), 'CT', [change]);

  expect(kinds).toEqual([
    { kind: 'CT', files: 2, changes: [{ ...change, count: 2 }] },
    { kind: 'MR', files: 1, changes: [change] },
  ]);
  expect(changesCsv(kinds)).toContain('"CT","PatientName","Replaced","2"');
});
