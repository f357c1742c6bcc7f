import { anchorOf } from '@radwork/contract/reading/report-anchors';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { acceptSuggestion, undoAcceptance } from './accept-suggestion.ts';
import { commentState, onComments, showComments } from './comment-marks.ts';
import { documentText } from './document-places.ts';
import { suggestedWords } from './suggested-words.ts';

const open = (content: string) => {
  const element = document.createElement('div');
  document.body.append(element);
  const editor = new Editor({ element, extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => {
    editor.destroy();
    element.remove();
  });
  return editor;
};

/** Returns the text without the empty paragraph that the editor adds after a final heading, list or table. */
const htmlOf = (editor: Editor) => editor.getHTML().replace(/<p><\/p>$/, '');

/** Shows a suggestion for a passage of the visible text. */
const suggest = (editor: Editor, words: string, replacement: string) => {
  const text = documentText(editor.state.doc);
  const from = text.indexOf(words);
  const anchor = anchorOf(text, { from, to: from + words.length });
  if (from === -1 || !anchor) throw new Error('no words');
  const comment = { id: 'c1', number: 1, author: 'Rex Reviewer', replacement, anchor };
  showComments(editor, { comments: [comment], active: undefined, canDecide: true });
};

const accept = (content: string, words: string, replacement: string) => {
  const editor = open(content);
  suggest(editor, words, replacement);
  return { editor, failure: acceptSuggestion(editor, 'c1'), html: htmlOf(editor) };
};

const p = (...lines: string[]) => lines.map((line) => `<p>${line}</p>`).join('');
const ol = (...lines: string[]) => `<ol>${lines.map((line) => `<li><p>${line}</p></li>`).join('')}</ol>`;
const task = (words: string, isChecked = false) => `<li data-checked="${isChecked}" data-type="taskItem">${words}</li>`;

const bold = '<strong>Liver:</strong>';
const kidneys = 'Kidneys: both normal.';

test.each([
  [
    'changes words of two paragraphs',
    p(`${bold} normal.`, 'Spleen: small.'),
    'normal.\nSpleen: small',
    'large.\nSpleen: normal',
    p(`${bold} large.`, 'Spleen: normal.'),
  ],
  [
    'adds a paragraph between two',
    p(`${bold} normal.`, kidneys),
    'normal.\nKidneys',
    'normal.\nSpleen: normal.\nKidneys',
    p(`${bold} normal.`, 'Spleen: normal.', kidneys),
  ],
  [
    'adds a paragraph after a bold label',
    p(bold, kidneys),
    'Liver:\nKidneys',
    'Liver:\nNormal.\nKidneys',
    p(bold, 'Normal.', kidneys),
  ],
  [
    'adds a paragraph after a heading',
    `<h2>Findings</h2>${p(kidneys)}`,
    'Findings\nKidneys',
    'Findings\nLiver: normal.\nKidneys',
    `<h2>Findings</h2>${p('Liver: normal.', kidneys)}`,
  ],
  [
    'adds a paragraph before a heading',
    `${p(kidneys)}<h2>Impression</h2>`,
    'normal.\nImpression',
    'normal.\nSpleen: normal.\nImpression',
    `${p(kidneys, 'Spleen: normal.')}<h2>Impression</h2>`,
  ],
  [
    'adds a paragraph to one paragraph',
    p(kidneys),
    'both normal.',
    'both normal.\nSpleen: normal.',
    p(kidneys, 'Spleen: normal.'),
  ],
  [
    'removes a paragraph',
    p(`${bold} normal.`, 'Spleen: small.', kidneys),
    'normal.\nSpleen: small.\nKidneys',
    'normal.\nKidneys',
    p(`${bold} normal.`, kidneys),
  ],
  ['removes the first paragraph', p('Spleen: small.', kidneys), 'Spleen: small.\nKidneys', 'Kidneys', p(kidneys)],
  ['removes whole paragraphs', p('One line.', 'Two lines.', kidneys), 'One line.\nTwo lines.', '', p(kidneys)],
  [
    'joins two paragraphs',
    p('No stone', '<em>in the left kidney.</em>'),
    'No stone\nin the left kidney.',
    'No stone in the left kidney.',
    p('No stone <em>in the left kidney.</em>'),
  ],
  [
    'splits a paragraph',
    p('No stone. <em>No cyst.</em>'),
    'No stone. No cyst.',
    'No stone.\nNo cyst.',
    p('No stone.', '<em>No cyst.</em>'),
  ],
  [
    'moves a line',
    p('One line.', 'Two lines.', kidneys),
    'One line.\nTwo lines.\nKidneys: both normal.',
    'Two lines.\nOne line.\nKidneys: both normal.',
    p('Two lines.', 'One line.', kidneys),
  ],
  [
    'adds a list item',
    ol('Cyst.', 'Stone.'),
    'Cyst.\nStone.',
    'Cyst.\nNodule.\nStone.',
    ol('Cyst.', 'Nodule.', 'Stone.'),
  ],
  [
    'adds a first list item',
    ol('Cyst.', 'Stone.'),
    'Cyst.\nStone.',
    'Nodule.\nCyst.\nStone.',
    ol('Nodule.', 'Cyst.', 'Stone.'),
  ],
  ['removes a list item', ol('Cyst.', 'Nodule.', 'Stone.'), 'Nodule.', '', ol('Cyst.', 'Stone.')],
  ['removes a list', `${p(kidneys)}${ol('Cyst.')}${p('End.')}`, 'Cyst.', '', p(kidneys, 'End.')],
  ['splits a list item', ol('Cyst. Stone.', 'End.'), 'Cyst. Stone.', 'Cyst.\nStone.', ol('Cyst.', 'Stone.', 'End.')],
  [
    'joins two list items',
    ol('Cyst', 'of 3 cm.', 'End.'),
    'Cyst\nof 3 cm.',
    'Cyst of 3 cm.',
    ol('Cyst of 3 cm.', 'End.'),
  ],
  [
    'changes words of a paragraph and of a list',
    `${p('Two findings:')}${ol('Cyst.', 'Stone.')}`,
    'Two findings:\nCyst.\nStone',
    'Two old findings:\nLarge cyst.\nStone',
    `${p('Two old findings:')}${ol('Large cyst.', 'Stone.')}`,
  ],
  [
    'adds an item before the items inside an item',
    `<ol><li><p>Cyst.</p>${ol('Left.')}</li></ol>`,
    'Cyst.\nLeft.',
    'Cyst.\nRight.\nLeft.',
    `<ol><li><p>Cyst.</p>${ol('Right.', 'Left.')}</li></ol>`,
  ],
])('accepting a suggestion %s', (_, content, words, replacement, expected) => {
  const { editor, failure, html } = accept(content, words, replacement);

  expect(failure).toBeUndefined();
  expect(html).toBe(htmlOf(open(expected)));
  editor.commands.undo();
  expect(htmlOf(editor)).toBe(htmlOf(open(content)));
});

test('a new task is not done, and the others keep their state', () => {
  const list = (...items: string[]) => `<ul data-type="taskList">${items.join('')}</ul>`;
  const content = list(task('<p>Call.</p>', true), task('<p>Write.</p>', true));

  const { editor } = accept(content, 'Call.\nWrite.', 'Call.\nSend.\nWrite.');

  const states: unknown[] = [];
  editor.state.doc.descendants(({ type, attrs, textContent }) => {
    if (type.name === 'taskItem') states.push([textContent, attrs['checked']]);
  });
  expect(states).toEqual([
    ['Call.', true],
    ['Send.', false],
    ['Write.', true],
  ]);
});

test('an accepted suggestion of several paragraphs is taken back exactly, also after other edits', () => {
  const content = `<h2>Findings</h2>${p('<strong>Liver:</strong> normal.')}${ol('Cyst.', 'Stone.')}${p('End.')}`;
  const { editor } = accept(content, 'normal.\nCyst.\nStone.', 'large.\nStone.\nCyst of 2 cm.');
  editor.commands.insertContentAt(1, 'All ');

  expect(undoAcceptance(editor, 'c1')).toBe(true);

  expect(htmlOf(editor)).toBe(htmlOf(open(content.replace('Findings', 'All Findings'))));
});

test('an accepted suggestion of several paragraphs is not taken back after an edit of its words', () => {
  const { editor } = accept(p('One line.', 'Two lines.'), 'line.\nTwo', 'lines.\nThree');
  editor.commands.insertContentAt(3, 'x');

  expect(undoAcceptance(editor, 'c1')).toBe(false);
});

test('a suggestion that only joins paragraphs announces its undo and redo', () => {
  const editor = open(p('No stone', 'in the left kidney.'));
  const heard = { onUndone: vi.fn<(id: string) => void>(), onRedone: vi.fn<(id: string) => void>() };
  const nothing = () => {};
  onTestFinished(onComments(editor, { onOpen: nothing, onDecide: nothing, onComment: nothing, ...heard }));
  suggest(editor, 'No stone\nin the left kidney.', 'No stone in the left kidney.');
  acceptSuggestion(editor, 'c1');

  editor.commands.undo();
  expect(heard.onUndone).toHaveBeenCalledExactlyOnceWith('c1');
  editor.commands.redo();
  expect(heard.onRedone).toHaveBeenCalledExactlyOnceWith('c1');
});

test('a suggestion of several paragraphs follows edits around it', () => {
  const editor = open(p('One line.', 'Two lines.', 'End.'));
  suggest(editor, 'One line.\nTwo lines.', 'One line.\nThree lines.');
  editor.commands.insertContentAt(0, '<p>New first paragraph.</p>');
  editor.commands.insertContentAt(editor.state.doc.content.size - 1, ' And more.');

  expect(acceptSuggestion(editor, 'c1')).toBeUndefined();
  expect(htmlOf(editor)).toBe(p('New first paragraph.', 'One line.', 'Three lines.', 'End. And more.'));
});

test.each([
  ['joined', (editor: Editor) => editor.commands.command(({ tr: transaction }) => Boolean(transaction.join(11)))],
  ['changed', (editor: Editor) => editor.commands.insertContentAt(3, 'x')],
])('does not accept a suggestion whose paragraphs were %s', (_, change) => {
  const editor = open(p('One line.', 'Two lines.'));
  suggest(editor, 'One line.\nTwo lines.', 'One line.\nThree lines.');
  change(editor);
  const changed = htmlOf(editor);

  expect(acceptSuggestion(editor, 'c1')).toBe('changed');
  expect(htmlOf(editor)).toBe(changed);
});

const table = '<table><tbody><tr><td><p>Size</p></td><td><p>12 mm</p></td></tr></tbody></table>';

test('a suggestion changes words of several table cells', () => {
  const { failure, html } = accept(table, 'Size\n12 mm', 'Largest size\n14 mm');

  expect(failure).toBeUndefined();
  expect(html).toBe(htmlOf(open(table.replace('Size', 'Largest size').replace('12 mm', '14 mm'))));
});

test.each([
  ['join table cells', table, 'Size\n12 mm', 'Size 12 mm'],
  ['remove a table cell', `<p>Before.</p>${table}`, 'Before.\nSize\n12 mm', 'Before.\n12 mm'],
  [
    'remove a conditional part',
    p('Effusion: small<span data-part="Size" data-source=" left"></span>.', 'End.'),
    'small\n.\nEnd',
    'small.\nEnd',
  ],
])('does not accept a suggestion that would %s', (_, content, words, replacement) => {
  const { failure, html } = accept(content, words, replacement);

  expect(failure).toBe('structure');
  expect(html).toBe(htmlOf(open(content)));
});

test('a suggestion shows the ends of lines that it adds and removes', () => {
  const editor = open(p('No stone', 'in the left kidney. No cyst.'));

  suggest(editor, 'No stone\nin the left kidney. No cyst.', 'No stone in the left kidney.\nNo cyst.');

  expect(Array.from(editor.view.dom.querySelectorAll('del'), ({ textContent }) => textContent)).toEqual(['¶']);
  expect(Array.from(editor.view.dom.querySelectorAll('ins'), ({ textContent }) => textContent)).toEqual([' ', '¶\n']);
  expect(commentState(editor.state).places.size).toBe(1);
});

test.each([
  ['a\nb\nc', 'a\nc', [{ from: 1, to: 3, added: '' }]],
  ['a\nb', 'b', [{ from: 0, to: 2, added: '' }]],
  ['a\nc', 'a\nb\nc', [{ from: 1, to: 1, added: '\nb' }]],
  ['a', 'b\na', [{ from: 0, to: 0, added: 'b\n' }]],
  ['a b\nc', 'a d\nc', [{ from: 2, to: 3, added: 'd' }]],
  ['a\nb', '', [{ from: 0, to: 3, added: '' }]],
])('the change of %j to %j consists of whole lines where possible, else of words', (passage, replacement, changes) => {
  expect(suggestedWords(passage, replacement)).toEqual(changes);
});
