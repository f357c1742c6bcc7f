import { layOutFields } from '@radwork/contract/reading/template-fields-html';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test } from 'vitest';
import { rebuiltByServer } from '#test/rebuilt-by-server.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';
import { insertText } from '#reading/editor/extensions/insert.ts';
import { insertMacro } from '#reading/editor/extensions/macros.ts';

const open = (template: string) => {
  const element = document.createElement('div');
  document.body.append(element);
  const content = layOutFields(template);
  const editor = new Editor({ element, extensions: reportExtensions(() => {}), content, injectCSS: false });
  onTestFinished(() => {
    editor.destroy();
    element.remove();
  });
  return editor;
};

const press = ({ view }: Editor, key: string, more: KeyboardEventInit = {}) =>
  view.someProp('handleKeyDown', (handle) => handle(view, new KeyboardEvent('keydown', { key, ...more }))) ?? false;

/** Types as a browser does: a key, and then the text if no handler took it. */
const type = (editor: Editor, text: string) => {
  for (const letter of text) {
    if (press(editor, letter)) continue;
    const { view } = editor;
    const { from, to } = view.state.selection;
    const insert = () => view.state.tr.insertText(letter, from, to);
    if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, letter, insert))) view.dispatch(insert());
  }
};

const selected = ({ state }: Editor) => state.doc.textBetween(state.selection.from, state.selection.to);

const options = () =>
  Array.from(document.querySelectorAll('[role="option"]'), (option) => [
    option.textContent,
    option.getAttribute('aria-selected'),
  ]);

const kidney = '<p>[Side: left|right|bilateral] kidney, [Size: number mm 0-200].</p>';

test('F2 walks all fields and begins again after the last, Shift F2 walks back', () => {
  const editor = open(kidney);

  press(editor, 'F2');
  const first = selected(editor);
  press(editor, 'F2');
  const second = selected(editor);
  press(editor, 'F2');
  const again = selected(editor);
  press(editor, 'F2', { shiftKey: true });

  expect([first, second, again, selected(editor)]).toEqual(['[Side]', '[Size]', '[Side]', '[Size]']);
});

test('arrow keys and Enter choose a value, and the next unfilled field is selected', () => {
  const editor = open(kidney);
  press(editor, 'F2');
  const label = document.querySelector('[role="listbox"]')?.getAttribute('aria-label');

  press(editor, 'ArrowDown');
  press(editor, 'Enter');

  expect(label).toBe('Side');
  expect(editor.getText()).toBe('right kidney, [Size].');
  expect(selected(editor)).toBe('[Size]');
});

test('a letter chooses at once, the same letter again chooses the next value, and the field stays selected', () => {
  const editor = open('<p>[Lobe: upper|middle|lower|lingula]</p>');
  press(editor, 'F2');

  type(editor, 'l');
  const first = editor.getText();
  type(editor, 'l');

  expect([first, editor.getText(), selected(editor)]).toEqual(['lower', 'lingula', 'lingula']);
});

test('a letter that begins no choice is the reader’s own text', () => {
  const editor = open(kidney);
  press(editor, 'F2');

  type(editor, 'both');

  // "b" chooses "bilateral"; the other letters replace it.
  expect(editor.getText()).toBe('oth kidney, [Size].');
  expect(editor.getHTML()).not.toContain('data-field="Side');
});

test('several values are ticked with Space and joined', () => {
  const editor = open('<p>[Signs: any of edema|effusion|hernia]</p>');
  press(editor, 'F2');

  press(editor, ' ');
  press(editor, 'ArrowDown');
  press(editor, 'ArrowDown');
  press(editor, ' ');
  const ticked = options();
  press(editor, 'Enter');

  expect(ticked).toEqual([
    ['edema', 'true'],
    ['effusion', 'false'],
    ['hernia', 'true'],
  ]);
  expect(editor.getText()).toBe('edema, hernia');
});

test('a typed number gets its unit', () => {
  const editor = open('<p>[Size: number mm 0-200]</p>');
  press(editor, 'F2');

  type(editor, '12,5');
  press(editor, 'Enter');

  expect(editor.getText()).toBe('12.5 mm');
});

test('a number outside the range is taken only when Enter is pressed again', () => {
  const editor = open('<p>[Size: number mm 0-200]</p>');
  press(editor, 'F2');

  type(editor, '250');
  press(editor, 'Enter');
  const refused = editor.getText();
  const message = document.querySelector('.message')?.textContent ?? document.body.textContent;
  press(editor, 'Enter');

  expect(refused).toBe('[Size]');
  expect(message).toContain('Outside 0 – 200 mm');
  expect(editor.getText()).toBe('250 mm');
});

test('Tab does not leave a field with a number of another unit', () => {
  const editor = open(kidney);
  press(editor, 'F2');
  press(editor, 'F2');

  type(editor, '2 cm');
  press(editor, 'Tab');

  expect(selected(editor)).toBe('[Size]');
  expect(document.body.textContent).toContain('Enter the number in mm');
});

test('Escape leaves a field behind its text and closes the choices', () => {
  const editor = open(kidney);
  press(editor, 'F2');

  press(editor, 'Escape');
  const { from, empty } = editor.state.selection;

  expect([from, empty]).toEqual([1 + '[Side]'.length, true]);
  expect(document.querySelector('[role="listbox"]')).toBeNull();
});

test('Backspace empties a filled field', () => {
  const editor = open(kidney);
  press(editor, 'F2');
  type(editor, 'l');

  press(editor, 'Backspace');

  expect(editor.getText()).toBe('[Side] kidney, [Size].');
  expect(selected(editor)).toBe('[Side]');
});

test('a text field keeps what is typed into it', () => {
  const editor = open('<p>[Note: text] end</p>');
  press(editor, 'F2');

  type(editor, 'abc');

  expect(editor.getHTML()).toBe('<p><span data-field="Note: text">abc</span> end</p>');
});

test('dictated words fill the selected field with its choice', () => {
  const editor = open(kidney);
  press(editor, 'F2');

  insertText(editor, 'Left.');

  expect(editor.getHTML()).toContain('<span data-field="Side: left|right|bilateral">left</span> kidney');
});

test('a conditional part appears with the value, in one undo step, and goes with it', () => {
  const editor = open('<p>[Size: number mm 0-200] nodule.[if Size >= 6] Follow-up in [Months: 3|6] months.[end]</p>');
  press(editor, 'F2');

  type(editor, '8');
  press(editor, 'Enter');
  const shown = editor.getText();
  editor.commands.undo();
  const undone = editor.getText();
  editor.commands.redo();
  press(editor, 'F2');
  press(editor, 'F2', { shiftKey: true });
  editor.commands.setTextSelection({ from: 1, to: 1 + '8 mm'.length });
  press(editor, 'Backspace');

  expect(shown).toBe('8 mm nodule. Follow-up in [Months] months.');
  expect(undone).toBe('[Size] nodule.');
  expect(editor.getText()).toBe('[Size] nodule.');
});

test('a reopened text has its fields and conditional parts', () => {
  const editor = open('<p>[Size: number mm] nodule.[if Size]x[end]</p>');
  const html = rebuiltByServer(editor.getHTML());
  editor.commands.setContent(html);
  expect(editor.getHTML()).toBe(html);

  press(editor, 'F2');
  type(editor, '8');
  press(editor, 'Enter');

  expect(editor.getText()).toBe('8 mm nodule.x');
});

test('the fields of a macro are laid out', () => {
  const editor = open('<p>See:</p>');

  insertMacro(editor, { from: 5, to: 5 }, ' the [Side: laterality] lung.');

  expect(editor.getHTML()).toBe('<p>See: the <span data-field="Side: laterality">[Side]</span> lung.</p>');
  expect(selected(editor)).toBe('[Side]');
});
