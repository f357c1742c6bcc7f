import { isToFill } from '@radwork/contract/core/placeholders';
import { openPassagesIn } from '@radwork/contract/reading/drafting';
import { Editor } from '@tiptap/core';
import { expect, onTestFinished, test, vi } from 'vitest';
import { decidePassage } from './draft-passage.ts';
import { proposeSections, textWithoutFields } from './draft-sections.ts';
import { reportExtensions } from '#reading/editor/extensions/editor-extensions.ts';

const ids = { findings: '0197c0de-0000-7000-8000-0000000000aa', impression: '0197c0de-0000-7000-8000-0000000000bb' };

const ins = (words: string, id: string) => `<ins data-ai-passage="${id}">${words}</ins>`;
const del = (words: string, id: string) => `<del data-ai-passage="${id}">${words}</del>`;
const drafted = (section: 'findings' | 'impression', heading: string, ...lines: string[]) => ({
  id: ids[section],
  html: `<h2>${ins(heading, ids[section])}</h2>${lines.map((line) => `<p>${ins(line, ids[section])}</p>`).join('')}`,
});
const report = [
  drafted('findings', 'Findings', 'Lungs: Nodule.', 'Pleura: No effusion.'),
  drafted('impression', 'Impression', 'Nodule.'),
];

const open = (content: string, onTooLong = () => {}) => {
  const editor = new Editor({ extensions: reportExtensions(onTooLong), content, injectCSS: false });
  onTestFinished(() => editor.destroy());
  return editor;
};

const endOf = ({ state }: Editor) => ({ from: state.doc.content.size, to: state.doc.content.size });

const propose = (editor: Editor, source = '') => proposeSections(editor, report, { place: endOf(editor), source });

const template =
  '<h2>Technique</h2><p>CT [with / without] contrast.</p>' +
  '<h2>Findings</h2><p><strong>Lungs:</strong> [nodules]</p><p><strong>Pleura:</strong> [effusion, thickening]</p>' +
  '<h2>Impression</h2><p>[conclusion]</p>';
const accepted =
  '<h2>Technique</h2><p>CT [with / without] contrast.</p>' +
  '<h2>Findings</h2><p>Lungs: Nodule.</p><p>Pleura: No effusion.</p><h2>Impression</h2><p>Nodule.</p>';

test('a report drafted into a template replaces the unfilled fields under the existing headings', () => {
  const editor = open(template);

  expect(propose(editor)).toBe(true);
  expect(editor.getHTML().match(/<h2>/g)).toHaveLength(3);
  expect(openPassagesIn(editor.getHTML())).toEqual([ids.findings, ids.impression]);
  decidePassage(editor, ids.findings, 'ACCEPTED');
  expect(openPassagesIn(editor.getHTML())).toEqual([ids.impression]);
  decidePassage(editor, ids.impression, 'ACCEPTED');

  expect(editor.getHTML()).toBe(accepted);
});

test('rejecting all drafted sections restores the template, and the proposal is one undo step', () => {
  const editor = open(template);
  propose(editor);
  const proposed = editor.getHTML();
  decidePassage(editor, ids.findings, 'REJECTED');
  decidePassage(editor, ids.impression, 'REJECTED');
  expect(editor.getHTML()).toBe(template);
  editor.commands.undo();
  editor.commands.undo();
  expect(editor.getHTML()).toBe(proposed);

  editor.commands.undo();

  expect(editor.getHTML()).toBe(template);
});

test("a draft replaces the source findings, and keeps the writer's other words", () => {
  const editor = open(
    '<h2>Findings</h2><p>lungs nodule</p><p>Port catheter.</p><h2>Impression</h2><p>lungs nodule</p>',
  );

  propose(editor, 'lungs nodule\nno effusion');

  expect(editor.getHTML()).toBe(
    `<h2>Findings</h2><p>${del('lungs nodule', ids.findings)}</p>` +
      `<p>${ins('Lungs: Nodule.', ids.findings)}</p><p>${ins('Pleura: No effusion.', ids.findings)}</p>` +
      `<p>Port catheter.</p><h2>Impression</h2><p>${ins('Nodule.', ids.impression)}</p><p>lungs nodule</p>`,
  );
});

test.each([
  ['after the preceding section', '<h2>Findings</h2><p>[findings]</p>', ['Findings', 'Impression']],
  [
    'before the following section',
    '<h2>Technique</h2><p>CT.</p><h2>Impression</h2><p></p>',
    ['Technique', 'Findings', 'Impression'],
  ],
  ['at the end, with all headings, if the text has no section', '<p>Dictated.</p>', ['Findings', 'Impression']],
])('a missing section is inserted %s', (_, content, headings) => {
  const editor = open(content);

  propose(editor);

  const headingsFound = Array.from(editor.getHTML().matchAll(/<h2>(.*?)<\/h2>/g), ([, words = '']) =>
    words.replaceAll(/<[^>]*>/g, ''),
  );
  expect(headingsFound).toEqual(headings);
});

test('a draft recognizes a heading on the same line as its text', () => {
  const editor = open('<p><strong>FINDINGS:</strong></p><p>[findings]</p><p>IMPRESSION: [conclusion]</p>');

  propose(editor);
  for (const id of Object.values(ids)) decidePassage(editor, id, 'ACCEPTED');

  expect(editor.getText({ blockSeparator: '\n' })).toBe(
    'FINDINGS:\nLungs: Nodule.\nPleura: No effusion.\nIMPRESSION:\nNodule.',
  );
});

test('a drafted section without a heading is inserted at its given place', () => {
  const editor = open(template);
  const impression = { id: ids.impression, html: '<p>Nodule.</p>', section: 'impression' } as const;

  proposeSections(editor, [impression], { place: endOf(editor), source: '' });

  expect(editor.getHTML()).toContain(
    `<h2>Impression</h2><p>${del('[conclusion]', ids.impression)}</p><p>${ins('Nodule.', ids.impression)}</p>`,
  );
});

test('a drafted report over the limit is refused as a whole', () => {
  const onTooLong = vi.fn<() => void>();
  const editor = open(`<h2>Findings</h2><p>${'a'.repeat(9_980)}</p>`, onTooLong);

  expect(propose(editor)).toBe(false);
  expect(onTooLong).toHaveBeenCalledOnce();
});

test.each([
  ['Pleura: [effusion, thickening]', true],
  ['[comparison study], [date]', true],
  ['Liver: size: [cm]; contour: [smooth]', true],
  ['Lungs: nodule in the [lobe]', false],
  ['Lungs: 6 mm [lobe]', false],
  ['Lungs: Clear.', false],
  ['Spleen 12 cm: [remark]', false],
  ['Nodule 8 mm, margin: [margin]', false],
  ['Nodule: 8mm: [lobe]', false],
  ['Ejection fraction 55 %: [remark]', false],
  ['L4/5: [disc]', true],
  ['Segment 4: [lesion]', true],
  ['Size in mm: [size]', true],
  ['Effusion:', false],
  ['', false],
])('the line "%s" has only unfilled fields: %s', (line, toFill) => {
  expect(isToFill(line)).toBe(toFill);
});

test('a draft request leaves out unfilled fields', () => {
  const editor = open(template);
  const words = open('<h2>Findings</h2><p>Lungs: 6 mm nodule</p><p>Pleura: [effusion]</p>');
  const wholeText = (of: Editor) => ({ from: 0, to: of.state.doc.content.size });

  expect(textWithoutFields(words, wholeText(words))).toBe('Findings\nLungs: 6 mm nodule');
  expect(textWithoutFields(open('<h2>Findings</h2><p>[all]</p>'), { from: 0, to: 17 })).toBe('');
  expect(textWithoutFields(editor, wholeText(editor))).toContain('CT [with / without] contrast.');
});
