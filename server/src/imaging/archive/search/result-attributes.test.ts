import { expect, test } from 'vitest';
import { orderedJson } from '#imaging/archive/header/instance-metadata.ts';
import {
  type Attribute,
  optional,
  optionalSequence,
  required,
  requiredList,
  resultOf,
  resultText,
} from './result-attributes.ts';

type Row = { id: string; name?: string; sex: string; modalities: string[]; count: number | null; steps: string[] };

/** Attributes in the order of their tags. */
const attributes: Attribute<Row>[] = [
  requiredList('ModalitiesInStudy', (row) => row.modalities),
  required('PatientName', ({ name }) => (name === undefined ? undefined : { Alphabetic: name, Phonetic: 'い' })),
  required('PatientID', (row) => row.id),
  optional('PatientSex', (row) => row.sex),
  required('NumberOfStudyRelatedInstances', (row) => row.count),
  optionalSequence('RequestAttributesSequence', (row) => row.steps, [
    required('ScheduledProcedureStepID', (step: string) => step),
  ]),
];

const full: Row = { id: 'P-1', name: 'Doe^Jane', sex: 'F', modalities: ['CT', 'SR'], count: 3, steps: ['S-1', ''] };
const empty: Row = { id: '', sex: '', modalities: [], count: null, steps: [] };
const awkward: Row = {
  ...full,
  id: '"\\\n\u0000\u2028\ud800</script>',
  name: 'O\'Néill "山"',
  modalities: ['', 'MR'],
  count: 0,
};

test('a search result written as text equals its data set, for any content', () => {
  for (const row of [full, empty, awkward]) {
    expect(resultText(attributes, row)).toBe(orderedJson(resultOf(attributes, row)));
  }
});

test('a required attribute without a value is present, and an optional attribute without a value is omitted', () => {
  expect(resultOf(attributes, empty)).toEqual({
    '00080061': { vr: 'CS' },
    '00100010': { vr: 'PN' },
    '00100020': { vr: 'LO' },
    '00201208': { vr: 'IS' },
  });
  expect(resultOf(attributes, awkward)).toMatchObject({
    '00080061': { Value: ['MR'] },
    '00201208': { Value: [0] },
    '00400275': { vr: 'SQ', Value: [{ '00400009': { vr: 'SH', Value: ['S-1'] } }, { '00400009': { vr: 'SH' } }] },
  });
});
