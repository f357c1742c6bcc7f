import { layOutFields } from '@radwork/contract/reading/template-fields-html';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { toast } from '#core/browser/toasts.ts';
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

test.each(['left', 'right', 'bilateral', 'bil', 'left '])(
  'the letters “%s” choose the value that they begin',
  (word) => {
    const editor = open(kidney);
    press(editor, 'F2');

    type(editor, word);

    const value = word === 'bil' ? 'bilateral' : word.trim();
    expect(editor.getHTML()).toContain(`<span data-field="Side: left|right|bilateral">${value}</span> kidney`);
  },
);

test.each(['both', 'no left', 'left lower'])(
  'the words “%s”, which match no choice, replace the whole field',
  (words) => {
    const editor = open('<p>[Side: left|right|bilateral] kidney.[if Side is left] Compare.[end]</p>');
    press(editor, 'F2');

    type(editor, words);

    // Without its field, nothing decides on the part. So it is shown.
    expect(editor.getText()).toBe(`${words} kidney. Compare.`);
    expect(editor.getHTML()).not.toContain('data-field="Side');
  },
);

test('Enter in a field without an arrow key or letter leaves it unfilled', () => {
  const editor = open(kidney);
  press(editor, 'F2');
  const highlighted = document.querySelector('[data-highlighted]');

  press(editor, 'Enter');

  expect(highlighted).toBeNull();
  expect([editor.getText(), selected(editor)]).toEqual(['[Side] kidney, [Size].', '[Size]']);
});

test('several values are ticked with Space and joined', () => {
  const editor = open('<p>[Signs: any of edema|effusion|hernia]</p>');
  press(editor, 'F2');

  press(editor, 'ArrowDown');
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

test('Escape puts the cursor after the text of a field and closes the choices', () => {
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

test('a conditional part appears with the value, in one undo step, and disappears with it', () => {
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

const nodule = 'Nodule [Size: number mm].[if Size >= 6] Follow-up CT.[end]';

test('the parts of a macro that was inserted twice follow the fields of their own insertion', () => {
  const editor = open(`<p>${nodule}</p><p>${nodule}</p>`);
  press(editor, 'F2');

  type(editor, '3');
  press(editor, 'Enter');
  type(editor, '8');
  press(editor, 'Enter');

  expect(editor.getText({ blockSeparator: '|' })).toBe('Nodule 3 mm.|Nodule 8 mm. Follow-up CT.');
});

test('a part before all fields of its name follows the first of them', () => {
  const editor = open(`<p>[if Size >= 6]Follow-up CT. [end]</p><p>${nodule}</p><p>${nodule}</p>`);
  press(editor, 'F2');

  type(editor, '8');
  press(editor, 'Enter');

  expect(editor.getText({ blockSeparator: '|' })).toBe('Follow-up CT. |Nodule 8 mm. Follow-up CT.|Nodule [Size].');
});

test('a part whose field is in a hidden part stays hidden', () => {
  const editor = open(
    '<p>[Size: number mm].[if Size >= 6] CT in [Months: 3|6] months.[end][if Months is 3] Book now.[end]</p>',
  );
  press(editor, 'F2');

  type(editor, '4');
  press(editor, 'Enter');

  expect(editor.getText()).toBe('4 mm.');
});

test('a hidden part is shown when free text replaces its field', () => {
  const editor = open(`<p>${nodule}</p>`);
  press(editor, 'F2');

  type(editor, 'large');

  expect(editor.getText()).toBe('Nodule large. Follow-up CT.');
});

test('a part is shown when its field has no number in its unit', () => {
  const editor = open(`<p>${nodule}</p>`);
  press(editor, 'F2');
  type(editor, '5');
  press(editor, 'Enter');
  const { from } = editor.state.selection;

  // A cursor within the value types like elsewhere in the text: "5 mm" becomes "5 cmm".
  editor.view.dispatch(editor.state.tr.insertText('c', from - 2));

  expect(editor.getText()).toBe('Nodule 5 cmm. Follow-up CT.');
});

const sized = () => {
  const editor = open('<p>[Size: number mm 0-200] nodule in [Signs: any of edema|hernia].</p>');
  press(editor, 'F2');
  type(editor, '3');
  press(editor, 'Enter');
  press(editor, 'F2', { shiftKey: true });
  return editor;
};

test('a typed number is taken when the selection leaves the field, in an undo step of its own', () => {
  const editor = sized();
  type(editor, '12');

  editor.commands.setTextSelection(10);
  const taken = editor.getText();
  editor.commands.undo();

  expect(taken).toBe('12 mm nodule in [Signs].');
  expect(editor.getText()).toBe('3 mm nodule in [Signs].');
});

test.each([
  ['the focus leaves the text', (editor: Editor) => editor.view.dom.dispatchEvent(new FocusEvent('blur'))],
  ['Ctrl+S is pressed', (editor: Editor) => press(editor, 's', { ctrlKey: true })],
  ['F4 is pressed', (editor: Editor) => press(editor, 'F4')],
])('a typed number is taken when %s', (_, act) => {
  const editor = sized();
  type(editor, '12');

  act(editor);

  expect(editor.getText()).toBe('12 mm nodule in [Signs].');
});

test('ticks are taken when the selection leaves the field, and so is the removal of all ticks', () => {
  const editor = sized();
  press(editor, 'F2');
  press(editor, 'ArrowDown');
  press(editor, ' ');

  editor.commands.setTextSelection(8);
  const ticked = editor.getText();
  press(editor, 'F2');
  press(editor, ' ');
  editor.commands.setTextSelection(8);

  expect(ticked).toBe('3 mm nodule in edema.');
  expect(editor.getText()).toBe('3 mm nodule in [Signs].');
});

test('a choice that is only highlighted is not taken when the selection leaves the field', () => {
  const editor = open(kidney);
  press(editor, 'F2');
  press(editor, 'ArrowDown');

  editor.commands.setTextSelection(10);

  expect(editor.getText()).toBe('[Side] kidney, [Size].');
});

test.each(['2 cm', '250'])(
  '“%s” leaves the field unfilled instead of with its old value, and stays visible',
  (typed) => {
    const editor = sized();
    type(editor, typed);

    editor.view.dom.dispatchEvent(new FocusEvent('blur'));
    const blurred = [editor.getText(), document.querySelector('[role="status"]')?.textContent];
    editor.commands.setTextSelection(10);

    expect(blurred).toEqual(['[Size] nodule in [Signs].', typed]);
    expect(editor.getText()).toBe('[Size] nodule in [Signs].');
  },
);

test('a refused number is named and leaves the field unfilled when the selection leaves it', () => {
  const failure = vi.spyOn(toast, 'failure').mockImplementation(() => {});
  onTestFinished(() => failure.mockRestore());
  const editor = sized();
  type(editor, '2 cm');

  editor.commands.setTextSelection(10);

  expect(failure.mock.calls).toEqual([['“2 cm” was not accepted for “Size”. The field is unfilled.']]);
  expect(editor.getText()).toBe('[Size] nodule in [Signs].');
});

test('Escape drops what was typed', () => {
  const editor = sized();
  type(editor, '12');

  press(editor, 'Escape');

  expect(editor.getText()).toBe('3 mm nodule in [Signs].');
});

test.each([
  ['12 mm', '12 mm'],
  ['12.', '12 mm'],
  ['5 cm', '[Size]'],
  ['large', '[Size]'],
  ['250', '[Size]'],
])('dictated words “%s” make a number field “%s”', (words, value) => {
  const editor = open('<p>[Size: number mm 0-200] nodule.[if Size >= 6] Follow-up.[end]</p>');
  press(editor, 'F2');

  const isInserted = insertText(editor, words);

  expect(isInserted).toBe(value !== '[Size]');
  expect(editor.getText()).toBe(`${value} nodule.${isInserted ? ' Follow-up.' : ''}`);
});

test.each([
  ['Edema, hernia.', 'edema, hernia'],
  ['no edema', 'no edema'],
])('dictated words “%s” make a field with several choices “%s”', (words, text) => {
  const editor = open('<p>[Signs: any of edema|hernia]</p>');
  press(editor, 'F2');

  insertText(editor, words);

  expect(editor.getText()).toBe(text);
  expect(editor.getHTML().includes('data-field')).toBe(words === 'Edema, hernia.');
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
