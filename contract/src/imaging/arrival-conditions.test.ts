import { expect, test } from 'vitest';
import {
  type ArrivalConditions,
  type ArrivalFacts,
  clockIn,
  conditionsHold,
  isInShift,
  type LocalMoment,
  type Shift,
} from './arrival-conditions.ts';

const noConditions: ArrivalConditions = { modalities: [], bodyParts: [], sites: [], priorities: [], shift: null };

const study: ArrivalFacts = {
  modalities: ['CT', 'SR'],
  bodyParts: ['HEAD'],
  sites: ['North Clinic', 'CT-2', ''],
  priority: 'URGENT',
};

const mondayNoon: LocalMoment = { weekday: 1, minute: 720 };

test.each<[string, Partial<ArrivalConditions>, boolean]>([
  ['no condition', {}, true],
  ['the modality', { modalities: ['MR', 'CT'] }, true],
  ['another modality', { modalities: ['MR'] }, false],
  ['the body part, in any case', { bodyParts: ['head'] }, true],
  ['another body part', { bodyParts: ['CHEST'] }, false],
  ['the institution, in any case', { sites: ['NORTH CLINIC'] }, true],
  ['the station', { sites: ['ct-2'] }, true],
  ['a part of the institution', { sites: ['North'] }, false],
  ['an empty site', { sites: [' '] }, false],
  ['the priority', { priorities: ['STAT', 'URGENT'] }, true],
  ['another priority', { priorities: ['STAT'] }, false],
  ['one condition that holds and one that does not', { modalities: ['CT'], priorities: ['STAT'] }, false],
])('judges %s', (_, conditions, holds) => {
  expect(conditionsHold({ ...noConditions, ...conditions }, study, mondayNoon)).toBe(holds);
});

test('XR stands for plain radiographs', () => {
  const radiograph = { ...study, modalities: ['DX'] };

  expect(conditionsHold({ ...noConditions, modalities: ['XR'] }, radiograph, mondayNoon)).toBe(true);
});

const friday = 5;
const saturday = 6;
const night: Shift = { days: [friday], from: '22:00', to: '06:00' };
const day: Shift = { days: [friday], from: '08:00', to: '16:00' };
const whole: Shift = { days: [friday], from: '08:00', to: '08:00' };

test.each<[string, Shift, LocalMoment['weekday'], string, boolean]>([
  ['its start', day, friday, '08:00', true],
  ['its end', day, friday, '16:00', false],
  ['another day', day, saturday, '09:00', false],
  ['a night before midnight', night, friday, '22:00', true],
  ['a night after midnight, on the next day', night, saturday, '05:59', true],
  ['the end of a night', night, saturday, '06:00', false],
  ['the early morning of the day on which a night begins', night, friday, '05:00', false],
  ['the night of the next day', night, saturday, '23:00', false],
  ['24 hours from their start', whole, friday, '08:00', true],
  ['24 hours until the next morning', whole, saturday, '07:59', true],
  ['24 hours before their start', whole, friday, '07:59', false],
])('judges a shift at %s', (_, shift, weekday, time, isWithin) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);

  expect(isInShift(shift, { weekday, minute: hours * 60 + minutes })).toBe(isWithin);
});

test('a night from Sunday ends on Monday', () => {
  expect(isInShift({ ...night, days: [7] }, { weekday: 1, minute: 60 })).toBe(true);
});

// Zurich changes to summer time on 2026-03-29 at 02:00, and back on 2026-10-25 at 03:00.
test.each([
  ['before midnight', '2026-11-30T22:59:00Z', 1, '23:59'],
  ['after midnight', '2026-11-30T23:00:00Z', 2, '00:00'],
  ['before the change to summer time', '2026-03-29T00:59:00Z', 7, '01:59'],
  ['after the change to summer time', '2026-03-29T01:00:00Z', 7, '03:00'],
  ['in an hour that the change to winter time repeats', '2026-10-25T00:30:00Z', 7, '02:30'],
  ['in the same hour, the second time', '2026-10-25T01:30:00Z', 7, '02:30'],
])('reads the clock of the organization %s', (_, at, weekday, time) => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);

  expect(clockIn('Europe/Zurich')(new Date(at))).toEqual({ weekday, minute: hours * 60 + minutes });
});
