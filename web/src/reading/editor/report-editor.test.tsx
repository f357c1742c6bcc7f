import { reportPictures } from '@radwork/contract/reading/report-pictures';
import { Editor } from '@tiptap/core';
import { CellSelection } from '@tiptap/pm/tables';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { setPreference } from '#core/state/preferences.ts';
import { rebuiltByServer } from '#test/rebuilt-by-server.ts';
import { answer, refuse, serve, show } from '#test/screen.tsx';
import { editorIn } from '#test/written-report.ts';
import { insertIntoFindings } from './extensions/caret-place.ts';
import { charactersIn, reportExtensions } from './extensions/editor-extensions.ts';
import { ReportEditor } from './report-editor.tsx';
import { safeHtml } from './reading/safe-html.ts';

beforeEach(() => setPreference('editor.formats', 'open'));

const open = async (start: string, onChange: (html: string) => void = () => {}) => {
  show(<ReportEditor start={start} onChange={onChange} />);
  return editorIn();
};

/** Empty paragraph that the editor adds after a text that ends without words. */
const freeLine = /<p><\/p>$/;

const bar = (name: string) => within(screen.getByRole('toolbar', { name }));

const press = async (label: string, name = 'Formatting') =>
  userEvent.click(await bar(name).findByRole('button', { name: label }));

const choose = async (label: string, item: string, name?: string) => {
  await press(label, name);
  await userEvent.click(await screen.findByRole('menuitem', { name: item }));
};

/** Opens the text again as the server stores it. */
const openedAgain = (html: string): Editor => {
  const editor = new Editor({ extensions: reportExtensions(() => {}), content: html, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

/**
 * Returns the text as the server stores it. Checks that the editor opens it unchanged and that pages show all of it.
 */
const stored = (editor: Editor): string => {
  const html = rebuiltByServer(editor.getHTML());
  expect(openedAgain(html).getJSON()).toEqual(editor.getJSON());
  expect(rebuiltByServer(html)).toBe(html);
  expect(safeHtml(html)).toBe(html.replaceAll(/ (disabled|checked)(?=[ >])/g, ' $1=""'));
  return html.replace(freeLine, '');
};

const everything = (editor: Editor) => editor.commands.setTextSelection({ from: 1, to: editor.state.doc.content.size });

test.each([
  ['Heading 1', '<h1>Words</h1>'],
  ['Heading 2', '<h2>Words</h2>'],
  ['Heading 3', '<h3>Words</h3>'],
  ['Bold', '<p><strong>Words</strong></p>'],
  ['Italic', '<p><em>Words</em></p>'],
  ['Underline', '<p><u>Words</u></p>'],
  ['Strikethrough', '<p><s>Words</s></p>'],
  ['Subscript', '<p><sub>Words</sub></p>'],
  ['Superscript', '<p><sup>Words</sup></p>'],
  ['Bullet list', '<ul><li><p>Words</p></li></ul>'],
  ['Ordered list', '<ol><li><p>Words</p></li></ol>'],
  ['Task list', expect.stringContaining('data-type="taskList"')],
  ['Align text: left', '<p style="text-align: left">Words</p>'],
  ['Align text: center', '<p style="text-align: center">Words</p>'],
  ['Align text: right', '<p style="text-align: right">Words</p>'],
  ['Align text: justify', '<p style="text-align: justify">Words</p>'],
])('the button %s changes the text, and the server stores its result', async (label, expected) => {
  const editor = await open('<p>Words</p>');
  everything(editor);

  await press(label);

  expect(stored(editor)).toEqual(expected);
});

test.each([
  ['Red', '#b3261e'],
  ['Amber', '#8a5a00'],
  ['Green', '#1e6b3c'],
  ['Blue', '#1f55b5'],
  ['Gray', '#5a6573'],
])('the editor colors text %s by name, stores the print color, and removes it again', async (name, value) => {
  const editor = await open('<p>Words</p>');
  everything(editor);

  await choose('Text color', name);
  const colored = stored(editor);
  await choose('Text color', 'No color');

  expect(colored).toBe(`<p><span style="color: ${value}">Words</span></p>`);
  expect(stored(editor)).toBe('<p>Words</p>');
});

test.each([
  ['Yellow', '#ffe08a'],
  ['Green', '#bfe6c9'],
  ['Blue', '#bbddf5'],
  ['Red', '#f8c9cc'],
  ['Violet', '#e3d4f5'],
])('the editor highlights text %s and removes the highlight again', async (name, value) => {
  const editor = await open('<p>Words</p>');
  everything(editor);

  await choose('Highlight', name);
  const highlighted = stored(editor);
  await choose('Highlight', 'No highlight');

  expect(highlighted).toBe(`<p><mark data-color="${value}" style="background-color: ${value}">Words</mark></p>`);
  expect(stored(editor)).toBe('<p>Words</p>');
});

test('pasting drops a color that reports do not allow, and keeps its text', async () => {
  const editor = await open('');

  editor.commands.setContent('<p><span style="color: #000">a</span><mark style="background: #000">b</mark></p>');

  expect(editor.getText()).toBe('ab');
  expect(editor.getHTML()).not.toMatch(/style|color|mark/);
});

test('a first field that the editor selects does not count as a cursor of the user', async () => {
  const start = '<h2>Indication</h2><p>[reason]</p><h2>Findings</h2><p>None.</p><h2>Impression</h2><p>Normal.</p>';
  show(<ReportEditor start={start} takesFocus="field" onChange={() => {}} />);
  const editor = await editorIn();
  await waitFor(() => expect(editor.state.selection.empty).toBe(false));

  insertIntoFindings(editor, '<p>Figure</p><p>Caption</p>');

  expect(stored(editor)).toBe(start.replace('None.</p>', 'None.</p><p>Figure</p><p>Caption</p>'));
});

const link = async (url: string) => {
  await press('Insert link');
  const dialog = within(await screen.findByRole('dialog', { name: 'Insert link' }));
  await userEvent.type(dialog.getByLabelText('URL'), `${url}{Enter}`);
};

test.each([
  ['https://example.org/a?b=1', 'https://example.org/a?b=1'],
  ['mailto:reader@example.org', 'mailto:reader@example.org'],
  ['example.org/prior', 'https://example.org/prior'],
])('the dialog links the selected text to the URL %s', async (typed, href) => {
  const editor = await open('<p>Words</p>');
  everything(editor);

  await link(typed);

  await waitFor(() => expect(stored(editor)).toContain(`<a href="${href}"`));
  expect(editor.getText()).toBe('Words');
});

test.each([
  'http://example.org',
  'javascript:alert(1)',
  'data:text/html,1',
  'ftp://example.org',
  'https://you:me@example.org',
  'two words',
])('the dialog refuses a link to %s and names the allowed kinds', async (typed) => {
  const editor = await open('<p>Words</p>');
  everything(editor);

  await link(typed);

  expect(await screen.findByText('Enter an address that starts with https:// or mailto:')).toBeDefined();
  expect(editor.getHTML()).toBe('<p>Words</p>');
});

/** jsdom has no clipboard. */
const pasted = () => Object.assign(new Event('paste'), { clipboardData: null }) as ClipboardEvent;

test('pasting a link that reports do not allow inserts its text and shows a message', async () => {
  const editor = await open('<p></p>');

  editor.view.pasteHTML(
    '<p><a href="http://example.org/">old site</a>, <a href="https://example.org/">site</a></p>',
    pasted(),
  );

  expect(await screen.findByText(/^Some links were pasted as text/)).toBeDefined();
  expect(editor.getText()).toBe('old site, site');
  expect(editor.getHTML()).not.toContain('http:');
  expect(editor.getHTML()).toContain('https://example.org/');
});

test('an address pasted over selected text links the text, with https only', async () => {
  const editor = await open('<p>Words</p>');
  everything(editor);

  editor.view.pasteText('http://example.org/prior', pasted());

  expect(editor.getHTML()).toBe('<p>http://example.org/prior</p>');
});

test('a link can be changed or removed at its position in the text, and its words stay', async () => {
  const editor = await open('<p><a href="https://example.org/">Words</a></p>');
  editor.commands.setTextSelection(3);

  await press('Edit link');
  const field = await screen.findByLabelText<HTMLInputElement>('URL');
  expect(field.value).toBe('https://example.org/');
  await userEvent.clear(field);
  await userEvent.type(field, 'https://example.com/{Enter}');
  await waitFor(() => expect(stored(editor)).toContain('href="https://example.com/"'));
  await press('Edit link');
  await userEvent.click(await screen.findByRole('button', { name: 'Remove link' }));

  await waitFor(() => expect(stored(editor)).toBe('<p>Words</p>'));
});

const emptyRow = (tag: string) => `<tr>${`<${tag}><p></p></${tag}>`.repeat(3)}</tr>`;

test('a new table has three rows and three columns, and its first row is a header', async () => {
  const editor = await open('');

  await press('Insert table');

  expect(stored(editor)).toContain(`<table><tbody>${emptyRow('th')}${emptyRow('td')}${emptyRow('td')}</tbody></table>`);
});

const table =
  '<table><tbody><tr><td><p>a</p></td><td><p>b</p></td></tr><tr><td><p>c</p></td><td><p>d</p></td></tr></tbody></table>';

/** Returns the table rows as text: "a b / c d", with header cells in capitals. */
const rows = (html: string) => {
  const { body } = new DOMParser().parseFromString(html, 'text/html');
  return [...body.querySelectorAll('tr')]
    .map((row) =>
      [...row.children].map(({ tagName, textContent }) =>
        tagName === 'TH' ? textContent.toUpperCase() : textContent || '-',
      ),
    )
    .map((cells) => cells.join(' '))
    .join(' / ');
};

test.each([
  ['Add row above', '- - / a b / c d'],
  ['Add row below', 'a b / - - / c d'],
  ['Delete row', 'c d'],
  ['Add column left', '- a b / - c d'],
  ['Add column right', 'a - b / c - d'],
  ['Delete column', 'b / d'],
  ['Header row', 'A B / c d'],
  ['Header column', 'A b / C d'],
  ['Header cell', 'A b / c d'],
  ['Delete table', ''],
])('in a table, %s works, and the server stores the result', async (label, expected) => {
  const editor = await open(table);
  editor.commands.setTextSelection(4);

  await press(label, 'Table');

  expect(rows(stored(editor))).toBe(expected);
});

/** Selects cells, as dragging the mouse does. */
const selectCells = (editor: Editor) => {
  const cells: number[] = [];
  editor.state.doc.descendants((node, position) => {
    if (node.type.name === 'tableCell') cells.push(position);
  });
  const selection = CellSelection.create(editor.state.doc, cells[0] ?? 0, cells[1]);
  editor.view.dispatch(editor.state.tr.setSelection(selection));
};

test('the editor merges cells and splits them again', async () => {
  const editor = await open(table);
  selectCells(editor);

  await press('Merge cells', 'Table');
  const merged = stored(editor);
  await press('Split cell', 'Table');

  expect(merged).toContain('<td colspan="2"><p>a</p><p>b</p></td>');
  expect(rows(stored(editor))).toBe('ab - / c d');
});

test.each([
  ['Align cell left', 'left'],
  ['Align cell center', 'center'],
  ['Align cell right', 'right'],
])('%s aligns all selected cells, and a second press resets them', async (label, align) => {
  const editor = await open(table);
  selectCells(editor);

  await press(label, 'Table');
  const aligned = stored(editor);
  await press(label, 'Table');

  expect(aligned.match(new RegExp(`<td style="text-align: ${align}">`, 'g'))).toHaveLength(2);
  expect(stored(editor)).not.toContain('text-align');
});

test('cells get a background chosen by name, and can lose it again', async () => {
  const editor = await open(table);
  selectCells(editor);

  await choose('Cell background', 'Red', 'Table');
  const shaded = stored(editor);
  await choose('Cell background', 'No background', 'Table');

  expect(shaded.match(/<td style="background-color: #f8c9cc">/g)).toHaveLength(2);
  expect(stored(editor)).not.toContain('background-color');
});

test('the table tools appear when the cursor is in a table', async () => {
  const editor = await open(`<p>Words</p>${table}`);
  editor.commands.setTextSelection(2);

  await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Table' })).toBeNull());
  editor.commands.setTextSelection(12);

  expect(await screen.findByRole('toolbar', { name: 'Table' })).toBeDefined();
});

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('the server fetches a picture from its URL, and the editor embeds it with its description', async () => {
  const calls = serve(answer(reportPictures.fetch, () => ({ src: onePixel, width: 400, height: 225 })));
  const editor = await open('<p>Words</p>');

  await press('Insert image');
  const dialog = within(await screen.findByRole('dialog', { name: 'Insert image' }));
  await userEvent.type(dialog.getByLabelText('URL'), 'https://example.org/a.png');
  await userEvent.type(dialog.getByLabelText('Alternative text'), 'Axial slice');
  await userEvent.click(dialog.getByRole('button', { name: 'Insert image' }));

  await waitFor(() =>
    expect(stored(editor)).toContain(`<img src="${onePixel}" alt="Axial slice" width="400" height="225">`),
  );
  expect(calls.map(({ body }) => body)).toContainEqual({ url: 'https://example.org/a.png' });
});

test('the dialog stays open and shows why the server cannot fetch a picture', async () => {
  serve(refuse(reportPictures.fetch, 422, 'No PNG, JPEG, GIF or WebP image was found at this address'));
  const editor = await open('<p>Words</p>');

  await press('Insert image');
  const dialog = within(await screen.findByRole('dialog', { name: 'Insert image' }));
  await userEvent.type(dialog.getByLabelText('URL'), 'https://example.org/{Enter}');

  expect(await screen.findByText('No PNG, JPEG, GIF or WebP image was found at this address')).toBeDefined();
  expect(editor.getHTML()).toBe('<p>Words</p>');
});

test('a user inserts a picture from a file, and a file that is no picture is refused with a message', async () => {
  serve();
  const editor = await open('<p>Words</p>');
  const bytes = Uint8Array.from(atob(onePixel.split(',')[1] ?? ''), (character) => character.charCodeAt(0));
  const choice = userEvent.setup({ applyAccept: false });
  const chooseFile = (file: File) => {
    const input = document.querySelector<HTMLInputElement>('input[type="file"]');
    return input ? choice.upload(input, file) : undefined;
  };

  await press('Insert image');
  const dialog = within(await screen.findByRole('dialog', { name: 'Insert image' }));
  await chooseFile(new File(['words'], 'notes.txt', { type: 'text/plain' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Insert image' }));
  expect(await dialog.findByText('Only PNG, JPEG, GIF and WebP images can be inserted')).toBeDefined();
  expect(editor.getHTML()).toBe('<p>Words</p>');
  await chooseFile(new File([bytes], 'Doe_Jane.png', { type: 'image/png' }));
  await userEvent.type(dialog.getByLabelText('Alternative text'), 'Axial slice');
  await userEvent.click(dialog.getByRole('button', { name: 'Insert image' }));

  await waitFor(() => expect(stored(editor)).toContain(`<img src="${onePixel}" alt="Axial slice">`));
  expect(editor.getHTML()).not.toContain('Doe');
});

test('the user can describe, enlarge, reduce and delete a selected picture', async () => {
  const editor = await open(`<p>Words</p><img src="${onePixel}" alt="" width="100" height="80">`);
  editor.commands.setNodeSelection(7);
  const tools = within(await screen.findByRole('toolbar', { name: 'Image' }));

  fireEvent.change(tools.getByLabelText('Alternative text'), { target: { value: 'Coronal' } });
  await userEvent.click(tools.getByRole('button', { name: 'Larger' }));
  expect(stored(editor)).toContain('alt="Coronal" width="125" height="100"');
  for (let count = 0; count < 9; count += 1) await userEvent.click(tools.getByRole('button', { name: 'Smaller' }));
  expect(stored(editor)).toContain('width="63" height="50"');
  await userEvent.click(tools.getByRole('button', { name: 'Delete image' }));

  expect(stored(editor)).toBe('<p>Words</p>');
});

test('the toolbar is one Tab stop; arrows move between its buttons, and Escape returns to the text', async () => {
  await open('<p>Words</p>');
  const buttons = bar('Formatting').getAllByRole<HTMLButtonElement>('button');
  const last = buttons.findLast(({ disabled }) => !disabled);

  const stops = () => buttons.filter(({ tabIndex, disabled }) => tabIndex === 0 && !disabled);
  expect(stops()).toHaveLength(1);
  bar('Formatting').getByRole('button', { name: 'Heading 1' }).focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Heading 2');
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}');
  expect(document.activeElement).toBe(last);
  await userEvent.keyboard('{Home}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Heading 1');
  expect(stops()).toHaveLength(1);
  await userEvent.keyboard('{Escape}');

  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Report text'));
});

test('Alt+F10 moves from the text to its toolbar', async () => {
  const editor = await open('<p>Words</p>');

  fireEvent.keyDown(editor.view.dom, { key: 'F10', altKey: true });

  expect(document.activeElement?.getAttribute('aria-label')).toBe('Format');
});

test('Escape twice leaves the text for its frame, where keys of the page work', async () => {
  const editor = await open('<p>Words</p>');
  // The editor handles Escape by its key code.
  const press = (key: string) => fireEvent.keyDown(editor.view.dom, { key, keyCode: key === 'Escape' ? 27 : 37 });
  editor.view.dom.focus();

  press('Escape');
  press('ArrowLeft');
  press('Escape');
  expect(document.activeElement).toBe(editor.view.dom);
  press('Escape');

  const frame = screen.getByRole('group', { name: 'Report editor' });
  expect(document.activeElement).toBe(frame);
  expect(frame.closest('[contenteditable="true"]')).toBeNull();
});

test('one button shows and hides the formats', async () => {
  setPreference('editor.formats', 'closed');
  await open('<p>Words</p>');
  expect(screen.queryByRole('toolbar', { name: 'Formatting' })).toBeNull();

  await press('Format', 'Writing');
  expect(bar('Formatting').getByRole('button', { name: 'Bold' })).toBeDefined();
  await press('Format', 'Writing');

  expect(screen.queryByRole('toolbar', { name: 'Formatting' })).toBeNull();
});

test('Tab indents a list item; after Escape it leaves the editor', async () => {
  const editor = await open('<ul><li><p>a</p></li><li><p>b</p></li></ul>');
  editor.commands.setTextSelection(8);
  const tab = () => !fireEvent.keyDown(editor.view.dom, { key: 'Tab' });

  fireEvent.keyDown(editor.view.dom, { key: 'Escape' });
  const afterEscape = tab();
  const html = editor.getHTML().replace(freeLine, '');

  expect(afterEscape).toBe(false);
  expect(html).toBe('<ul><li><p>a</p></li><li><p>b</p></li></ul>');
  expect(tab()).toBe(true);
  expect(editor.getHTML()).toContain('<li><p>a</p><ul><li><p>b</p></li></ul></li>');
});

test('the character count appears from 9,000 characters, and text over 10,000 is refused with a message', async () => {
  const editor = await open(`<p>${'a'.repeat(8_999)}</p>`);
  expect(screen.queryByText(/\/ 10,000/)).toBeNull();

  editor.commands.insertContent('b');
  expect(await screen.findByText('9,000 / 10,000')).toBeDefined();
  editor.commands.insertContent('c'.repeat(1_001));

  expect(await screen.findByText('Not added. A report can have at most 10,000 characters.')).toBeDefined();
  expect(charactersIn(editor.state.doc)).toBe(9_000);
});

test('the editor reports typed text at the next command key, not at every letter', async () => {
  const onChange = vi.fn<(html: string) => void>();
  const editor = await open('<p>a</p>', onChange);
  const getHTML = vi.spyOn(editor, 'getHTML');

  for (const letter of 'typing') editor.commands.insertContent(letter);
  expect(getHTML).not.toHaveBeenCalled();
  expect(onChange).not.toHaveBeenCalled();
  fireEvent.keyDown(editor.view.dom, { key: 's', ctrlKey: true });

  expect(getHTML).toHaveBeenCalledOnce();
  expect(onChange).toHaveBeenCalledWith(expect.stringContaining('typing'));
});
