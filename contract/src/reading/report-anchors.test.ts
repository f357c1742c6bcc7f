import { expect, test } from 'vitest';
import { anchorOf, findPassage, findSuggestion, isSamePassage, type TextAnchor } from './report-anchors.ts';

const anchorAt = (text: string, words: string, nth = 0): TextAnchor => {
  let from = -1;
  for (let count = 0; count <= nth; count += 1) from = text.indexOf(words, from + 1);
  const anchor = anchorOf(text, { from, to: from + words.length });
  if (!anchor) throw new Error('no words');
  return anchor;
};

const found = (text: string, anchor: TextAnchor) => {
  const place = findPassage(text, anchor);
  return place && text.slice(place.from, place.to);
};

const report = 'Findings\nLungs: clear.\nLiver: normal.\nSpleen: normal.\nImpression\nNo acute finding.';

test('an anchor has the words, their surroundings and their position', () => {
  expect(anchorAt(report, 'normal', 1)).toEqual({
    exact: 'normal',
    prefix: 'gs: clear.\nLiver: normal.\nSpleen: '.slice(-32),
    suffix: '.\nImpression\nNo acute finding.',
    start: 46,
    end: 52,
  });
});

test('an anchor leaves out the white space at the ends of a selection', () => {
  const anchor = anchorOf(report, { from: report.indexOf(' clear'), to: report.indexOf('\nLiver') + 1 });

  expect(anchor).toMatchObject({ exact: 'clear.', suffix: expect.stringMatching(/^\nLiver/) });
  expect(anchorOf(report, { from: 8, to: 9 })).toBeUndefined();
});

test('finds a passage again after text was inserted before and after it', () => {
  const anchor = anchorAt(report, 'normal', 1);

  const place = findPassage(`History\nCough.\n${report}\nEnd.`, anchor);

  expect(place).toEqual({ from: 61, to: 67, isCertain: true });
});

test('finds a passage after the text on one side of it was rewritten', () => {
  const anchor = anchorAt(report, 'normal', 0);

  expect(found(report.replace('Lungs: clear.\nLiver', 'Hepar'), anchor)).toBe('normal');
});

test('does not take the same words elsewhere for a deleted passage', () => {
  const anchor = anchorAt(report, 'normal', 0);

  expect(found(report.replace('Liver: normal.\n', ''), anchor)).toBeUndefined();
});

test('does not find a passage whose words have changed', () => {
  expect(found(report.replace('No acute', 'An acute'), anchorAt(report, 'No acute finding'))).toBeUndefined();
});

test('finds a passage whose paragraphs were joined', () => {
  const anchor = anchorAt(report, 'clear.\nLiver: normal.');

  expect(found(report.replace('clear.\nLiver', 'clear.  Liver'), anchor)).toBe('clear.  Liver: normal.');
});

test('finds a long passage in another place, if it occurs once', () => {
  const sentence = 'There is a small nodule in the left upper lobe.';
  const anchor = anchorAt(`One.\n${sentence}\nTwo.`, sentence);

  expect(found(`Something else entirely. ${sentence} And more.`, anchor)).toBe(sentence);
});

test('finds the nearest of two equal places, and does not call it certain', () => {
  const line = 'The kidney is of normal size and shape. No stone is seen in it.\n';
  const text = line.repeat(3);
  const anchor = anchorAt(text, 'normal', 1);

  expect(findPassage(text, anchor)).toEqual({ from: line.length + 17, to: line.length + 23, isCertain: false });
});

test('a passage that is the whole text is found while it stays the whole text', () => {
  const anchor = anchorAt('Normal.', 'Normal.');

  expect(found('Normal.', anchor)).toBe('Normal.');
  expect(found('Liver: Normal. Spleen too.', anchor)).toBeUndefined();
});

const kidneys =
  'Right kidney: no stone. No dilated collecting system.\nLeft kidney: no stone. No dilated collecting system.';
const nodule = 'Solid nodule of 6 mm in the right lower lobe.';

test.each([
  ['in the unchanged text', kidneys, 'no stone', 0, kidneys, true],
  ['after an edit far away', kidneys, 'no stone', 0, `${kidneys}\nBladder: empty.`, true],
  [
    'on the other side, when the passage was rewritten',
    'Right kidney: no stone. Cyst of 2 cm.\nLeft kidney: no stone.',
    'no stone',
    0,
    'Right kidney: 4 mm stone. Cyst of 2 cm.\nLeft kidney: no stone.',
    false,
  ],
  [
    'on the other side, when the same words follow there',
    kidneys,
    'no stone',
    0,
    kidneys.replace('Right kidney: no stone', 'Right kidney: stone'),
    false,
  ],
  [
    'in the impression, when the same sentence in the findings was edited',
    `Findings\nLungs: ${nodule} No effusion.\nImpression\n${nodule}`,
    nodule,
    0,
    `Findings\nLungs: ${nodule.replace('6', '8')} No effusion.\nImpression\n${nodule}`,
    false,
  ],
])('a suggestion is certain only where its surroundings are unchanged: %s', (_, before, words, nth, now, isCertain) => {
  expect(findSuggestion(now, anchorAt(before, words, nth))?.isCertain ?? false).toBe(isCertain);
});

test('an anchor does not split a character of two UTF-16 units', () => {
  const text = `${'😀'.repeat(20)}a word${'😀'.repeat(20)}`;
  const anchor = anchorOf(text, { from: 41, to: 46 });

  expect([anchor?.prefix.isWellFormed(), anchor?.suffix.isWellFormed()]).toEqual([true, true]);
});

test('passages that differ only in white space are the same', () => {
  expect(isSamePassage('a  b\n', 'a b')).toBe(true);
  expect(isSamePassage('a b', 'ab')).toBe(false);
});
