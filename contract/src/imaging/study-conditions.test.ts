import { expect, test } from 'vitest';
import { conditionsQuery, readConditions, type StudyCondition, textOfConditions } from './study-conditions.ts';

const conditions: StudyCondition[] = [
  { field: 'modality', operator: 'isNot', values: ['CT', 'MR'] },
  { field: 'device', operator: 'is', values: ['CT 1; ground floor, left', 'Gerät:2'] },
  { field: 'studyDate', operator: 'last', values: ['7'] },
  { field: 'assignee', operator: 'is', values: ['me'] },
  { field: 'due', operator: 'overdue', values: [] },
];

test('conditions survive a round trip through an address, even with separators in a value', () => {
  const text = textOfConditions(conditions);

  expect(text).toMatch(/^modality\.isNot:CT,MR;device\.is:CT%201%3B/u);
  expect(readConditions(text)).toEqual(conditions);
  expect(conditionsQuery.parse(text)).toEqual(conditions);
});

test('writes no text for an empty list of conditions', () => {
  expect(textOfConditions([])).toBeUndefined();
  expect(readConditions(undefined)).toEqual([]);
  expect(conditionsQuery.parse(undefined)).toBeUndefined();
});

test.each([
  'size.is:4',
  'modality.older:4',
  'modality.is',
  'modality.is:',
  'status.is:LOST',
  'assignee.is:everybody',
  'studyDate.last:0',
  'studyDate.last:1,2',
  'studyDate.older:many',
  'due.overdue:1',
  'device.is:%E0%A4%A',
  'constructor.is:4',
  `referringPhysician.is:${'x'.repeat(65)}`,
])('the server refuses %s, and the browser ignores it next to a valid condition', (invalid) => {
  const text = `priority.is:STAT;${invalid}`;

  expect(conditionsQuery.safeParse(text).error?.issues[0]?.message).toBe(`The filter "${invalid}" is not valid`);
  expect(readConditions(text)).toEqual([{ field: 'priority', operator: 'is', values: ['STAT'] }]);
});

test('refuses more conditions than a list can have', () => {
  const text = Array.from({ length: 21 }, () => 'due.overdue').join(';');

  expect(conditionsQuery.safeParse(text).error?.issues[0]?.message).toBe('Use at most 20 filters');
  expect(readConditions(text)).toHaveLength(20);
});

test('a value that is named twice counts once', () => {
  expect(readConditions('modality.is:CT,CT')).toEqual([{ field: 'modality', operator: 'is', values: ['CT'] }]);
});
