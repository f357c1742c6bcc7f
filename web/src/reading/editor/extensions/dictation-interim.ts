import { type Editor, Extension } from '@tiptap/core';
import type { Slice } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import styles from './dictation-interim.module.css';

/** Range of a dictated utterance, its text, and the content that it replaced. The range follows edits of the text. */
type Dictated = { from: number; to: number; text: string; instead: Slice };

type State = { interim: string; dictated: readonly Dictated[] };
type Change = { interim: string } | { dictated: readonly Dictated[] };

/** Number of utterances that the user can remove, starting with the last. */
const remembered = 20;

const key = new PluginKey<State>('dictation');

const stateOf = (state: EditorState): State => key.getState(state) ?? { interim: '', dictated: [] };

/**
 * State of dictation in the editor. Interim words appear at the cursor but are not part of the text, so they are
 * neither saved nor added to the undo history.
 */
export const InterimText = Extension.create({
  name: 'interimText',
  addProseMirrorPlugins: () => [
    new Plugin<State>({
      key,
      state: {
        init: () => ({ interim: '', dictated: [] }),
        apply: (transaction, state) => ({ ...followed(transaction, state), ...changeIn(transaction) }),
      },
      props: { decorations: interimAt },
    }),
  ],
});

const changeIn = (transaction: Transaction): Partial<State> => {
  const change: Change | undefined = transaction.getMeta(key);
  return change ?? {};
};

/** Maps the utterances through a change of the document. */
const followed = ({ docChanged, mapping }: Transaction, state: State): State =>
  docChanged
    ? {
        ...state,
        dictated: state.dictated.map((one) => ({
          ...one,
          from: mapping.map(one.from, 1),
          to: mapping.map(one.to, -1),
        })),
      }
    : state;

const interimAt = (state: EditorState): DecorationSet | null => {
  const { interim } = stateOf(state);
  if (!interim) return null;
  const draw = () => {
    const words = document.createElement('span');
    words.className = styles.interim ?? '';
    words.textContent = ` ${interim}`;
    // The words are hidden from screen readers, because the status line announces them.
    words.setAttribute('aria-hidden', 'true');
    return words;
  };
  return DecorationSet.create(state.doc, [Decoration.widget(state.selection.to, draw, { side: 1, key: interim })]);
};

const put = (editor: Editor, change: Change) => {
  if (editor.isDestroyed) return;
  editor.view.dispatch(editor.state.tr.setMeta(key, change).setMeta('addToHistory', false));
};

/** Shows interim words at the cursor. An empty string removes them. */
export const showInterim = (editor: Editor, interim: string): void => {
  if (!editor.isDestroyed && stateOf(editor.state).interim !== interim) put(editor, { interim });
};

/** Returns the text between two positions, including breaks. */
export const textBetween = ({ state }: Editor, from: number, to: number): string =>
  state.doc.textBetween(from, to, '\n\n', '\n');

/** Remembers an utterance, so that the user can remove it. */
export const rememberDictated = (editor: Editor, place: { from: number; to: number; instead: Slice }): void => {
  const one = { ...place, text: textBetween(editor, place.from, place.to) };
  put(editor, { dictated: [one, ...stateOf(editor.state).dictated].slice(0, remembered) });
};

/**
 * Removes the last utterance and restores the content that it replaced. Does not remove an utterance whose text was
 * changed after it was dictated.
 */
export const deleteDictated = (editor: Editor): 'deleted' | 'changed' | 'nothing' => {
  const [last, ...earlier] = stateOf(editor.state).dictated;
  if (!last) return 'nothing';
  if (last.to <= last.from || textBetween(editor, last.from, last.to) !== last.text) return 'changed';
  editor.view.dispatch(
    editor.state.tr.replace(last.from, last.to, last.instead).setMeta(key, { dictated: earlier } satisfies Change),
  );
  return 'deleted';
};
