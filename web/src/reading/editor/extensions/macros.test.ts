import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { reportExtensions } from './editor-extensions.ts';
import type { EditorMacro } from './macro-list.ts';
import { macrosFor, offerMacros } from './macros.ts';

const macro = (abbreviation: string, text: string, name = abbreviation): EditorMacro => ({
  abbreviation,
  name,
  text,
  note: 'Yours',
});

const open = (content: string, macros: readonly EditorMacro[] = []) => {
  const element = document.createElement('div');
  document.body.append(element);
  const editor = new Editor({ element, extensions: reportExtensions(() => {}), content, injectCSS: false });
  offerMacros(editor, macros);
  editor.commands.focus('end');
  onTestFinished(() => {
    editor.destroy();
    element.remove();
  });
  return editor;
};

/** Types as a browser does: text that no plugin handles is inserted. */
const type = (editor: Editor, text: string) => {
  for (const letter of text) {
    const { view } = editor;
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(letter, from, to);
    const isTaken = view.someProp('handleTextInput', (handle) => handle(view, from, to, letter, insert));
    if (!isTaken) view.dispatch(insert());
  }
};

const press = ({ view }: Editor, key: string, more: KeyboardEventInit = {}) =>
  view.someProp('handleKeyDown', (handle) => handle(view, new KeyboardEvent('keydown', { key, ...more }))) ?? false;

const selected = ({ state }: Editor) => state.doc.textBetween(state.selection.from, state.selection.to);

test('an abbreviation followed by a space is replaced by the text of its macro', () => {
  const editor = open('<p>Lungs: </p>', [macro('nad', 'No acute disease.')]);
  editor.commands.insertContent(' ');

  type(editor, 'nad and');

  expect(editor.getText()).toBe('Lungs: No acute disease. and');
});

test('undo restores the abbreviation, and the editor does not expand it again', () => {
  const editor = open('<p></p>', [macro('nad', 'No acute disease.')]);
  type(editor, 'so nad ');

  editor.commands.undo();
  const undone = editor.getText();
  type(editor, 'x');

  expect(undone).toBe('so nad ');
  expect(editor.getText()).toBe('so nad x');
});

test('Tab expands an abbreviation and selects the first field of the inserted text', () => {
  const editor = open('<p></p>', [macro('nod', 'Nodule of [size] mm in the [lobe].')]);
  type(editor, 'nod');

  const isTaken = press(editor, 'Tab');

  expect(isTaken).toBe(true);
  expect(editor.getText()).toBe('Nodule of [size] mm in the [lobe].');
  expect(selected(editor)).toBe('[size]');
});

test.each([
  ['the end of a longer word', 'xnad '],
  ['an abbreviation in capital letters', 'NAD '],
  ['the beginning of a longer word', 'nads '],
  ['an abbreviation after a number and a hyphen', '3-nad '],
])('%s is no abbreviation', (_, typed) => {
  const editor = open('<p></p>', [macro('nad', 'No acute disease.')]);

  type(editor, typed);

  expect(editor.getText()).toBe(typed);
});

test('each line of a macro becomes a paragraph, and the macro is never read as HTML', () => {
  const editor = open('<p></p>', [macro('two', 'One <b>line</b>\nTwo')]);

  type(editor, 'two');
  press(editor, 'Tab');

  expect(editor.getHTML()).toBe('<p>One &lt;b&gt;line&lt;/b&gt;</p><p>Two</p>');
});

test('a macro that exceeds the limit of the report is not inserted', () => {
  const editor = open(`<p>${'a'.repeat(9_990)}</p><p></p>`, [macro('nad', 'No acute disease at all.')]);

  type(editor, 'nad ');

  expect(editor.getText().endsWith('nad ')).toBe(true);
});

test('Tab moves to the next field and Shift+Tab to the previous; after the last field Tab leaves the text', () => {
  const editor = open('<p>[one] and [two]</p><ul><li><p>item [three]</p></li></ul>');
  editor.commands.setTextSelection(1);

  const selections = ['', '', ''].map(() => {
    press(editor, 'Tab');
    return selected(editor);
  });
  const leaves = !press(editor, 'Tab');
  press(editor, 'Tab', { shiftKey: true });

  expect(selections).toEqual(['[one]', '[two]', '[three]']);
  expect(leaves).toBe(true);
  expect(selected(editor)).toBe('[two]');
});

test('in a table Tab moves to the next cell', () => {
  const editor = open('<table><tbody><tr><td><p>a</p></td><td><p>[b]</p></td><td><p>c</p></td></tr></tbody></table>');
  editor.commands.setTextSelection(4);

  press(editor, 'Tab');
  press(editor, 'Tab');

  expect(selected(editor)).toBe('c');
});

test('the macro list finds macros by the start of the abbreviation first, then by words of the name', () => {
  const known = [macro('nad', 'x', 'Normal chest'), macro('fx', 'x', 'Nasal fracture'), macro('usn', 'x', 'Spleen')];

  expect(macrosFor(known, 'NA').map(({ abbreviation }) => abbreviation)).toEqual(['nad', 'fx']);
  expect(macrosFor(known, 'chest').map(({ abbreviation }) => abbreviation)).toEqual(['nad']);
  expect(macrosFor(known, 'zz')).toEqual([]);
});

test('a slash opens the macro list, arrows choose, and Enter replaces the slash with the text', async () => {
  const editor = open('<p>Liver: </p>', [macro('aa', 'First.'), macro('ab', 'Second.')]);
  editor.commands.insertContent(' ');

  type(editor, '/a');
  await expect.poll(() => document.querySelectorAll('[role="option"]').length).toBe(2);
  press(editor, 'ArrowDown');
  const selectedText = document.querySelector('[role="option"][aria-selected="true"]')?.textContent;
  press(editor, 'Enter');

  expect(selectedText).toContain('ab');
  expect(editor.getText()).toBe('Liver: Second.');
  await expect.poll(() => document.querySelector('[role="listbox"]')).toBeNull();
});
