import { expect, test } from 'vitest';
import { textChanges } from './report-text-changes.ts';

test.each([
  ['No effusion.', 'No effusion.', 0, 0, []],
  ['The lungs are clear.', 'The lungs are well aerated and clear.', 3, 0, []],
  ['Nodule in the left lobe.', 'Nodule in the right lobe.', 1, 1, ['LATERALITY']],
  ['Effusion.', 'No effusion.', 2, 1, ['NEGATION']],
  ['There is no effusion.', 'There is an effusion.', 1, 1, ['NEGATION']],
  ["It isn't seen.", 'It is seen.', 1, 1, ['NEGATION']],
  ['A nodule of 4 mm.', 'A nodule of 14 mm.', 1, 1, ['NUMBER']],
  ['A nodule of 4 mm.', 'A nodule of 4 cm.', 1, 1, ['NUMBER']],
  ['Left kidney normal, right kidney small.', 'Right kidney normal, left kidney small.', 2, 2, ['LATERALITY']],
  ['Kein Erguss links.', 'Erguss rechts.', 1, 2, ['LATERALITY', 'NEGATION']],
  ['', 'One word', 2, 0, []],
] as const)('from "%s" to "%s"', (before, after, added, removed, critical) => {
  expect(textChanges(before, after)).toEqual({ added, removed, critical });
});

test('counts long texts without common words as changed completely', () => {
  const text = (word: string) => Array.from({ length: 2500 }, (_, index) => `${word}${index % 7}`).join(' ');

  expect(textChanges(text('a'), text('b'))).toEqual({ added: 2500, removed: 2500, critical: ['NUMBER'] });
});
