import { expect, test } from 'vitest';
import { patients } from './patients.ts';
import { ageAt, timeAfter, type StudyOptions } from './study.ts';

const options: StudyOptions = { seed: 'study', patient: patients[0], studyDate: '20261110', accessionNumber: 'A1' };

test('times in the files count from the start of the study', () => {
  expect(timeAfter({ ...options, studyTime: '095930' }, 45)).toBe('100015');
  expect(timeAfter({ ...options, studyTime: '100000' }, -3600)).toBe('090000');
});

test.each(['000500', '235900', '9:30', ''])(
  'a study at "%s" is refused, because its times would fall on another day',
  (studyTime) => {
    expect(() => [-3600, 900].map((seconds) => timeAfter({ ...options, studyTime }, seconds))).toThrow(RangeError);
  },
);

test('an age is in whole years, or in months for small children', () => {
  expect(ageAt('19580317', '20261110')).toBe('068Y');
  expect(ageAt('19581111', '20261110')).toBe('067Y');
  expect(ageAt('20250910', '20261110')).toBe('014M');
});
