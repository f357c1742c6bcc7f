import { anchorOf } from '@radwork/contract/reading/report-anchors';
import { expect, onTestFinished, test } from 'vitest';
import { addedWords, commentTools } from '#reading/editor/comments/comment-tools.ts';
import { type PaintedPassage, paintPassages, selectedPlace, shownText } from './text-places.ts';

const html =
  '<h2>Findings</h2><p>The <strong>left</strong> kidney<br>is normal.</p><ul><li><p>One</p></li></ul><table><tbody><tr><td><p>Cell</p></td></tr></tbody></table>';

const shown = (content = html) => {
  const root = document.createElement('div');
  root.innerHTML = content;
  document.body.append(root);
  onTestFinished(() => root.remove());
  return root;
};

const passageOn = (root: Element, words: string, more: Partial<PaintedPassage> = {}): PaintedPassage => {
  const { text } = shownText(root);
  const from = text.indexOf(words);
  return { id: 'c1', place: { from, to: from + words.length }, struck: [], extras: [], ...more };
};

const look = { passage: 'passage', struck: 'struck' };
const marked = (root: Element, id = 'c1') =>
  Array.from(root.querySelectorAll(`[data-comment~="${id}"]`), ({ textContent }) => textContent).join('|');

test('reads the text of a report line by line, as the server does', () => {
  expect(shownText(shown()).text).toBe('Findings\nThe left kidney\nis normal.\nOne\nCell');
});

test('finds the place of selected words across formatting and lines', () => {
  const root = shown();
  const [strong, second] = [root.querySelector('strong')?.firstChild, root.querySelector('br')?.nextSibling];
  if (!strong || !second) throw new Error('no words');
  const selection = window.getSelection();

  selection?.setBaseAndExtent(strong, 0, second, 2);
  const place = selectedPlace(root, shownText(root), selection);

  expect(place && anchorOf(shownText(root).text, place)?.exact).toBe('left kidney\nis');
});

test('finds the place of a selection that begins between elements', () => {
  const root = shown();
  const [first, second] = root.querySelectorAll('h2, p');
  if (!first || !second) throw new Error('no words');
  const selection = window.getSelection();

  selection?.setBaseAndExtent(first, 0, second, 2);
  const place = selectedPlace(root, shownText(root), selection);

  expect(place && shownText(root).text.slice(place.from, place.to)).toBe('Findings\nThe left');
});

test('ignores a selection outside the report', () => {
  const root = shown();
  const other = shown('<p>Other</p>');
  const selection = window.getSelection();

  selection?.selectAllChildren(other);

  expect(selectedPlace(root, shownText(root), selection)).toBeUndefined();
});

test('marks a passage across formatting, and removes the marks again', () => {
  const root = shown();
  const tools = commentTools({ number: 1, author: 'Rex', onOpen: () => {} });
  const passage = passageOn(root, 'left kidney\nis', { extras: [{ at: 24 + 3, element: tools }] });

  const clear = paintPassages(root, [passage], look);

  expect(marked(root)).toBe('left| kidney|is');
  expect(root.querySelector('button')?.parentElement?.previousElementSibling?.textContent).toBe('is');
  expect(shownText(root).text).toContain('left kidney\nis normal.');
  clear();
  expect(root.innerHTML).toBe(html);
});

test('marks passages that overlap', () => {
  const root = shown();
  const passages = [passageOn(root, 'left kidney'), passageOn(root, 'kidney\nis', { id: 'c2' })];

  const clear = paintPassages(root, passages, look);

  expect([marked(root), marked(root, 'c2')]).toEqual(['left| |kidney', 'kidney|is']);
  clear();
  expect(root.innerHTML).toBe(html);
});

test('shows suggested words after the words that they replace, also at the start of a line', () => {
  const root = shown('<p>One two</p><p>Three</p>');
  const replaced = passageOn(root, 'One two', {
    struck: [{ from: 4, to: 7 }],
    extras: [{ at: 7, element: addedWords('four') }],
  });
  const inserted = passageOn(root, 'Three', { id: 'c2', extras: [{ at: 8, element: addedWords('Two and ') }] });

  paintPassages(root, [replaced, inserted], look);

  expect(root.textContent).toBe('One twofourTwo and Three');
  expect(root.querySelector('.struck')?.textContent).toBe('two');
  expect(shownText(root).text).toBe('One two\nThree');
});
