import { expect, test } from 'vitest';
import { appliesTo, hangingRuleFault, hangingRuleFor, layoutWithPrior } from './hanging-rules.ts';

type Rule = Parameters<typeof hangingRuleFor>[0][number] & { id: string };

const rule = (id: string, part: Partial<Rule> = {}): Rule => ({
  id,
  modality: '',
  bodyPart: '',
  monitors: null,
  isShared: false,
  ...part,
});
const chest = { modality: 'CT', bodyPart: 'chest', monitors: 2 };
const chosen = (...rules: Rule[]) => hangingRuleFor(rules, chest)?.id;

test('an own rule comes before a more specific rule of the organization', () => {
  const shared = rule('shared', { modality: 'CT', bodyPart: 'chest', monitors: 2, isShared: true });

  expect(chosen(shared, rule('own'))).toBe('own');
  expect(chosen(shared)).toBe('shared');
});

test('a rule with more conditions comes before one with fewer, and the first of equal rules applies', () => {
  const any = rule('any');
  const modality = rule('modality', { modality: 'CT' });
  const part = rule('part', { bodyPart: 'chest' });
  const both = rule('both', { modality: 'CT', bodyPart: 'chest' });
  const all = rule('all', { modality: 'CT', bodyPart: 'chest', monitors: 2 });

  expect(chosen(any, modality, both, all)).toBe('all');
  expect(chosen(any, modality, both)).toBe('both');
  expect([chosen(any, modality, part), chosen(any, part, modality)]).toEqual(['modality', 'part']);
});

test.each([
  [{ modality: 'MR' }, false],
  [{ bodyPart: 'head' as const }, false],
  [{ monitors: 1 as const }, false],
  [{ monitors: 3 as const }, false],
  [{ modality: 'CT' as const, monitors: 2 as const }, true],
])('a rule for %j applies to a CT of the chest on two monitors: %s', (part, expected) => {
  expect(appliesTo(rule('r', part as Partial<Rule>), chest)).toBe(expected);
});

test.each([
  [3, true],
  [6, true],
  [2, false],
])('a rule for three or more monitors applies to %i: %s', (monitors, expected) => {
  expect(appliesTo(rule('r', { monitors: 3 }), { ...chest, monitors })).toBe(expected);
});

test.each(['CR', 'DX', 'RG'])('a rule for XR applies to %s', (modality) => {
  expect(appliesTo(rule('r', { modality: 'XR' }), { ...chest, modality })).toBe(true);
});

test('no rule applies if none matches', () => {
  expect(chosen(rule('r', { modality: 'MG' }))).toBeUndefined();
});

test.each([
  ['1x1', 'beside', '1x2'],
  ['2x2', 'beside', '2x4'],
  ['2x2', 'below', '4x2'],
  ['1x2', 'beside', undefined],
  ['3x3', 'below', undefined],
] as const)('a layout of %s with the prior %s is %s', (layout, place, expected) => {
  expect(layoutWithPrior(layout, place)).toBe(expected);
  const fault = hangingRuleFault({ layout, prior: place, panes: [] });
  expect(fault === undefined).toBe(expected !== undefined);
});
