import { type Editor, Extension } from '@tiptap/core';
import { Plugin, PluginKey, TextSelection } from '@tiptap/pm/state';
import { endOfSection } from '#reading/editor/drafting/draft-sections.ts';
import { insertHtml, replaceRange } from './insert.ts';

/** Whether the user has placed the cursor since the text was laid out. */
const key = new PluginKey<boolean>('caretPlace');

/**
 * Knows whether the user has placed the cursor. A click, a key, dictation and every inserted text count; a cursor placed
 * by the editor does not.
 */
export const CaretPlace = Extension.create({
  name: 'caretPlace',
  addProseMirrorPlugins: () => [
    new Plugin<boolean>({
      key,
      state: {
        init: () => false,
        apply: (transaction, isPlaced) => {
          const set: boolean | undefined = transaction.getMeta(key);
          if (set !== undefined) return set;
          // An appended change only completes another one, such as with an empty line after a final table.
          if (isPlaced || transaction.getMeta('appendedTransaction') !== undefined) return isPlaced;
          return transaction.selectionSet || (transaction.docChanged && transaction.getMeta('addToHistory') !== false);
        },
      },
    }),
  ],
});

/** Records that the editor has placed the cursor, such as in the first field of a template that was just laid out. */
export const markPlacedByEditor = ({ state, view }: Editor): void =>
  view.dispatch(state.tr.setMeta(key, false).setMeta('addToHistory', false));

/**
 * Inserts HTML that belongs to the findings, such as pictures. Inserts at the cursor if the user has placed it.
 * Otherwise inserts at the end of the findings, or at the end of a text without findings. Moves the cursor after the
 * inserted HTML.
 * @returns Whether the HTML was inserted, as for `insertText`.
 */
export const insertIntoFindings = (editor: Editor, html: string): boolean => {
  if (key.getState(editor.state) === true) return insertHtml(editor, html);
  const { doc } = editor.state;
  const { size } = doc.content;
  const { lastChild } = doc;
  const isLastEmpty = lastChild?.type.name === 'paragraph' && lastChild.content.size === 0;
  const place = endOfSection(doc, 'findings');
  // Replaces an empty last line of the text. An empty line of the findings stays, because the reader will type the
  // findings there.
  const range = { from: place ?? (isLastEmpty ? size - lastChild.nodeSize : size), to: place ?? size };
  if (!replaceRange(editor, range, { html })) return false;
  const { state, view } = editor;
  const end = state.doc.resolve(range.to + state.doc.content.size - size);
  view.dispatch(state.tr.setSelection(TextSelection.near(end, -1)).scrollIntoView());
  return true;
};
