import { Extension } from '@tiptap/core';
import type { Slice } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { withTypedLists } from './typed-lists.ts';
import { withWordLists } from './word-lists.ts';

/**
 * Makes lists of two kinds of pasted text: the lists of Word, and lists that were typed as text. Content of this editor
 * is pasted unchanged.
 */
export const PastedLists = Extension.create({
  name: 'pastedLists',
  addProseMirrorPlugins: () => {
    let isOwn = false;
    return [
      new Plugin({
        props: {
          transformPastedHTML: (html) => {
            isOwn = html.includes('data-pm-slice');
            return isOwn ? html : withWordLists(html);
          },
          transformPastedText: (text) => {
            isOwn = false;
            return text;
          },
          transformPasted: (slice, view) =>
            isOwn || view.dragging || isWithinSentence(slice, view) ? slice : withTypedLists(slice),
        },
      }),
    ];
  },
});

/** Whether a single line is pasted into a line. The pasted line then continues that line. */
const isWithinSentence = ({ content }: Slice, { state }: EditorView): boolean =>
  content.childCount === 1 &&
  content.firstChild?.type.name === 'paragraph' &&
  content.firstChild.children.every(({ type }) => type.name !== 'hardBreak') &&
  state.selection.$from.parent.content.size > 0;
