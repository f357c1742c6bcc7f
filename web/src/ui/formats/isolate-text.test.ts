import { expect, test } from 'vitest';
import { isolateText } from './isolate-text.ts';

test('text without direction marks stays unchanged in any script', () => {
  for (const words of ['Chest CT', 'צילום חזה', 'a\u200fb', '']) expect(isolateText(words)).toBe(words);
});

test.each([
  ['an override without an end', '\u202eHT', '\u2068\u202eHT\u2069'],
  ['an isolate without an end', '\u2067HT', '\u2068\u2067HT\u2069\u2069'],
  ['an end mark without a start, before an override', '\u2069\u2069\u202eHT', '\u2068\u202eHT\u2069'],
  ['a complete isolate', '\u2067HT\u2069 end', '\u2068\u2067HT\u2069 end\u2069'],
])('%s does not change the direction of the text after it', (_, words, isolated) => {
  expect(isolateText(words)).toBe(isolated);
});
