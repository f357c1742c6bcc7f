import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { charactersIn, reportExtensions } from './editor-extensions.ts';

const open = (content: string, onTooLong = () => {}) => {
  const editor = new Editor({ extensions: reportExtensions(onTooLong), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** HTML as the server stores it; see report-html.test.ts of the server. */
test.each([
  ['headings and alignment', '<h1>Report</h1><h2 style="text-align: center;">Findings</h2><h3>Chest</h3>'],
  ['text formats', '<p><strong>a</strong><em>b</em><u>c</u><s>d</s> CTDI<sub>vol</sub> 10<sup>6</sup></p>'],
  ['nested lists', '<ul><li><p>a</p><ol start="3"><li><p>b</p></li></ol></li></ul>'],
  ['a quotation and a horizontal line', '<blockquote><p>q</p></blockquote><hr>'],
  ['a picture', `<img src="${picture}" alt="Series 4" width="89" height="50">`],
])('a stored text stays unchanged when the editor opens it: %s', (_, content) => {
  expect(open(content).getHTML()).toBe(content);
});

test.each([
  [
    'a task list',
    '<ul data-type="taskList"><li data-type="taskItem" data-checked="true"><input type="checkbox" disabled checked ' +
      'aria-label="Done"><div><p>Compared</p></div></li></ul>',
  ],
  [
    'a table with spans, widths and shading',
    '<table><tbody><tr><th colspan="2" colwidth="120,80" style="width: 200px"><p>Structure</p></th></tr>' +
      '<tr><td style="background-color: #f8c9cc; text-align: right"><p>1.1</p></td><td><p></p></td></tr></tbody></table>',
  ],
  ['a highlight', '<p><mark data-color="#ffe08a" style="background-color: #ffe08a">artery</mark></p>'],
  ['a color', '<p><span style="color: #b3261e">1.1</span></p>'],
  ['a link', '<p><a href="https://example.org/" target="_blank" rel="noopener noreferrer nofollow">prior</a></p>'],
])('a stored text keeps its meaning after opening and saving: %s', (_, content) => {
  const saved = open(content).getHTML();

  expect(open(saved).getHTML()).toBe(saved);
  expect(saved).toMatch(/data-checked="true"|colwidth="120,80"|#ffe08a|rgb\(179, 38, 30\)|https:\/\/example/);
});

test('the editor refuses an insertion over the limit as a whole, and keeps the text', () => {
  const onTooLong = vi.fn<() => void>();
  const editor = open(`<p>${'a'.repeat(9_990)}</p>`, onTooLong);

  editor.commands.insertContent('no pneumothorax');
  editor.commands.insertContent('no more');

  expect(charactersIn(editor.state.doc)).toBe(9_997);
  expect(editor.getText()).toMatch(/no more$|^no more/);
  expect(onTooLong).toHaveBeenCalledOnce();
});

test('the editor does not shorten a stored text over the limit, and lets the user shorten it', () => {
  const editor = open(`<p>${'a'.repeat(10_500)}</p>`);

  editor.commands.setTextSelection({ from: 1, to: 101 });
  editor.commands.deleteSelection();

  expect(charactersIn(editor.state.doc)).toBe(10_400);
});
