import { expect, test } from 'vitest';
import { refuseQuote } from './quoted-passage.ts';

const text =
  '<p>Nodule in the <strong>left</strong> lung, no mass of 2.5 cm. Left kidney: no stone. Nodules known.</p>' +
  '<table><tbody><tr><td><p>1</p></td><td><p>2 mm</p></td></tr></tbody></table>' +
  '<p>Liver<br>Spleen &amp; pancreas <em>un</em>remarkable</p><p>左肺に結節あり</p>';

const absent = 'The passage was not found in the corrected text';
const within = 'The passage begins or ends within a word. Select whole words.';

test.each([
  ['Nodule'],
  ['Nodule in the left lung'],
  ['left'],
  ['mass of 2.5 cm.'],
  ['known. 1'],
  ['1\t2 mm'],
  ['2 mm\n\nLiver\nSpleen & pancreas'],
  ['unremarkable'],
  ['結節'],
])('accepts the quote "%s", which occurs once', (passage) => {
  expect(refuseQuote(text, passage)).toBeUndefined();
});

test.each([
  ['12 mm', absent],
  ['known.1', absent],
  ['LiverSpleen', absent],
  ['leftlung', absent],
  ['un remarkable', absent],
  ['o m', within],
  ['odule', within],
  ['Nodu', within],
  ['remarkable', within],
  ['5 cm', within],
  ['mass of 2', within],
  ['no', 'The passage occurs 2 times in the corrected text. Select a longer passage.'],
])('refuses the quote "%s": %s', (passage, why) => {
  expect(refuseQuote(text, passage)).toBe(why);
});
