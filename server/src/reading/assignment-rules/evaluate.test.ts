import { expect, test } from 'vitest';
import { type Candidate, type Candidates, evaluate, type JudgedStudy, type Rule } from './evaluate.ts';
import { simulate } from './simulate.ts';

const moment = { weekday: 1, minute: 720 } as const;
const noConditions = { modalities: [], bodyParts: [], sites: [], priorities: [], shift: null };

const study: JudgedStudy = {
  modalities: ['CT'],
  bodyParts: [],
  sites: [],
  priority: 'ROUTINE',
  groupIds: ['north'],
  isOld: false,
};

const rule = (changes: Partial<Rule> = {}): Rule => ({
  isActive: true,
  conditions: noConditions,
  assignee: { kind: 'LEAST_LOADED', id: 'neuro' },
  mostOpen: null,
  lastUserId: null,
  ...changes,
});

const user = (id: string, changes: Partial<Candidate> = {}): Candidate => ({
  id,
  name: id,
  isAssignable: true,
  isRadiologist: true,
  limitedTo: null,
  open: 0,
  ...changes,
});

const candidates = (...users: Candidate[]): Candidates => ({
  users: new Map(users.map((each) => [each.id, each])),
  groups: new Map([['neuro', { name: 'Neuro', memberIds: users.map(({ id }) => id) }]]),
});

const toUser = (id: string): Rule['assignee'] => ({ kind: 'USER', id });

test('no rule takes an old study, such as an imported prior', () => {
  const prior = { ...study, isOld: true };

  expect(evaluate([rule()], candidates(user('a')), { study: prior, moment })).toEqual({
    choice: undefined,
    passed: [],
  });
});

test.each<[string, Rule[], Candidate[], string]>([
  ['the first rule that matches', [rule({ assignee: toUser('b') }), rule()], [user('a'), user('b')], '0 USER b'],
  [
    'the second rule when the first does not match',
    [rule({ conditions: { ...noConditions, modalities: ['MR'] } }), rule({ assignee: toUser('a') })],
    [user('a')],
    '1 USER a',
  ],
  ['no rule that is off', [rule({ isActive: false })], [user('a')], 'none'],
  ['a group', [rule({ assignee: { kind: 'GROUP', id: 'neuro' } })], [user('a')], '0 GROUP neuro'],
  [
    'a group whose limited members do not see the study yet',
    [rule({ assignee: { kind: 'GROUP', id: 'neuro' } })],
    [user('a', { limitedTo: ['neuro'] })],
    '0 GROUP neuro',
  ],
  [
    'no group without an active reader',
    [rule({ assignee: { kind: 'GROUP', id: 'neuro' } })],
    [user('a', { isAssignable: false })],
    'none, 0 NO_READER',
  ],
  [
    'no group without a radiologist',
    [rule({ assignee: { kind: 'GROUP', id: 'neuro' } })],
    [user('a', { isRadiologist: false })],
    'none, 0 NO_READER',
  ],
  ['no deleted group', [rule({ assignee: { kind: 'GROUP', id: null } })], [user('a')], 'none, 0 DELETED'],
  ['the member with the fewest open studies', [rule()], [user('a', { open: 2 }), user('b', { open: 1 })], '0 USER b'],
  ['equal members in turn', [rule({ lastUserId: 'a' })], [user('a'), user('b'), user('c')], '0 USER b'],
  ['the first member after the last', [rule({ lastUserId: 'c' })], [user('a'), user('b'), user('c')], '0 USER a'],
  [
    'the member with fewer studies even out of turn',
    [rule({ lastUserId: 'a' })],
    [user('a'), user('b', { open: 1 })],
    '0 USER a',
  ],
  [
    'no referring physician by load',
    [rule()],
    [user('a', { isRadiologist: false }), user('b', { open: 9 })],
    '0 USER b',
  ],
  [
    'a referring physician whom a rule names',
    [rule({ assignee: toUser('a') })],
    [user('a', { isRadiologist: false })],
    '0 USER a',
  ],
  [
    'the next rule when the user is inactive',
    [rule({ assignee: toUser('a') }), rule({ assignee: toUser('b') })],
    [user('a', { isAssignable: false }), user('b')],
    '1 USER b, 0 NO_READER',
  ],
  [
    'the next rule when groups hide the study from the user',
    [rule({ assignee: toUser('a') }), rule({ assignee: toUser('b') })],
    [user('a', { limitedTo: ['south'] }), user('b', { limitedTo: ['south', 'north'] })],
    '1 USER b, 0 HIDDEN',
  ],
  ['no limited user without a group', [rule()], [user('a', { limitedTo: [] })], 'none, 0 HIDDEN'],
  [
    'the next rule when the user has the most open studies',
    [rule({ assignee: toUser('a'), mostOpen: 3 }), rule({ assignee: toUser('b'), mostOpen: 3 })],
    [user('a', { open: 3 }), user('b', { open: 2 })],
    '1 USER b, 0 FULL',
  ],
  [
    'nobody when all members have the most open studies',
    [rule({ mostOpen: 1 })],
    [user('a', { open: 1 }), user('b', { open: 4 })],
    'none, 0 FULL',
  ],
])('chooses %s', (_, rules, users, expected) => {
  const { choice, passed } = evaluate(rules, candidates(...users), { study, moment });
  const words = [
    choice ? `${choice.rule} ${choice.kind} ${choice.id}` : 'none',
    ...passed.map((each) => `${each.rule} ${each.cause}`),
  ];

  expect(words.join(', ')).toBe(expected);
});

const never = Number.POSITIVE_INFINITY;
const clock = () => moment;

const chosenFor = (
  rules: Rule[],
  studies: { arrivedAt: number; endedAt: number }[],
  openAtStart: { userId: string; until: number }[] = [],
) =>
  simulate(rules, candidates(user('a'), user('b')), {
    studies: studies.map((times) => ({ ...study, ...times })),
    openAtStart,
    clock,
  }).map(({ choice }) => choice?.id);

test('a dry run counts the studies that it has assigned before', () => {
  const arrivals = [1, 2, 3, 4, 5].map((arrivedAt) => ({ arrivedAt, endedAt: never }));

  expect(chosenFor([rule({ mostOpen: 2 })], arrivals)).toEqual(['a', 'b', 'a', 'b', undefined]);
});

test('a dry run counts assignments that were open at its start until they ended', () => {
  const open = [
    { userId: 'a', until: 3 },
    { userId: 'a', until: never },
  ];
  const arrivals = [
    { arrivedAt: 1, endedAt: 2 },
    { arrivedAt: 4, endedAt: never },
  ];

  expect(chosenFor([rule({ mostOpen: 2, assignee: toUser('a') })], arrivals, open)).toEqual([undefined, 'a']);
});

test('a dry run frees a user when a study that it assigned was completed', () => {
  const arrivals = [
    { arrivedAt: 1, endedAt: 5 },
    { arrivedAt: 2, endedAt: never },
    { arrivedAt: 6, endedAt: never },
  ];

  expect(chosenFor([rule({ mostOpen: 1, assignee: toUser('a') })], arrivals)).toEqual(['a', undefined, 'a']);
});
