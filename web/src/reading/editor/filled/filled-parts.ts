import { filledAttribute, filledDescription } from '@radwork/contract/reading/filled-parts';
import { type Editor, Extension, Mark } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';

/** Text filled in from data of the study that the reader has not looked at, in ProseMirror positions. */
export type FilledPart = { from: number; to: number; label: string };

/** Marks text that was filled in, until the reader has looked at it. The server removes the mark at signing. */
export const FilledPartMark = Mark.create({
  name: 'filledPart',
  priority: 1097,
  inclusive: false,
  addAttributes: () => ({
    label: {
      default: '',
      parseHTML: (element: HTMLElement) => element.getAttribute(filledAttribute) ?? '',
      renderHTML: ({ label }: { label?: string }) => ({ [filledAttribute]: label }),
    },
  }),
  parseHTML: () => [{ tag: `span[${filledAttribute}]` }],
  renderHTML: ({ HTMLAttributes }) => ['span', HTMLAttributes, 0],
});

/** Returns the filled parts that the reader has not looked at, in order. */
export const unseenPartsOf = (document: Node): FilledPart[] => {
  const parts: FilledPart[] = [];
  document.descendants((node, at) => {
    const mark = node.isText ? node.marks.find(({ type }) => type.name === 'filledPart') : undefined;
    if (!mark) return;
    const label = String(mark.attrs['label']);
    const last = parts.at(-1);
    if (last?.to === at && last.label === label) last.to = at + node.nodeSize;
    else parts.push({ from: at, to: at + node.nodeSize, label });
  });
  return parts;
};

const lookedAt = 'lookedAtFilledParts';

/** Whether a change only records that the reader has looked at filled parts. It is not a change of the text. */
export const isOnlyLook = (transaction: { getMeta: (key: string) => unknown }): boolean =>
  transaction.getMeta(lookedAt) === true;

/** Records that the reader has looked at filled parts. Undo does not restore the marks. */
export const lookAtParts = ({ view }: Pick<Editor, 'view'>, parts: readonly FilledPart[]): void => {
  const type = view.state.schema.marks['filledPart'];
  if (!type || parts.length === 0) return;
  const { tr: transaction } = view.state;
  for (const { from, to } of parts) transaction.removeMark(from, to, type);
  view.dispatch(transaction.setMeta(lookedAt, true).setMeta('addToHistory', false));
};

/** Selects the next filled part that the reader has not looked at, which counts as a look. Returns false if none is left. */
export const goToUnseenPart = (editor: Editor): boolean => {
  const { state, view } = editor;
  const parts = unseenPartsOf(state.doc);
  const next = parts.find(({ from }) => from >= state.selection.from) ?? parts[0];
  if (!next) return false;
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, next.from, next.to)).scrollIntoView());
  view.focus();
  return true;
};

const described = (document: Node): DecorationSet =>
  DecorationSet.create(
    document,
    unseenPartsOf(document).map(({ from, to, label }) => {
      const description = filledDescription(label);
      return Decoration.inline(from, to, { role: 'mark', 'aria-description': description, title: description });
    }),
  );

/** Describes filled parts to screen readers, and ends a mark when the cursor enters its text. */
export const FilledParts = Extension.create({
  name: 'filledParts',
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      state: {
        init: (_, state) => described(state.doc),
        apply: (transaction, set) => (transaction.docChanged ? described(transaction.doc) : set),
      },
      props: {
        decorations(state) {
          return this.getState(state);
        },
      },
      view: () => ({
        update: (view, before) => {
          const { selection, doc } = view.state;
          // Only a moved cursor is a look. A selection of more than the part, such as the whole text, is none.
          if (doc !== before.doc || selection.eq(before.selection) || !view.editable) return;
          const entered = unseenPartsOf(doc).filter(({ from, to }) => selection.from >= from && selection.to <= to);
          lookAtParts({ view }, entered);
        },
      }),
    }),
  ],
});
