import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { reportExtensions } from './editor-extensions.ts';
import { insertHtml, insertText, replaceRange } from './insert.ts';

const open = (content: string, onTooLong = () => {}) => {
  const editor = new Editor({ extensions: reportExtensions(onTooLong), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

test('inserted text appears at the cursor, and the cursor moves to its end', () => {
  const editor = open('<p>No effusion</p>');

  editor.commands.setTextSelection(4);
  expect(insertText(editor, 'pleural ')).toBe(true);
  insertText(editor, 'or other ');

  expect(editor.getHTML()).toBe('<p>No pleural or other effusion</p>');
});

test('each inserted line becomes a paragraph, and markup is inserted as plain text', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertText(editor, '1\n<b>2</b>\n3');

  expect(editor.getHTML()).toBe('<p>a1</p><p>&lt;b&gt;2&lt;/b&gt;</p><p>3b</p>');
});

test('an empty inserted line becomes an empty paragraph', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertText(editor, '1\r\n\r\n2\n');

  expect(editor.getHTML()).toBe('<p>a1</p><p></p><p>2</p><p>b</p>');
});

test('a single formatted paragraph is inserted into the line of the cursor', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertHtml(editor, '<p><strong>not</strong></p>');

  expect(editor.getHTML()).toBe('<p>a<strong>not</strong>b</p>');
});

test('inserted sections replace an empty text', () => {
  const editor = open('<p></p>');

  expect(insertHtml(editor, '<h2>Findings</h2><p>None</p>')).toBe(true);

  expect(editor.getHTML()).toBe('<h2>Findings</h2><p>None</p>');
});

test('inserted sections split the text at the cursor', () => {
  const editor = open('<p>ab</p>');

  editor.commands.setTextSelection(2);
  insertHtml(editor, '<h2>Findings</h2><p>None</p>');

  expect(editor.getHTML()).toBe('<p>a</p><h2>Findings</h2><p>None</p><p>b</p>');
});

test('sections inserted at the end of a line go below it, without an empty line', () => {
  const editor = open('<p>ab</p><p>c</p>');

  editor.commands.setTextSelection(3);
  insertHtml(editor, '<h2>Findings</h2><p>None</p>');

  expect(editor.getHTML()).toBe('<p>ab</p><h2>Findings</h2><p>None</p><p>c</p>');
});

test('content not allowed in a report is not inserted', () => {
  const editor = open('<p>a</p>');

  insertHtml(editor, '<p>b<script>alert(1)</script><img src="https://example.org/a.png" onerror="alert(1)"></p>');

  expect(editor.getHTML()).not.toMatch(/script|img|alert/);
  expect(editor.getText()).toContain('b');
});

test('replacing a range of the text is one undo step', () => {
  const editor = open('<p>Lungs: .clear here</p>');

  expect(replaceRange(editor, { from: 8, to: 14 }, { text: 'No consolidation' })).toBe(true);
  expect(editor.getText()).toBe('Lungs: No consolidation here');
  editor.commands.undo();

  expect(editor.getText()).toBe('Lungs: .clear here');
});

test('inserting text over the limit changes nothing, shows a message and returns false', () => {
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

test('inserting an empty text returns false', () => {
  const editor = open('<p>a</p>');

  expect([insertText(editor, ''), insertHtml(editor, '')]).toEqual([false, false]);
});
