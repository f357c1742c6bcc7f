import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { insertIntoFindings, markPlacedByEditor } from './caret-place.ts';
import { reportExtensions } from './editor-extensions.ts';
import { goToFieldWithin } from './template-fields.ts';

const open = (content: string) => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

const template = [
  '<h2>Indication</h2><p>[reason]</p>',
  '<h2>Findings</h2><p>Lungs: clear.</p>',
  '<h2>Impression</h2><p>Normal.</p>',
].join('');

const figure = '<p>Figure</p><p>Caption</p>';

const inFindings = template.replace('clear.</p>', `clear.</p>${figure}`);

/** Lays out the template as the desk does: the first field is selected. */
const layOut = (content = template) => {
  const editor = open(content);
  goToFieldWithin(editor, { from: 0, to: editor.state.doc.content.size });
  markPlacedByEditor(editor);
  return editor;
};

test('a figure goes to the end of the findings while the cursor stands where the template put it', () => {
  const editor = layOut();

  expect(insertIntoFindings(editor, figure)).toBe(true);

  expect(editor.getHTML()).toBe(inFindings);
  editor.commands.insertContent('!');
  expect(editor.getHTML()).toBe(inFindings.replace('Caption', 'Caption!'));
});

test('one undo removes a figure from the findings', () => {
  const editor = layOut();
  insertIntoFindings(editor, figure);

  editor.commands.undo();

  expect(editor.getHTML()).toBe(template);
});

test('a figure keeps the empty line of the findings, where the reader types them', () => {
  const editor = layOut('<h2>Findings</h2><p></p><h2>Impression</h2><p>Normal.</p>');

  insertIntoFindings(editor, figure);

  expect(editor.getHTML()).toBe(`<h2>Findings</h2><p></p>${figure}<h2>Impression</h2><p>Normal.</p>`);
});

test.each([
  ['a text without findings', '<h2>Indication</h2><p>[reason]</p>', '<h2>Indication</h2><p>[reason]</p>'],
  ['a text with an empty last line', '<p>Words</p><p></p>', '<p>Words</p>'],
  ['an empty text', '<p></p>', ''],
])('a figure goes to the end of %s', (_, content, before) => {
  const editor = layOut(content);

  insertIntoFindings(editor, figure);

  expect(editor.getHTML()).toBe(`${before}${figure}`);
});

test('a figure goes to the cursor once the user has clicked', () => {
  const editor = layOut();
  editor.commands.setTextSelection(editor.state.doc.content.size - 1);

  insertIntoFindings(editor, figure);

  expect(editor.getHTML()).toBe(`${template}${figure}`);
});

test('a figure goes to the cursor once the user has typed into the first field', () => {
  const editor = layOut();
  editor.commands.insertContent('Cough.');

  insertIntoFindings(editor, '<p>Figure</p>');

  expect(editor.getHTML()).toBe(template.replace('[reason]', 'Cough.Figure'));
});
