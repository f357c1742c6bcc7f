import { Editor } from '@tiptap/core';
import { layOutFields } from '@radwork/contract/reading/template-fields-html';
import { expect, onTestFinished, test } from 'vitest';
import { insertDictated } from './dictation-insert.ts';
import { deleteDictated, showInterim } from '#reading/editor/extensions/dictation-interim.ts';
import { insertMacroByName } from './dictation-macros.ts';
import { goToNextField, goToSection } from './dictation-navigation.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { offerMacros } from '#reading/editor/extensions/macros.ts';

const open = (content: string) => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

/** Places the cursor after these words, or selects them. */
const cursor = (editor: Editor, words: string, how: 'behind' | 'select' = 'behind') => {
  let at = -1;
  editor.state.doc.descendants((node, position) => {
    const index = node.isText ? (node.text ?? '').indexOf(words) : -1;
    if (index !== -1) at = position + index;
  });
  expect(at).not.toBe(-1);
  const end = at + words.length;
  editor.commands.setTextSelection(how === 'select' ? { from: at, to: end } : end);
};

test('dictated text is inserted at the cursor, one utterance after the other', () => {
  const editor = open('<p>Lungs clear.</p><p>Heart normal.</p>');
  cursor(editor, 'Lungs clear.');

  insertDictated(editor, 'no effusion', 'en-US');
  insertDictated(editor, 'no pneumothorax', 'en-US');

  expect(editor.getHTML()).toBe('<p>Lungs clear. No effusion. No pneumothorax.</p><p>Heart normal.</p>');
});

test('dictation replaces a selection, and the next words follow the first without replacing them', () => {
  const editor = open('<p>There is [no] effusion.</p>');
  cursor(editor, '[no]', 'select');

  insertDictated(editor, 'a small', 'en-US');
  insertDictated(editor, 'left', 'en-US');

  expect(editor.getText()).toBe('There is a small left effusion.');
});

test('in a list, "new paragraph" begins the next item and "new line" stays in the item', () => {
  const editor = open('<p>One.</p>');
  cursor(editor, 'One.');
  insertDictated(editor, 'two\n\nThree\nfour', 'en-US');
  const list = open('<ol><li><p>One.</p></li></ol>');
  cursor(list, 'One.');
  insertDictated(list, '\n\ntwo', 'en-US');

  expect(editor.getHTML()).toBe('<p>One. Two.</p><p>Three.<br>Four.</p>');
  expect(list.getHTML()).toBe('<ol><li><p>One.</p></li><li><p>Two.</p></li></ol><p></p>');
});

test('dictated text that looks like markup is inserted as plain text', () => {
  const editor = open('<p></p>');

  insertDictated(editor, 'less than <img src=x onerror=alert(1)>', 'en-US');

  expect(editor.getText()).toBe('Less than <img src=x onerror=alert(1)>.');
});

test('dictation into a heading adds no full stop', () => {
  const editor = open('<h2>Right</h2>');
  cursor(editor, 'Right');

  insertDictated(editor, 'kidney', 'en-US');

  expect(editor.getHTML()).toBe('<h2>Right kidney</h2><p></p>');
});

test('dictated text over the limit of a report is returned whole, and the report stays unchanged', () => {
  const editor = open(`<p>${'a'.repeat(9_990)}</p>`);
  editor.commands.setTextSelection(9_991);

  const rejected = insertDictated(editor, 'no acute pneumothorax', 'en-US');

  expect(rejected).toBe('no acute pneumothorax.');
  expect(editor.getText()).toBe('a'.repeat(9_990));
});

test('dictated words that a selected field refuses are returned, and the next words follow the field', () => {
  const editor = open(`<p>${layOutFields('[Size: number mm]')} nodule.</p>`);
  cursor(editor, '[Size]', 'select');

  const rejected = insertDictated(editor, '5 cm', 'en-US');
  const reply = deleteDictated(editor);
  insertDictated(editor, 'solid', 'en-US');

  expect([rejected, reply]).toEqual(['5 cm', 'nothing']);
  expect(editor.getText()).toBe('[Size] solid nodule.');
});

test('dictation replaces neither a selected picture nor a completely selected report', () => {
  const editor = open('<p>Findings as before.</p>');
  editor.commands.selectAll();

  insertDictated(editor, 'no effusion', 'en-US');

  expect(editor.getText()).toContain('Findings as before.');
  expect(editor.getText()).toContain('No effusion.');
});

test('interim words are shown but do not enter the text', () => {
  const editor = open('<p>Lungs clear.</p>');
  const html = editor.getHTML();

  showInterim(editor, 'no eff');

  expect(editor.view.dom.textContent).toContain('no eff');
  expect(editor.getHTML()).toBe(html);
  expect(editor.can().undo()).toBe(false);
  showInterim(editor, '');
  expect(editor.view.dom.textContent).toBe('Lungs clear.');
});

test('undo removes the last utterance, then the one before it, and restores the replaced text', () => {
  const editor = open('<p>There is [no] effusion.</p>');
  cursor(editor, '[no]', 'select');
  insertDictated(editor, 'a small', 'en-US');
  insertDictated(editor, 'left\n\nnew', 'en-US');

  const first = deleteDictated(editor);
  const afterFirst = editor.getText();
  const second = deleteDictated(editor);

  expect([first, afterFirst]).toEqual(['deleted', 'There is a small effusion.']);
  expect([second, editor.getText()]).toEqual(['deleted', 'There is [no] effusion.']);
  expect(deleteDictated(editor)).toBe('nothing');
});

test('undo does not remove an utterance that the user changed', () => {
  const editor = open('<p></p>');
  insertDictated(editor, 'small left effusion', 'en-US');
  cursor(editor, 'left', 'select');
  editor.commands.insertContent('right');

  expect(deleteDictated(editor)).toBe('changed');
  expect(editor.getText()).toBe('Small right effusion.');
});

test.each([
  ['an empty line below its heading', '<h2>Findings</h2><p>a</p><h2>Impression</h2><p></p><p>Signed</p>'],
  ['the end of its text', '<h2>Findings</h2><p>a</p><h2>IMPRESSION:</h2><p>B.</p>'],
  ['a new line if the next heading follows directly', '<h2>Impression</h2><h2>Findings</h2><p>a</p>'],
  [
    'the end of a line that begins with its name',
    '<p><strong>Findings:</strong> a</p><p><strong>Impression:</strong></p>',
  ],
  ['a heading in another language', '<h2>Befund</h2><p>a</p><h2>Beurteilung</h2><p></p>'],
])('the command finds a section of the report: %s', (_, content) => {
  const editor = open(content);

  expect(goToSection(editor, 'impression')).toBe(true);
  insertDictated(editor, 'no fracture', 'en-US');

  expect(editor.getHTML()).toMatch(
    /(?:Impression|IMPRESSION:|Beurteilung)<\/h2><p>(?:B\. )?No fracture\.|Impression:<\/strong> No fracture\./,
  );
});

test('the command for a missing section does not create it', () => {
  const editor = open('<h2>Findings</h2><p>a</p>');

  expect(goToSection(editor, 'impression')).toBe(false);
  expect(editor.getHTML()).toBe('<h2>Findings</h2><p>a</p>');
});

test('the command "next field" selects the next field, and after the last field the first', () => {
  const editor = open('<p>Size [size] mm, [side] lobe.</p>');
  editor.commands.setTextSelection(1);

  goToNextField(editor);
  insertDictated(editor, '12', 'en-US');
  goToNextField(editor);
  insertDictated(editor, 'left', 'en-US');

  expect(editor.getText()).toBe('Size 12 mm, left lobe.');
  expect(goToNextField(editor)).toBe(false);
});

test('the command for a macro inserts it by name or abbreviation, in any spelling', () => {
  const editor = open('<p></p>');
  offerMacros(editor, [
    { abbreviation: 'nl-chest', name: 'Normal Chest', text: 'The lungs are clear.', note: '' },
    { abbreviation: 'abd', name: 'Normal abdomen', text: 'The liver is normal.', note: '' },
  ]);

  expect(insertMacroByName(editor, 'normal chest')).toBe(true);
  expect(insertMacroByName(editor, 'abd')).toBe(true);
  expect(insertMacroByName(editor, 'knee')).toBe(false);

  expect(editor.getText()).toBe('The lungs are clear. The liver is normal.');
});
