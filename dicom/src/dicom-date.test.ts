import { expect, test } from 'vitest';
import { dateOf, dateTimeOf, matchRange, timeOf } from './dicom-date.ts';

test.each([
  ['20240229', '2024-02-29'],
  ['20000229', '2000-02-29'],
  ['20261231', '2026-12-31'],
  ['1993.04.22', '1993-04-22'],
  ['2024-02-29', '2024-02-29'],
  [' 19700101 ', '1970-01-01'],
  ['19700101\0', '1970-01-01'],
  ['20261120101500', '2026-11-20'],
  ['20261120101500.000000', '2026-11-20'],
  ['20261120000000.000000+0100', '2026-11-20'],
  ['1970-01-01T00:00:00Z', '1970-01-01'],
  ['2026-11-20T10:15:00', '2026-11-20'],
])('the text %s is read as the day %s', (da, day) => {
  expect(dateOf(da)).toBe(day);
});

test.each([
  undefined,
  '',
  '20230229',
  '19000229',
  '20240431',
  '20240100',
  '20241301',
  '00000000',
  '00000101',
  '2024',
  '2024022',
  '2024.02-29',
  '2024022910',
  '20240229996000',
  '19691231230000Z',
  '20261120101500.000000+0100',
  '2026-11-20T23:30:00-05:00',
  '20261120233000 +0100',
  '202611200015z',
  '20/11/2026',
  'today',
])('the text %s is refused as a day', (da) => {
  expect(dateOf(da)).toBeUndefined();
});

test.each([
  ['10', '10:00:00'],
  ['1045', '10:45:00'],
  ['104530', '10:45:30'],
  ['104530.123456', '10:45:30'],
  ['10:45:30', '10:45:30'],
  ['235960', '23:59:59'],
  ['101500.1234567', '10:15:00'],
  ['101500.', '10:15:00'],
  ['101500,5', '10:15:00'],
  ['101500Z', '10:15:00'],
  ['101500.25+0100', '10:15:00'],
  ['1015.5', '10:15:00'],
  ['10:15:00.1234567 ', '10:15:00'],
  ['101500\0', '10:15:00'],
  ['20261120101500.5', '10:15:00'],
  ['2026-11-20 10:15:00', '10:15:00'],
])('the text %s is read as the time %s', (tm, time) => {
  expect(timeOf(tm)).toBe(time);
});

test.each([undefined, '', '24', '1060', '1', '104561', '1045301', 'noon', '10:', '.5', '101500PM'])(
  'the text %s is refused as a time',
  (tm) => {
    expect(timeOf(tm)).toBeUndefined();
  },
);

test('date and time are combined; without a time the day stands alone, and without a date there is no result', () => {
  expect(dateTimeOf('20200102', '104530.5')).toBe('2020-01-02T10:45:30');
  expect(dateTimeOf('20200102', undefined)).toBe('2020-01-02');
  expect(dateTimeOf('20200102104530', '')).toBe('2020-01-02T10:45:30');
  expect(dateTimeOf('20200102104530', '11')).toBe('2020-01-02T11:00:00');
  expect(dateTimeOf('20200102', '99')).toBe('2020-01-02');
  expect(dateTimeOf('20200102', '000000')).toBe('2020-01-02T00:00:00');
  expect(dateTimeOf('20201302', '10')).toBeUndefined();
  expect(dateTimeOf(undefined, '10')).toBeUndefined();
});

test('a day with a time zone is never combined with a time', () => {
  expect(dateTimeOf('20261120233000Z', '003000')).toBeUndefined();
  expect(dateTimeOf('20261120233000Z', undefined)).toBeUndefined();
  expect(dateTimeOf('20261120000000+0100', '103000')).toBe('2026-11-20');
  expect(dateTimeOf('20261120000000+0100', '')).toBe('2026-11-20');
  expect(dateTimeOf('20261121', '20261120233000Z')).toBe('2026-11-21');
});

test('a date query may be a closed range, an open range or one day', () => {
  expect(matchRange('20200101-20201231')).toEqual({ from: '2020-01-01', to: '2020-12-31' });
  expect(matchRange('20200101-')).toEqual({ from: '2020-01-01' });
  expect(matchRange('-20201231')).toEqual({ to: '2020-12-31' });
  expect(matchRange('20200101')).toEqual({ from: '2020-01-01', to: '2020-01-01' });
  expect(matchRange('2020-01-01')).toEqual({ from: '2020-01-01', to: '2020-01-01' });
});

test.each(['', '-', '2020', '20200101-20201331', '20200199-', '20200101-20200102-20200103', 'a-b'])(
  'the date query "%s" is refused',
  (value) => {
    expect(matchRange(value)).toBeUndefined();
  },
);
