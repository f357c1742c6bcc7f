import { type Editor, Extension } from '@tiptap/core';
import { Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import type { Range } from './draft-passage.ts';
import styles from './draft-passage.module.css';

/** Range of a pending draft, which follows edits of the text, and the words received until now. */
type Pending = Range & { text: string };

const key = new PluginKey<Pending | null>('pendingDraft');

/**
 * Shows a pending draft in the text. Until complete, the draft is not saved and not part of the undo history, and the
 * user can type around it.
 */
export const PendingDraft = Extension.create({
  name: 'pendingDraft',
  addProseMirrorPlugins: () => [
    new Plugin<Pending | null>({
      key,
      state: { init: () => null, apply: (transaction, pending) => changed(transaction, pending) },
      props: {
        decorations: (state) => {
          const pending = key.getState(state);
          if (!pending) return null;
          const { from, to, text } = pending;
          const waiting = to > from ? [Decoration.inline(from, to, { class: styles.waiting ?? '' })] : [];
          const preview = text === '' ? [] : [Decoration.widget(to, () => draw(text), { side: 1, key: text })];
          return DecorationSet.create(state.doc, [...waiting, ...preview]);
        },
      },
    }),
  ],
});

const changed = (transaction: Transaction, pending: Pending | null): Pending | null => {
  const meta: Pending | null | undefined = transaction.getMeta(key);
  if (meta !== undefined) return meta;
  if (!pending || !transaction.docChanged) return pending;
  const { mapping } = transaction;
  if (pending.from === pending.to) {
    const at = mapping.map(pending.to, -1);
    return { ...pending, from: at, to: at };
  }
  const [from, to] = [mapping.map(pending.from, 1), mapping.map(pending.to, -1)];
  // Drops the draft if the words to improve were deleted.
  return to > from ? { ...pending, from, to } : null;
};

const draw = (text: string): HTMLElement => {
  const preview = document.createElement('span');
  preview.className = styles.preview ?? '';
  preview.textContent = text;
  // The draft is hidden from screen readers, because the status next to the button announces it.
  preview.setAttribute('aria-hidden', 'true');
  return preview;
};

const put = (editor: Editor, pending: Pending | null) => {
  if (editor.isDestroyed) return;
  editor.view.dispatch(editor.state.tr.setMeta(key, pending).setMeta('addToHistory', false));
};

/** Stores the range of a pending draft. */
export const beginPending = (editor: Editor, range: Range): void => put(editor, { ...range, text: '' });

/** Shows the words received until now. */
export const showPending = (editor: Editor, text: string): void => {
  const pending = pendingIn(editor);
  if (pending) put(editor, { ...pending, text });
};

/** Removes the pending draft and returns its current range. Undefined if the words to improve were deleted. */
export const endPending = (editor: Editor): Range | undefined => {
  const pending = pendingIn(editor);
  put(editor, null);
  return pending ? { from: pending.from, to: pending.to } : undefined;
};

const pendingIn = (editor: Editor): Pending | undefined =>
  editor.isDestroyed ? undefined : (key.getState(editor.state) ?? undefined);
