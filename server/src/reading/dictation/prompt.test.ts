import { reportLanguages } from '@radwork/contract/reading/report-sections';
import { expect, test } from 'vitest';
import { promptFor, repeatsPrompt } from './prompt.ts';
import { vocabulary } from './vocabulary.ts';

test.each(reportLanguages)('the prompt in %s has terms without repetition and fits in a recognizer', (language) => {
  const terms = vocabulary[language];

  expect(new Set(terms).size).toBe(terms.length);
  expect(terms.length).toBeGreaterThan(10);
  // About 224 tokens of 2 to 4 characters, with room for the text before the cursor.
  expect(terms.join(', ').length).toBeLessThan(420);
});

test('the words of the reader come first and the text before the cursor last, and long lists are cut', () => {
  const own = Array.from({ length: 60 }, (_, at) => `term${at}`);

  const prompt = promptFor('en', own, ' The liver ');

  expect(prompt).toMatch(/^term0, term1, .*pneumothorax.*Hounsfield units\. The liver$/);
  expect(prompt).not.toContain('term50');
});

test.each([
  ['Bronchiectasis, hilar lymphadenopathy, hypoattenuating, hyperintense.', true],
  ['No pneumothorax, pleural effusion, atelectasis, ground-glass opacity', false],
  ['Pneumothorax, pleural effusion.', false],
  ['', false],
])('the text %j repeats the list of words: %s', (text, isRepeated) => {
  expect(repeatsPrompt(text, 'en', [])).toBe(isRepeated);
});
