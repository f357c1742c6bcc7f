import type { DicomTag } from '@radwork/contract/imaging/study-rows';
import { expect, test } from 'vitest';
import { depthOf, tagsMatching } from './tag-filter.ts';

const tag = (id: string, keyword: string, value: string): DicomTag => {
  const last = id.split('.').at(-1) ?? id;
  return { id, keyword, tagId: `(${last.slice(0, 4)},${last.slice(4)})`, valueRepresentation: 'LO', value };
};

const name = tag('00100010', 'PatientName', 'Phantom^Ada');
const kernel = tag('00181210', 'ConvolutionKernel', 'B30f');
const procedure = tag('00400275[1].00321060', 'RequestedProcedureDescription', 'CT Chest');
const tags = [name, kernel, procedure];

test('a DICOM element is found by keyword, tag or value', () => {
  expect(tagsMatching(tags, 'kernel')).toEqual([kernel]);
  expect(tagsMatching(tags, 'phantom')).toEqual([name]);
  expect(tagsMatching(tags, '0018,1210')).toEqual([kernel]);
  expect(tagsMatching(tags, '(0018,1210)')).toEqual([kernel]);
  expect(tagsMatching(tags, '00181210')).toEqual([kernel]);
});

test('an empty search finds all elements, and punctuation finds none by tag', () => {
  expect(tagsMatching(tags, '  ')).toEqual(tags);
  expect(tagsMatching(tags, '(,)')).toEqual([]);
});

test('the depth of an element is the number of sequences that contain it', () => {
  expect(depthOf(name)).toBe(0);
  expect(depthOf(procedure)).toBe(1);
});
