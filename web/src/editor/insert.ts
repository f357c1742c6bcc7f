import type { Editor } from '@tiptap/core';
import { DOMParser as ProseMirrorParser, Fragment, Slice } from '@tiptap/pm/model';
import { inertDocument } from '#core/inert-document.ts';
import { safeHtml } from './safe-html.ts';

/**
 * What may be put into a text: words, of which each line becomes a paragraph, or HTML, of which only that remains what
 * a report can hold.
 */
export type Insertion = { text: string } | { html: string };

/**
 * Puts words where the cursor stands, or in place of what is selected.
 *
 * @returns Whether they are in the text now. TipTap's own commands answer true also when the limit of a report refused
 *   them; the writer was told so then.
 */
export const insertText = (editor: Editor, text: string): boolean =>
  replaceRange(editor, editor.state.selection, { text });

/**
 * Puts formatted text where the cursor stands, or in place of what is selected: a single paragraph goes on in the line
 * of the cursor, anything more stands below it.
 *
 * @returns Whether it is in the text now, as `insertText` does.
 */
export const insertHtml = (editor: Editor, html: string): boolean =>
  replaceRange(editor, editor.state.selection, { html });

/**
 * Puts something else in place of a part of the text, in one step that can be undone.
 *
 * @param range Positions of the document as ProseMirror counts them.
 * @returns Whether it is in the text now, as `insertText` does.
 */
export const replaceRange = (editor: Editor, range: { from: number; to: number }, content: Insertion): boolean => {
  const slice = 'text' in content ? sliceOfText(editor, content.text) : sliceOfHtml(editor, content.html);
  if (slice.size === 0 || !editor.isEditable) return false;
  const before = editor.state.doc;
  editor.view.dispatch(editor.state.tr.replaceRange(range.from, range.to, slice).scrollIntoView());
  return editor.state.doc !== before;
};

const sliceOfText = ({ schema }: Editor, text: string): Slice => {
  const lines = text.split(/\r?\n/);
  const [only] = lines;
  if (lines.length === 1) return only ? new Slice(Fragment.from(schema.text(only)), 0, 0) : Slice.empty;
  const paragraphs = lines.map((line) => schema.node('paragraph', null, line ? schema.text(line) : []));
  return new Slice(Fragment.from(paragraphs), 1, 1);
};

const sliceOfHtml = ({ schema }: Editor, html: string): Slice => {
  const { body } = inertDocument(safeHtml(html));
  const { content } = ProseMirrorParser.fromSchema(schema).parse(body);
  const first = content.firstChild;
  if (content.childCount !== 1 || first?.type.name !== 'paragraph') return new Slice(content, 0, 0);
  return new Slice(first.content, 0, 0);
};
