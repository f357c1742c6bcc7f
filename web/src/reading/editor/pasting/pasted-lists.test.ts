import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';

const open = (content = '<p></p>') => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

/** jsdom has no clipboard. */
const event = () => Object.assign(new Event('paste'), { clipboardData: null }) as ClipboardEvent;

/** The outline of what was pasted, without the empty paragraph that the editor keeps at the end. */
const outline = (editor: Editor) =>
  editor
    .getHTML()
    .replaceAll(/<p><\/p>$|<\/?p>/g, '')
    .replaceAll(/(<ol|<ul)[^>]*?( start="\d+")?>/g, '$1$2>');

const pasted = (html: string) => {
  const editor = open();
  editor.view.pasteHTML(html, event());
  return outline(editor);
};

const pastedText = (text: string) => {
  const editor = open();
  editor.view.pasteText(text, event());
  return outline(editor);
};

/** A paragraph of a list as Word copies it. */
const word = (marker: string, words: string, level = 1, list = 'l0') =>
  `<p class=MsoListParagraphCxSpMiddle style='text-indent:-.25in;mso-list:${list} level${level} lfo1'><![if !supportLists]>` +
  `<span style='mso-list:Ignore'>${marker}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp; </span></span>` +
  `<![endif]>${words}<o:p></o:p></p>`;

test.each<[string, string, string]>([
  [
    'numbers',
    word('1.', 'No fracture') + word('2.', 'Normal <b>alignment</b>'),
    '<ol><li>No fracture</li><li>Normal <strong>alignment</strong></li></ol>',
  ],
  [
    'bullets in Symbol font',
    word('\u00B7', 'Liver normal') + word('\uF0B7', 'Spleen normal'),
    '<ul><li>Liver normal</li><li>Spleen normal</li></ul>',
  ],
  [
    'levels',
    word('1.', 'Liver') + word('a.', 'Cyst', 2) + word('i.', 'Small', 3) + word('2.', 'Spleen'),
    '<ol><li>Liver<ol><li>Cyst<ol><li>Small</li></ol></li></ol></li><li>Spleen</li></ol>',
  ],
  [
    'bullets below numbers',
    word('1.', 'Liver') + word('o', 'Cyst', 2) + word('2.', 'Spleen'),
    '<ol><li>Liver<ul><li>Cyst</li></ul></li><li>Spleen</li></ol>',
  ],
  [
    'a first number above 1',
    word('3.', 'Spleen') + word('4.', 'Kidneys'),
    '<ol start="3"><li>Spleen</li><li>Kidneys</li></ol>',
  ],
  [
    'a list between paragraphs',
    `<p class=MsoNormal>Findings</p>${word('1)', 'Liver')}<p class=MsoNormal>End</p>`,
    'Findings<ol><li>Liver</li></ol>End',
  ],
  [
    'no separate marker',
    "<p style='mso-list:l1 level1 lfo2'>1. Liver</p><p style='mso-list:l1 level1 lfo2'>2. Spleen</p>",
    '<ol><li>Liver</li><li>Spleen</li></ol>',
  ],
  [
    'numbers followed by bullets',
    word('1.', 'Liver') + word('•', 'Spleen', 1, 'l1'),
    '<ol><li>Liver</li></ol><ul><li>Spleen</li></ul>',
  ],
])('a list of Word with %s is pasted as a list', (_, html, expected) => {
  expect(pasted(`<html><body><!--StartFragment-->${html}<!--EndFragment--></body></html>`)).toBe(expected);
});

test.each<[string, string, string]>([
  ['numbers', '<p>1. Liver normal</p><p>2. Spleen normal</p>', '<ol><li>Liver normal</li><li>Spleen normal</li></ol>'],
  ['one number', '<p>1. Liver normal</p>', '<ol><li>Liver normal</li></ol>'],
  ['brackets', '<div>1) Liver</div><div>2) Spleen</div>', '<ol><li>Liver</li><li>Spleen</li></ol>'],
  ['bullets', '<p>•&nbsp;Liver</p><p>• Spleen</p>', '<ul><li>Liver</li><li>Spleen</li></ul>'],
  ['hyphens', '<p>- Liver</p><p>- Spleen</p>', '<ul><li>Liver</li><li>Spleen</li></ul>'],
  [
    'line breaks',
    '<p>1. Liver<br>2. Spleen<br>3. Kidneys</p>',
    '<ol><li>Liver</li><li>Spleen</li><li>Kidneys</li></ol>',
  ],
  ['a heading line', '<p>Findings:<br>• Liver<br>• Spleen</p>', 'Findings:<ul><li>Liver</li><li>Spleen</li></ul>'],
  ['empty lines between the items', '<p>1. Liver</p><p></p><p>2. Spleen</p>', '<ol><li>Liver</li><li>Spleen</li></ol>'],
  [
    'formatted numbers',
    '<p><b>1.</b> <i>Liver</i></p><p><b>2.</b> Spleen</p>',
    '<ol><li><em>Liver</em></li><li>Spleen</li></ol>',
  ],
  ['a first number above 1', '<p>3. Liver</p><p>4. Spleen</p>', '<ol start="3"><li>Liver</li><li>Spleen</li></ol>'],
  ['no space after the number', '<p>1.Liver</p><p>2.Spleen</p>', '<ol><li>Liver</li><li>Spleen</li></ol>'],
  ['typed numbers in a list', '<ol><li>1. Liver</li><li>2. Spleen</li></ol>', '<ol><li>Liver</li><li>Spleen</li></ol>'],
  [
    'bullets below numbers',
    '<p>1. Liver</p><p>• Cyst</p><p>2. Spleen</p>',
    '<ol><li>Liver</li></ol><ul><li>Cyst</li></ul><ol start="2"><li>Spleen</li></ol>',
  ],
])('paragraphs of another report system with %s become a list', (_, html, expected) => {
  expect(pasted(html)).toBe(expected);
});

test('plain text with numbers and bullets becomes lists', () => {
  expect(pastedText('Impression\n1. No fracture\r\n2. No effusion\n•\tNormal alignment')).toBe(
    'Impression<ol><li>No fracture</li><li>No effusion</li></ol><ul><li>Normal alignment</li></ul>',
  );
});

test.each([
  ['a measurement', '1.5 cm nodule'],
  ['two measurements in two lines', '1.5 cm nodule\n2.5 cm cyst'],
  ['an ordinal', '3. Ventrikel normal'],
  ['a negative number', '- 5 HU'],
  ['a date', '12. May'],
  ['numbers out of order', '7. Rippe\n4. Rippe'],
  ['a year', '2024. No prior'],
])('%s stays text: %s', (_, text) => {
  expect(pastedText(text)).toBe(text.replaceAll('\n', ''));
});

test('a list copied in the editor is pasted unchanged', () => {
  expect(pasted('<ol data-pm-slice="3 3 []"><li><p>1. Liver</p></li></ol>')).toBe('<ol><li>1. Liver</li></ol>');
});

test('one numbered line pasted into a sentence stays text', () => {
  const editor = open('<p>See (</p>');
  editor.commands.setTextSelection(6);

  editor.view.pasteText('1. below', event());

  expect(editor.getText()).toBe('See (1. below');
});
