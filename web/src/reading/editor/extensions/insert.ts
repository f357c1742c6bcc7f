import type { Editor } from '@tiptap/core';
import { DOMParser as ProseMirrorParser, Fragment, Slice } from '@tiptap/pm/model';
import { fieldKey } from '@radwork/contract/reading/template-fields';
import { hasTypedFields, layOutText } from '@radwork/contract/reading/template-fields-html';
import { inertDocument } from '#core/browser/inert-document.ts';
import { enterToday, writeField } from '#reading/editor/fields/field-entry.ts';
import { selectedField } from '#reading/editor/fields/field-ranges.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';

/** Content to insert: plain text with a paragraph for each line, or HTML. HTML is reduced to what a report allows. */
export type Insertion = { text: string } | { html: string };

/**
 * Inserts text at the cursor or in place of the selection.
 * @returns Whether the text was inserted. TipTap commands return true even when the length limit refused the text.
 */
export const insertText = (editor: Editor, text: string): boolean =>
  fillField(editor, text) ?? replaceRange(editor, editor.state.selection, { text });

/**
 * Writes a text into the selected typed field, so that its conditional parts follow. Words that match no choice replace
 * the field, as when typed. A number in another unit or outside the range is refused, because dictation has no second
 * Enter to confirm it.
 * @returns Whether the text was inserted; undefined if it has to be inserted as ordinary text.
 */
const fillField = (editor: Editor, text: string): boolean | undefined => {
  const range = editor.isEditable ? selectedField(editor.state) : undefined;
  const said = text.trim();
  if (!range || said === '' || said.includes('\n')) return undefined;
  const { field } = range;
  const before = editor.state.doc;
  const words = field.kind === 'text' ? said : said.replace(/\.$/, '');
  if (field.kind === 'choice') {
    const parts = field.isMultiple ? words.split(/,\s*/).map(fieldKey) : [fieldKey(words)];
    const chosen = field.options.filter((option) => parts.includes(fieldKey(option)));
    if (chosen.length < parts.length) return undefined;
    writeField(editor.view, range, chosen.join(', '));
  } else {
    const entered = enterToday(field, words);
    if ('fault' in entered || entered.outside !== undefined) return false;
    writeField(editor.view, range, entered.value);
  }
  return editor.state.doc !== before;
};

/**
 * Inserts formatted text at the cursor or in place of the selection. A single paragraph continues the line; several
 * paragraphs begin below it.
 * @returns Whether the text was inserted, as for `insertText`.
 */
export const insertHtml = (editor: Editor, html: string): boolean =>
  replaceRange(editor, editor.state.selection, { html });

/**
 * Replaces a range in one undo step.
 * @param range ProseMirror positions.
 * @returns Whether the text was inserted, as for `insertText`.
 */
export const replaceRange = (editor: Editor, range: { from: number; to: number }, content: Insertion): boolean => {
  const slice = 'text' in content ? sliceOfText(editor, content.text) : sliceOfHtml(editor, content.html);
  if (slice.size === 0 || !editor.isEditable) return false;
  const before = editor.state.doc;
  editor.view.dispatch(editor.state.tr.replaceRange(range.from, range.to, slice).scrollIntoView());
  return editor.state.doc !== before;
};

const sliceOfText = (editor: Editor, text: string): Slice => {
  if (hasTypedFields(text)) return sliceOfFields(editor, text);
  const { schema } = editor;
  const lines = text.split(/\r?\n/);
  const [only] = lines;
  if (lines.length === 1) return only ? new Slice(Fragment.from(schema.text(only)), 0, 0) : Slice.empty;
  const paragraphs = lines.map((line) => schema.node('paragraph', null, line ? schema.text(line) : []));
  return new Slice(Fragment.from(paragraphs), 1, 1);
};

/** Reads a text with typed fields, such as that of a macro. Its ends continue the line, like those of other text. */
const sliceOfFields = ({ schema }: Editor, text: string): Slice => {
  const { body } = inertDocument(safeHtml(layOutText(text)));
  const { content } = ProseMirrorParser.fromSchema(schema).parse(body, { preserveWhitespace: 'full' });
  const first = content.firstChild;
  return content.childCount === 1 && first ? new Slice(first.content, 0, 0) : new Slice(content, 1, 1);
};

const sliceOfHtml = ({ schema }: Editor, html: string): Slice => {
  const { body } = inertDocument(safeHtml(html));
  const { content } = ProseMirrorParser.fromSchema(schema).parse(body);
  const first = content.firstChild;
  if (content.childCount !== 1 || first?.type.name !== 'paragraph') return new Slice(content, 0, 0);
  return new Slice(first.content, 0, 0);
};
