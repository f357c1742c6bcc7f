import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from './editor-extensions.ts';
import { insertHtml, insertText, replaceRange } from './insert.ts';

const open = (content: string, onTooLong = () => {}) => {
  const editor = new Editor({ extensions: reportExtensions(onTooLong), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

test('words go in at the cursor, and the cursor stands behind them', () => {
  const editor = open('<p>No effusion</p>');

  editor.commands.setTextSelection(4);
  expect(insertText(editor, 'pleural ')).toBe(true);
  insertText(editor, 'or other ');

  expect(editor.getHTML()).toBe('<p>No pleural or other effusion</p>');
});

test('each line of the words becomes a paragraph, and what looks like markup stays words', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertText(editor, '1\n<b>2</b>\n3');

  expect(editor.getHTML()).toBe('<p>a1</p><p>&lt;b&gt;2&lt;/b&gt;</p><p>3b</p>');
});

test('an empty line among the words becomes an empty paragraph', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertText(editor, '1\r\n\r\n2\n');

  expect(editor.getHTML()).toBe('<p>a1</p><p></p><p>2</p><p>b</p>');
});

test('a single formatted paragraph goes on in the line of the cursor', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertHtml(editor, '<p><strong>not</strong></p>');

  expect(editor.getHTML()).toBe('<p>a<strong>not</strong>b</p>');
});

test('formatted sections take the place of an empty text', () => {
  const editor = open('<p></p>');

  expect(insertHtml(editor, '<h2>Findings</h2><p>None</p>')).toBe(true);

  expect(editor.getHTML()).toBe('<h2>Findings</h2><p>None</p>');
});

test('formatted sections stand between what was before the cursor and what was behind it', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertHtml(editor, '<h2>Findings</h2><p>None</p>');

  expect(editor.getHTML()).toBe('<p>a</p><h2>Findings</h2><p>None</p><p>b</p>');
});

test('formatted sections go in below the line at whose end the cursor stands, and leave no empty line', () => {
  const editor = open('<p>ab</p><p>c</p>');

  editor.commands.setTextSelection(3);
  insertHtml(editor, '<h2>Findings</h2><p>None</p>');

  expect(editor.getHTML()).toBe('<p>ab</p><h2>Findings</h2><p>None</p><p>c</p>');
});

test('what a report may not hold is not put in', () => {
  const editor = open('<p>a</p>');

  insertHtml(editor, '<p>b<script>alert(1)</script><img src="https://example.org/a.png" onerror="alert(1)"></p>');

  expect(editor.getHTML()).not.toMatch(/script|img|alert/);
  expect(editor.getText()).toContain('b');
});

test('a part of the text is replaced in one step that can be undone', () => {
  const editor = open('<p>Lungs: .clear here</p>');

  expect(replaceRange(editor, { from: 8, to: 14 }, { text: 'No consolidation' })).toBe(true);
  expect(editor.getText()).toBe('Lungs: No consolidation here');
  editor.commands.undo();

  expect(editor.getText()).toBe('Lungs: .clear here');
});

test('what would make the text too long is not put in, the writer is told, and the answer says so', () => {
  const onTooLong = vi.fn<() => void>();
  const editor = open(`<p>${'a'.repeat(9_999)}</p>`, onTooLong);

  const answers = [
    insertText(editor, 'bb'),
    insertHtml(editor, '<p>bb</p>'),
    replaceRange(editor, { from: 1, to: 2 }, { text: 'bbb' }),
  ];

  expect(answers).toEqual([false, false, false]);
  expect(onTooLong).toHaveBeenCalledTimes(3);
  expect(editor.getText()).not.toContain('b');
});

test('nothing put in is answered as nothing put in', () => {
  const editor = open('<p>a</p>');

  expect([insertText(editor, ''), insertHtml(editor, '')]).toEqual([false, false]);
});
