import { anchorOf } from '@radwork/contract/reading/report-anchors';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { acceptSuggestion, undoAcceptance } from './accept-suggestion.ts';
import {
  type CommentHandlers,
  commentState,
  goToComment,
  type MarkedComment,
  onComments,
  showComments,
} from './comment-marks.ts';
import { documentText, placeOfRange, textOfRange } from './document-places.ts';

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

const commentOn = (editor: Editor, words: string, more: Partial<MarkedComment> = {}): MarkedComment => {
  const text = documentText(editor.state.doc);
  const from = text.indexOf(words);
  const anchor = anchorOf(text, { from, to: from + words.length });
  if (from === -1 || !anchor) throw new Error('no words');
  return { id: 'c1', number: 1, author: 'Rex Reviewer', replacement: null, anchor, ...more };
};

const show = (editor: Editor, ...comments: MarkedComment[]) =>
  showComments(editor, { comments, active: undefined, canDecide: true });

const suggest = (editor: Editor, words: string, replacement: string) =>
  show(editor, commentOn(editor, words, { replacement }));

const listen = (editor: Editor) => {
  const heard: CommentHandlers = {
    onOpen: vi.fn<CommentHandlers['onOpen']>(),
    onDecide: vi.fn<CommentHandlers['onDecide']>(),
    onUndone: vi.fn<CommentHandlers['onUndone']>(),
    onRedone: vi.fn<CommentHandlers['onRedone']>(),
    onComment: vi.fn<CommentHandlers['onComment']>(),
  };
  onTestFinished(onComments(editor, heard));
  return heard;
};

const wordsOf = (editor: Editor, id = 'c1') => {
  const place = commentState(editor.state).places.get(id);
  return place && textOfRange(editor.state.doc, place);
};

const html = '<h2>Findings</h2><p>The <strong>left</strong> kidney is normal. No stone.</p><p>Spleen normal.</p>';

test('a comment marks its passage and is no part of the text', () => {
  const editor = open(html);

  show(editor, commentOn(editor, 'left kidney'));

  expect(editor.view.dom.querySelector('[data-comment="c1"]')?.textContent).toBe('left');
  expect(editor.getHTML()).toBe(html);
  expect(editor.can().undo()).toBe(false);
});

test('the mark of a comment follows edits around its passage', () => {
  const editor = open(html);
  show(editor, commentOn(editor, 'left kidney'));

  editor.commands.insertContentAt(1, 'All ');
  editor.commands.insertContentAt(editor.state.doc.content.size - 1, ' End.');

  expect(wordsOf(editor)).toBe('left kidney');
});

test('a comment whose words were changed has no place, and gets it back after undo', () => {
  const editor = open(html);
  show(editor, commentOn(editor, 'left kidney'));
  const { from } = commentState(editor.state).places.get('c1') ?? { from: 0 };

  editor.view.dispatch(editor.state.tr.insertText('right', from, from + 4));
  expect(wordsOf(editor)).toBeUndefined();
  expect(goToComment(editor, 'c1')).toBe(false);
  editor.commands.undo();

  expect(wordsOf(editor)).toBe('left kidney');
  expect(goToComment(editor, 'c1')).toBe(true);
});

test('a suggestion shows struck and added words and leaves the text as it is', () => {
  const editor = open(html);

  suggest(editor, 'left kidney is normal', 'left kidney is small');

  expect(editor.view.dom.querySelector('ins')?.textContent).toBe('small');
  expect(editor.view.dom.querySelector('[class*="removed"]')?.textContent).toBe('normal');
  expect(editor.getHTML()).toBe(html);
});

test('suggested markup is shown and inserted as plain text', () => {
  const editor = open('<p>One word.</p>');
  suggest(editor, 'One', '<img src=x onerror=alert(1)>');

  acceptSuggestion(editor, 'c1');

  expect(editor.view.dom.querySelector('img')).toBeNull();
  expect(editor.getHTML()).toBe('<p>&lt;img src=x onerror=alert(1)&gt; word.</p>');
});

test('accepting a suggestion changes only the words that differ, and keeps their formatting', () => {
  const editor = open(html);
  suggest(editor, 'left kidney is normal', 'right kidney is entirely normal');

  expect(acceptSuggestion(editor, 'c1')).toBeUndefined();

  expect(editor.getHTML()).toBe(html.replace('>left<', '>right<').replace('is normal', 'is entirely normal'));
});

test('accepting a deletion leaves no double space', () => {
  const editor = open('<p>A very small nodule, seen twice.</p>');
  suggest(editor, 'very', '');
  acceptSuggestion(editor, 'c1');
  show(editor, commentOn(editor, 'seen twice', { id: 'c2', replacement: '' }));
  acceptSuggestion(editor, 'c2');

  expect(editor.getHTML()).toBe('<p>A small nodule,.</p>');
});

test('one undo takes an accepted suggestion back, and a redo accepts it again', () => {
  const editor = open(html);
  const heard = listen(editor);
  suggest(editor, 'left kidney is normal', 'right kidney is small');
  acceptSuggestion(editor, 'c1');
  show(editor);

  editor.commands.undo();
  expect(editor.getHTML()).toBe(html);
  expect(heard.onUndone).toHaveBeenCalledExactlyOnceWith('c1');
  editor.commands.redo();
  expect(heard.onRedone).toHaveBeenCalledExactlyOnceWith('c1');
});

test('an acceptance can be taken back after other edits, but not after an edit of its words', () => {
  const editor = open(html);
  const heard = listen(editor);
  suggest(editor, 'left kidney is normal', 'right kidney is small');
  acceptSuggestion(editor, 'c1');
  editor.commands.insertContentAt(1, 'All ');

  expect(undoAcceptance(editor, 'c1')).toBe(true);
  expect(editor.getHTML()).toBe(html.replace('Findings', 'All Findings'));
  expect(heard.onUndone).toHaveBeenCalledExactlyOnceWith('c1');
  expect(undoAcceptance(editor, 'c1')).toBe(false);
});

test('does not accept a suggestion whose passage has changed', () => {
  const editor = open(html);
  suggest(editor, 'left kidney is normal', 'right kidney is normal');
  const { from } = commentState(editor.state).places.get('c1') ?? { from: 0 };
  editor.view.dispatch(editor.state.tr.insertText('upper ', from + 5));
  const changed = editor.getHTML();

  expect(acceptSuggestion(editor, 'c1')).toBe('changed');
  expect(editor.getHTML()).toBe(changed);
});

test('does not accept a suggestion whose passage could be in two places', () => {
  const line = '<p>The kidney is of normal size and shape. No stone is seen in it.</p>';
  const editor = open(line.repeat(3));
  suggest(editor, 'normal', 'small');

  expect(acceptSuggestion(open(line.repeat(3)), 'c1')).toBe('changed');
  const text = documentText(editor.state.doc);
  const from = text.indexOf('normal', text.indexOf('normal') + 1);
  const anchor = anchorOf(text, { from, to: from + 6 });
  if (!anchor) throw new Error('no words');
  show(editor, { id: 'c2', number: 1, author: 'Rex', replacement: 'small', anchor });

  expect(acceptSuggestion(editor, 'c2')).toBe('ambiguous');
});

const nodule = 'Solid nodule of 6 mm in the right lower lobe.';

test.each([
  ['the other side', '<p>Right kidney: no stone. Cyst.</p><p>Left kidney: no stone.</p>', 'no stone', 'stone of 4 mm'],
  ['the impression', `<p>Lungs: ${nodule}</p><h2>Impression</h2><p>${nodule}</p>`, nodule, 'Solid nodule.'],
  ['an exact copy', `<p>${nodule}</p>`, nodule, 'Solid nodule.'],
])('does not accept a suggestion in %s after its own passage was rewritten', (_, content, words, replacement) => {
  const editor = open(content);
  suggest(editor, words, replacement);
  const { from, to } = commentState(editor.state).places.get('c1') ?? { from: 0, to: 0 };
  editor.view.dispatch(editor.state.tr.insertText('rewritten', from, to));
  if (content === `<p>${nodule}</p>`) editor.commands.setContent(content);
  const rewritten = editor.getHTML();

  expect(acceptSuggestion(editor, 'c1')).toBeDefined();
  expect(editor.getHTML()).toBe(rewritten);
});

test('accepts a suggestion again after its acceptance was undone', () => {
  const editor = open(html);
  const comment = commentOn(editor, 'left kidney is normal', { replacement: 'right kidney is small' });
  show(editor, comment);
  acceptSuggestion(editor, 'c1');
  show(editor);
  editor.commands.undo();
  show(editor, comment);

  expect(acceptSuggestion(editor, 'c1')).toBeUndefined();
  expect(editor.getText()).toContain('right kidney is small');
});

test('does not accept a suggestion whose passage was split into two paragraphs', () => {
  const editor = open('<p>The left kidney is normal.</p>');
  suggest(editor, 'left kidney is normal', 'left kidney is small');
  const { from } = commentState(editor.state).places.get('c1') ?? { from: 0 };
  editor
    .chain()
    .setTextSelection(from + 'left kidney '.length)
    .splitBlock()
    .run();
  const split = editor.getHTML();

  expect(acceptSuggestion(editor, 'c1')).toBe('changed');
  expect(editor.getHTML()).toBe(split);
  expect(editor.view.dom.querySelector('ins')).toBeNull();
});

test('does not accept a suggestion in a locked text, or one that makes the text too long', () => {
  const tooLong = vi.fn<() => void>();
  const editor = open(`<p>One ${'x'.repeat(9990)}</p>`, tooLong);
  suggest(editor, 'One', 'A far longer text');

  expect(acceptSuggestion(editor, 'c1')).toBe('refused');
  expect(tooLong).toHaveBeenCalledOnce();
  suggest(editor, 'One', 'Two');
  editor.setEditable(false);
  expect(acceptSuggestion(editor, 'c1')).toBe('refused');
});

test('buttons after the passage open a comment and decide a suggestion', () => {
  const editor = open(html);
  const heard = listen(editor);
  suggest(editor, 'left', 'right');
  const press = (label: string) => editor.view.dom.querySelector<HTMLElement>(`button[aria-label="${label}"]`)?.click();

  press('Comment 1 by Rex Reviewer');
  press('Accept suggestion 1');
  press('Reject suggestion 1');

  expect(heard.onOpen).toHaveBeenCalledExactlyOnceWith('c1');
  expect(vi.mocked(heard.onDecide).mock.calls).toEqual([
    ['c1', 'ACCEPTED'],
    ['c1', 'REJECTED'],
  ]);
});

test('a user who may not decide gets no buttons to decide', () => {
  const editor = open(html);

  showComments(editor, {
    comments: [commentOn(editor, 'left', { replacement: 'right' })],
    active: 'c1',
    canDecide: false,
  });

  expect(Array.from(editor.view.dom.querySelectorAll('button'), ({ textContent }) => textContent)).toEqual(['1']);
});

test('Ctrl Alt M comments on selected words, and without a selection opens the comment at the cursor', () => {
  const editor = open(html);
  const heard = listen(editor);
  show(editor, commentOn(editor, 'kidney'));
  const press = () =>
    editor.view.someProp('handleKeyDown', (handle) =>
      handle(editor.view, new KeyboardEvent('keydown', { key: 'm', ctrlKey: true, altKey: true })),
    );

  goToComment(editor, 'c1');
  press();
  expect(heard.onComment).toHaveBeenCalledOnce();
  editor.commands.setTextSelection(editor.state.selection.from + 2);
  press();
  expect(heard.onOpen).toHaveBeenCalledExactlyOnceWith('c1');
});

test('a range of the document has the same place in the visible text', () => {
  const editor = open(html);
  const text = documentText(editor.state.doc);
  show(editor, commentOn(editor, 'No stone'));
  const range = commentState(editor.state).places.get('c1');
  if (!range) throw new Error('no place');

  const place = placeOfRange(editor.state.doc, range);

  expect(text.slice(place.from, place.to)).toBe('No stone');
});
