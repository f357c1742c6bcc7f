import { expect, test } from 'vitest';
import { type ComparedPiece, compareTexts } from './compare-texts.ts';

const marksOf = { same: '', added: '+', removed: '-' };

/** Writes a comparison on one line: "No [-left][+right] effusion". */
const marked = (before: string, after: string): string => {
  const pieces = compareTexts(before, after).pieces.map((piece: ComparedPiece) => {
    const text = piece.kind === 'words' ? piece.text : `<${piece.kind}>`;
    return piece.change === 'same' ? text : `[${marksOf[piece.change]}${text}]`;
  });
  return pieces.join('');
};

test.each([
  ['nothing', '<p>No effusion.</p>', '<p>No effusion.</p>', '<block>No effusion.'],
  ['a word', '<p>No left effusion.</p>', '<p>No right effusion.</p>', '<block>No [-left][+right] effusion.'],
  ['an added word', '<p>Effusion.</p>', '<p>No Effusion.</p>', '<block>[+No][+ ]Effusion.'],
  ['a removed word', '<p>No effusion.</p>', '<p>effusion.</p>', '<block>[-No][- ]effusion.'],
  ['the format of a word', '<p>No effusion</p>', '<p><strong>No</strong> effusion</p>', '<block>[-No][+No] effusion'],
  ['an added paragraph', '<p>One</p>', '<p>One</p><p>Two</p>', '<block>One[+<block>][+Two]'],
  ['a paragraph that becomes a heading', '<p>Findings</p>', '<h2>Findings</h2>', '[-<block>][+<block>]Findings'],
  ['a list item', '<ul><li><p>One</p></li></ul>', '<ul><li><p>Two</p></li></ul>', '<block>[-One][+Two]'],
  [
    'the tick of a task',
    '<ul data-type="taskList"><li><input type="checkbox"><div><p>Ward told</p></div></li></ul>',
    '<ul data-type="taskList"><li><label><input type="checkbox" checked="checked"></label><div><p>Ward told</p></div></li></ul>',
    '<block>[+<tick>]Ward told',
  ],
  [
    'the address of a link',
    '<p>See <a href="https://one.example">there</a></p>',
    '<p>See <a href="https://two.example">there</a></p>',
    '<block>See [-there][+there]',
  ],
  [
    'a paragraph break within a list item',
    '<ul><li><p>No mass 5</p></li></ul>',
    '<ul><li><p>No mass</p><p>5</p></li></ul>',
    '<block>No mass[- ][+<line>]5',
  ],
  ['a picture', '<p>x</p><img src="a">', '<p>x</p><img src="b">', '<block>x[-<picture>][+<picture>]'],
  [
    'a table cell (the whole table counts as different)',
    '<table><tr><td>1</td></tr></table>',
    '<table><tr><td>2</td></tr></table>',
    '[-<table>][+<table>]',
  ],
])('when two texts differ in %s, the comparison marks only the difference', (_, before, after, expected) => {
  expect(marked(before, after)).toBe(expected);
});

test.each([
  ['<p>a b</p>', '<p>a b</p>', 'No differences'],
  ['<p>a b</p>', '<p>a c d</p>', '2 words added, 1 word removed'],
  ['<p>a</p>', '<p>a</p><img src="x">', '1 image added'],
  ['<p>a</p><table></table>', '<p>a</p>', '1 table removed'],
  ['<ul><li><input><p>a</p></li></ul>', '<ul><li><input checked><p>a</p></li></ul>', '1 check mark added'],
  ['<p>a.</p>', '<p>a!</p>', 'Only punctuation, spaces or paragraphs differ'],
])('the difference between %s and %s is summarized as "%s"', (before, after, summary) => {
  expect(compareTexts(before, after).summary).toBe(summary);
});

test('the comparison contains both texts', () => {
  const before = '<h2>Findings</h2><p>The <em>left</em> lung is clear. No effusion.</p>';
  const after = '<h2>Findings</h2><p>The left lung is <strong>not</strong> clear.</p><p>Small effusion.</p>';

  const { pieces } = compareTexts(before, after);
  const textOf = (without: string) =>
    pieces
      .filter(({ change }) => change !== without)
      .map(({ kind, text }) => (kind === 'words' ? text : '|'))
      .join('');

  expect(textOf('added')).toBe('|Findings|The left lung is clear. No effusion.');
  expect(textOf('removed')).toBe('|Findings|The left lung is not clear.|Small effusion.');
});

test('a comparison handles two different texts of ten thousand characters', () => {
  const text = (letter: string) => `<p>${Array.from({ length: 2500 }, (_, n) => letter + n).join(' ')}</p>`;

  const { pieces } = compareTexts(text('a'), text('b'));

  expect(pieces.some(({ change }) => change === 'added')).toBe(true);
  expect(pieces.some(({ change }) => change === 'removed')).toBe(true);
});
