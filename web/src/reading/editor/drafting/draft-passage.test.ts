import { openPassagesIn } from '@radwork/contract/reading/drafting';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  onDecision,
  passageAt,
  passagesIn,
  placeOfImpression,
  proposePassage,
  decidePassage,
} from './draft-passage.ts';
import { beginPending, endPending, showPending } from './pending-draft.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';

const id = '0197c0de-0000-7000-8000-0000000000aa';
const otherId = '0197c0de-0000-7000-8000-0000000000bb';

const open = (content: string, onTooLong = () => {}) => {
  const element = document.createElement('div');
  document.body.append(element);
  const editor = new Editor({ element, extensions: reportExtensions(onTooLong), content, injectCSS: false });
  onTestFinished(() => {
    editor.destroy();
    element.remove();
  });
  return editor;
};

/** Returns the range of some words in a text with one paragraph. */
const rangeOf = ({ state }: Editor, words: string) => {
  let from = -1;
  state.doc.descendants((node, position) => {
    const at = node.isText ? (node.text ?? '').indexOf(words) : -1;
    if (at >= 0 && from < 0) from = position + at;
  });
  return { from, to: from + words.length };
};

const ins = (words: string, of = id) => `<ins data-ai-passage="${of}">${words}</ins>`;
const del = (words: string) => `<del data-ai-passage="${id}">${words}</del>`;
const twoBlocks = '<h2>Findings</h2><ul><li><p>One</p></li><li><p>Two</p></li></ul>';

test('a stored text keeps its open passages when it is opened and saved', () => {
  const stored = `<p>a ${del('<strong>b</strong>')}${ins('c <em>d</em>')}</p><ul><li><p>${ins('e', otherId)}</p></li></ul>`;

  const saved = open(stored).getHTML();

  expect(saved).toBe(stored);
  expect(openPassagesIn(saved)).toEqual([id, otherId]);
});

test('a proposal appears after the words that it would replace, and the words stay', () => {
  const editor = open('<p>The <strong>noodle</strong> is small</p>');

  const isIn = proposePassage(editor, { id, html: '<p>nodule</p>' }, rangeOf(editor, 'noodle'));

  expect(isIn).toBe(true);
  expect(editor.getHTML()).toBe(`<p>The ${del('<strong>noodle</strong>')}${ins('nodule')} is small</p>`);
});

test('when the proposal appears, the words that it would replace are no longer selected', () => {
  const editor = open('<p>The noodle is small</p>');
  editor.commands.setTextSelection(rangeOf(editor, 'noodle'));

  proposePassage(editor, { id, html: '<p>nodule</p>' }, rangeOf(editor, 'noodle'));

  expect(editor.state.selection.empty).toBe(true);
});

test('accepting inserts the proposal as one undo step', () => {
  const editor = open('<p>The noodle is small</p>');
  proposePassage(editor, { id, html: '<p>nodule</p>' }, rangeOf(editor, 'noodle'));
  const proposed = editor.getHTML();

  decidePassage(editor, id, 'ACCEPTED');

  expect(editor.getHTML()).toBe('<p>The nodule is small</p>');
  editor.commands.undo();
  expect(editor.getHTML()).toBe(proposed);
});

test('rejecting a proposal restores the words of the reader as one undo step', () => {
  const editor = open('<p>The <strong>noo</strong>dle is small</p><p>b</p>');
  const before = editor.getHTML();
  proposePassage(editor, { id, html: twoBlocks }, { from: 1, to: 10 });
  const proposed = editor.getHTML();
  expect(openPassagesIn(proposed)).toEqual([id]);

  decidePassage(editor, id, 'REJECTED');

  expect(editor.getHTML()).toBe(before);
  editor.commands.undo();
  expect(editor.getHTML()).toBe(proposed);
});

test('requesting and proposing a passage together are one undo step', () => {
  const editor = open('<p>a</p>');

  proposePassage(editor, { id, html: twoBlocks }, { from: 2, to: 2 });
  editor.commands.undo();

  expect(editor.getHTML()).toBe('<p>a</p>');
});

test('a rejected passage of several blocks leaves no empty block', () => {
  const editor = open('<p>a</p><p>b</p>');
  proposePassage(editor, { id, html: twoBlocks }, { from: 2, to: 2 });
  expect(editor.getHTML()).toContain(`<li><p>${ins('Two')}</p></li>`);

  decidePassage(editor, id, 'REJECTED');

  expect(editor.getHTML()).toBe('<p>a</p><p>b</p>');
});

test('words typed into a proposal are accepted or rejected together with it', () => {
  const editor = open(`<p>a</p><p>${ins('one two')}</p>`);

  editor.commands.insertContentAt(rangeOf(editor, 'two').from, { type: 'text', text: 'and ' });
  decidePassage(editor, id, 'ACCEPTED');

  expect(editor.getHTML()).toBe('<p>a</p><p>one and two</p>');
  expect(passagesIn(editor.state.doc)).toEqual([]);
});

test('words typed after a proposal do not belong to it', () => {
  const editor = open(`<p>${ins('one')}</p>`);

  editor.commands.focus('end');
  editor.view.dispatch(editor.state.tr.insertText(' mine'));

  expect(editor.getHTML()).toBe(`<p>${ins('one')} mine</p>`);
});

test('the editor marks all words of a passage, whatever its HTML', () => {
  const editor = open('<p>a</p>');

  proposePassage(editor, { id, html: `<p>x ${ins('y', otherId)} <img src="x"> z</p>` }, { from: 2, to: 2 });

  expect(passagesIn(editor.state.doc)).toMatchObject([{ id }]);
  expect(editor.getHTML()).toMatch(/^<p>a<\/p><p><ins [^>]*aa">x y {1,2}z<\/ins><\/p>$/);
});

test('a proposal over the limit of the report is not inserted', () => {
  const onTooLong = vi.fn<() => void>();
  const editor = open(`<p>${'a'.repeat(9_995)}</p>`, onTooLong);

  expect(proposePassage(editor, { id, html: '<p>too long</p>' }, { from: 5, to: 5 })).toBe(false);
  expect(onTooLong).toHaveBeenCalledOnce();
});

test('an impression is inserted after its heading', () => {
  const editor = open('<h2>Findings</h2><p>a</p><h2>Impression</h2><p>b</p>');
  const place = placeOfImpression(editor);

  proposePassage(editor, { id, html: '<p>c</p>' }, place ?? { from: 0, to: 0 });

  expect(editor.getHTML()).toBe(`<h2>Findings</h2><p>a</p><h2>Impression</h2><p>${ins('c')}</p><p>b</p>`);
  expect(placeOfImpression(open('<p>Impression of a thumb</p>'))).toBeUndefined();
});

test('the buttons after a passage and the shortcuts accept or reject it', () => {
  const editor = open(`<p>${ins('one')}</p><p>${ins('two', otherId)}</p>`);
  const decide = vi.fn<(passage: string, decision: string) => void>();
  onDecision(editor, decide);
  const [accept, reject] = editor.view.dom.querySelectorAll('button');

  accept?.click();
  reject?.click();
  editor.commands.setTextSelection(rangeOf(editor, 'two').from + 1);
  press(editor, 'Enter');
  press(editor, 'Backspace');

  expect(decide.mock.calls).toEqual([
    [id, 'ACCEPTED'],
    [id, 'REJECTED'],
    [otherId, 'ACCEPTED'],
    [otherId, 'REJECTED'],
  ]);
  expect(passageAt(editor)).toMatchObject({ id: otherId });
});

const press = ({ view }: Editor, name: string) =>
  view.someProp('handleKeyDown', (handle) =>
    handle(view, new KeyboardEvent('keydown', { key: name, ctrlKey: true, altKey: true, cancelable: true })),
  );

test('the position of a pending draft moves with the text typed before it', () => {
  const editor = open('<p>The noodle is small</p>');
  beginPending(editor, rangeOf(editor, 'noodle'));

  editor.commands.insertContentAt(1, 'Below. ');
  showPending(editor, 'nod');
  expect(editor.view.dom.textContent).toContain('nod');
  editor.commands.insertContentAt(editor.state.doc.content.size - 1, ' enough');

  expect(editor.getText()).toBe('Below. The noodle is small enough');
  expect(endPending(editor)).toEqual(rangeOf(editor, 'noodle'));
  expect(editor.view.dom.textContent).toBe('Below. The noodle is small enough');
});

test('deleting the selected words deletes the position of their pending draft', () => {
  const editor = open('<p>The noodle is small</p>');
  const range = rangeOf(editor, 'noodle');
  beginPending(editor, range);

  editor.commands.deleteRange(range);

  expect(endPending(editor)).toBeUndefined();
});
