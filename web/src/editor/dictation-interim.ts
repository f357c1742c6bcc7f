import { type Editor, Extension } from '@tiptap/core';
import type { Slice } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet } from '@tiptap/pm/view';
import styles from './dictation-interim.module.css';

/** Where a dictated utterance stands now, what it said there, and what it took the place of. */
type Dictated = { from: number; to: number; text: string; instead: Slice };

type State = { interim: string; dictated: readonly Dictated[] };
type Change = { interim: string } | { dictated: readonly Dictated[] };

/** How many utterances can be taken back, the last first. */
const remembered = 20;

const key = new PluginKey<State>('dictation');

const stateOf = (state: EditorState): State => key.getState(state) ?? { interim: '', dictated: [] };

/**
 * What dictation shows and remembers in the editor. Words that the engine may still change are drawn at the cursor and
 * are no part of the text: they can neither be saved nor undone.
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

/** Where the utterances stand after a change of the text around them. */
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
    // The status line beside the button says the same once.
    words.setAttribute('aria-hidden', 'true');
    return words;
  };
  return DecorationSet.create(state.doc, [Decoration.widget(state.selection.to, draw, { side: 1, key: interim })]);
};

const put = (editor: Editor, change: Change) => {
  if (editor.isDestroyed) return;
  editor.view.dispatch(editor.state.tr.setMeta(key, change).setMeta('addToHistory', false));
};

/** Shows words at the cursor that are not settled yet; an empty text shows none. */
export const showInterim = (editor: Editor, interim: string): void => {
  if (!editor.isDestroyed && stateOf(editor.state).interim !== interim) put(editor, { interim });
};

/** What stands between two positions, breaks included. */
export const textBetween = ({ state }: Editor, from: number, to: number): string =>
  state.doc.textBetween(from, to, '\n\n', '\n');

/** Remembers what an utterance became, so that it can be taken back. */
export const rememberDictated = (editor: Editor, place: { from: number; to: number; instead: Slice }): void => {
  const one = { ...place, text: textBetween(editor, place.from, place.to) };
  put(editor, { dictated: [one, ...stateOf(editor.state).dictated].slice(0, remembered) });
};

/**
 * Takes back the last utterance and puts back what it took the place of. What somebody has changed since is theirs, and
 * stays.
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
