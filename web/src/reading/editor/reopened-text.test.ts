import { reportHighlights, reportTextColors } from '@radwork/contract/reading/report-colors';
import { createDocument, Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { rebuiltByServer } from '#test/rebuilt-by-server.ts';
import { reportExtensions } from './extensions/editor-extensions.ts';
import { asWritten } from './use-text-changes.ts';

const pixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Returns a generator of random integers below `limit`. Equal seeds give equal numbers (mulberry32). */
const numbers = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
};

type Random = ReturnType<typeof numbers>;

const words = [
  'A  B   C',
  '   indented',
  'cut\tat\ttabs',
  'end  ',
  ' ',
  '\t',
  'hard\u00A0blank',
  '1 mm  2 mm',
  'a & b',
];
const [shade] = Object.values(reportHighlights);
const marks = [
  ['strong', ''],
  ['em', ''],
  ['u', ''],
  ['s', ''],
  ['sub', ''],
  ...Object.values(reportHighlights).map((color) => [
    'mark',
    ` data-color="${color}" style="background-color: ${color}"`,
  ]),
  ...Object.values(reportTextColors).map(({ print }) => ['span', ` style="color: ${print}"`]),
  ['a', ' target="_blank" rel="noopener noreferrer nofollow" href="https://example.org/"'],
];

const pick = <T>(random: Random, from: readonly [T, ...T[]] | readonly T[]): T => {
  const item = from[random(from.length)];
  if (item === undefined) throw new Error('There is something to pick from');
  return item;
};

const escaped = (text: string) => text.replaceAll('&', '&amp;');

const inline = (random: Random): string => {
  const parts = Array.from({ length: 1 + random(4) }, () => {
    if (random(8) === 0) return '<br>';
    const text = escaped(pick(random, words));
    if (random(2) === 0) return text;
    const [tag, attributes] = pick(random, marks);
    return `<${tag}${attributes}>${text}</${tag}>`;
  });
  return parts.join('');
};

const paragraph = (random: Random) => {
  const tag = pick(random, ['p', 'h2']);
  const style = random(3) === 0 ? ' style="text-align: center"' : '';
  return `<${tag}${style}>${inline(random)}</${tag}>`;
};

const cell = (random: Random, attributes = '') => `<td${attributes}><p>${inline(random)}</p></td>`;

const table = (random: Random) =>
  `<table><tbody><tr>${cell(random, ` colspan="2" style="background-color: ${shade}"`)}${cell(random, ' rowspan="2"')}</tr>` +
  `<tr>${cell(random)}${cell(random)}</tr></tbody></table>`;

const block = (random: Random): string => {
  switch (random(6)) {
    case 0:
      return `<ul><li><p>${inline(random)}</p></li><li><p>${inline(random)}</p></li></ul>`;
    case 1:
      return table(random);
    case 2:
      return `<img src="${pixel}" alt="left   lung" width="${50 + random(300)}">`;
    case 3:
      return `<blockquote><p>${inline(random)}</p></blockquote>`;
    default:
      return paragraph(random);
  }
};

const textOf = (random: Random) => Array.from({ length: 1 + random(5) }, () => block(random)).join('');

const open = (html: string) => {
  const editor = new Editor({
    extensions: reportExtensions(() => {}),
    content: html,
    parseOptions: asWritten,
    injectCSS: false,
  });
  onTestFinished(() => editor.destroy());
  return editor;
};

test.each([...Array.from({ length: 60 }).keys()])(
  'a random text with spaces, colors, pictures and cells stays unchanged when stored and opened (%i)',
  (seed) => {
    const stored = rebuiltByServer(textOf(numbers(seed + 1)));

    const editor = open(stored);

    expect(rebuiltByServer(editor.getHTML())).toBe(stored);
    expect(createDocument(stored, editor.schema, asWritten).eq(editor.state.doc)).toBe(true);
  },
);

test('typed spaces and tabs survive storing and opening again', () => {
  const editor = open('<p></p>');
  editor.view.dispatch(editor.state.tr.insertText('   A  B\tC ', 1));

  const again = open(rebuiltByServer(editor.getHTML()));

  expect(again.state.doc.textContent).toBe('   A  B\tC ');
  expect(again.state.doc.toJSON()).toEqual(editor.state.doc.toJSON());
});
