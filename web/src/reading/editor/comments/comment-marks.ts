import {
  findPassage,
  findSuggestion,
  hasSameLines,
  isSamePassage,
  type TextAnchor,
} from '@radwork/contract/reading/report-anchors';
import { type Editor, Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, Plugin, PluginKey, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { followAccepted, type AcceptedSuggestion } from './accepted-suggestions.ts';
import { addedWords, commentTools, removedLineEnd, type SuggestionDecision } from './comment-tools.ts';
import styles from './comment-marks.module.css';
import { documentText, placeOfRange, type Range, rangeOfPlace, textOfRange } from './document-places.ts';
import { removedLineEnds, suggestedWords } from './suggested-words.ts';

/** An open comment to show in the text. `number` is its number in the list. */
export type MarkedComment = {
  id: string;
  number: number;
  author: string;
  anchor: TextAnchor;
  /** Suggested text; null for a comment. */
  replacement: string | null;
};

/** Range of a passage in the document. `isCertain` is false if another place fits equally well. */
export type MarkedPlace = Range & { isCertain: boolean };

export type CommentHandlers = {
  onOpen: (id: string) => void;
  onDecide: (id: string, decision: SuggestionDecision) => void;
  /** Called when the user undoes the acceptance of a suggestion in the text, or repeats it. */
  onUndone: (id: string) => void;
  onRedone: (id: string) => void;
  /** Called when the user wants to comment on the selected words by keyboard. */
  onComment: () => void;
};

type Shown = { comments: readonly MarkedComment[]; active: string | undefined; canDecide: boolean };

export type CommentState = Shown & {
  places: ReadonlyMap<string, MarkedPlace>;
  /** Comments whose words were changed in this editor. The same words elsewhere may be another passage. */
  lost: ReadonlySet<string>;
  accepted: readonly AcceptedSuggestion[];
  decorations: DecorationSet;
};

type Change = { shown: Shown } | { accepted: AcceptedSuggestion };

const key = new PluginKey<CommentState>('comments');
const handlers = new WeakMap<EditorView, CommentHandlers>();

const nothing: CommentState = {
  comments: [],
  active: undefined,
  canDecide: false,
  places: new Map(),
  lost: new Set(),
  accepted: [],
  decorations: DecorationSet.empty,
};

/** Returns the shown comments of an editor and where their passages are. */
export const commentState = (state: EditorState): CommentState => key.getState(state) ?? nothing;

/**
 * Shows comments and suggestions in the text without changing it. Their places follow the edits of the user. Ctrl Alt M
 * comments on the selected words; without a selection, it opens the comment at the cursor.
 */
export const CommentMarks = Extension.create({
  name: 'commentMarks',
  addKeyboardShortcuts() {
    return { 'Mod-Alt-m': () => openOrComment(this.editor) };
  },
  addProseMirrorPlugins: () => [
    new Plugin<CommentState>({
      key,
      state: { init: () => nothing, apply: nextState },
      props: { decorations: (state) => commentState(state).decorations },
      view: () => ({
        update: (view, before) => tellOfUndo(view, commentState(before), commentState(view.state)),
      }),
    }),
  ],
});

const nextState = (transaction: Transaction, state: CommentState): CommentState => {
  const change: Change | undefined = transaction.getMeta(key);
  if (!change && !(transaction.docChanged && (state.comments.length > 0 || state.accepted.length > 0))) return state;
  const { doc, mapping } = transaction;
  const shown = change && 'shown' in change ? change.shown : state;
  const followed = state.accepted.map((suggestion) => followAccepted(suggestion, mapping, doc));
  const added = change && 'accepted' in change ? [change.accepted] : [];
  const accepted = [...followed.filter(({ id }) => added.every((one) => one.id !== id)), ...added];
  const mapped = new Map(
    Array.from(state.places, ([id, { from, to, isCertain }]) => [
      id,
      { from: mapping.map(from, 1), to: mapping.map(to, -1), isCertain },
    ]),
  );
  // The words of an accepted suggestion are not lost: after undo, they are at their place.
  const changed = [...mapped]
    .filter(([id, place]) => accepted.every((one) => one.id !== id) && !isStillAt(doc, place, state.comments, id))
    .map(([id]) => id);
  const lost = changed.length > 0 ? new Set([...state.lost, ...changed]) : state.lost;
  const places = placesIn(doc, shown.comments, mapped, lost);
  const next = { ...shown, places, lost, accepted };
  return { ...next, decorations: decorationsOf(doc, next) };
};

/** Whether the words of a comment are where they were. */
const isStillAt = (document: Node, place: Range, comments: readonly MarkedComment[], id: string): boolean => {
  const anchor = comments.find((comment) => comment.id === id)?.anchor;
  return anchor !== undefined && hasWords(document, place, anchor);
};

const hasWords = (document: Node, place: Range, { exact }: TextAnchor): boolean =>
  place.to > place.from && isSamePassage(textOfRange(document, place), exact);

/** Finds each passage: where it was, or else where its words and surroundings are now. */
const placesIn = (
  document: Node,
  comments: readonly MarkedComment[],
  known: ReadonlyMap<string, MarkedPlace>,
  lost: ReadonlySet<string>,
): Map<string, MarkedPlace> => {
  let text: string | undefined;
  const places = new Map<string, MarkedPlace>();
  for (const { id, anchor, replacement } of comments) {
    const place = known.get(id);
    if (place && hasWords(document, place, anchor)) {
      places.set(id, place);
      continue;
    }
    text ??= documentText(document);
    const found = replacement === null ? findPassage(text, anchor) : findSuggestion(text, anchor);
    const range = found && rangeOfPlace(document, found);
    const isLost = replacement !== null && lost.has(id);
    if (range) places.set(id, { ...range, isCertain: found.isCertain && !isLost });
  }
  return places;
};

const decorationsOf = (document: Node, { comments, places, active, canDecide }: Omit<CommentState, 'decorations'>) =>
  DecorationSet.create(
    document,
    comments.flatMap((comment) => {
      const place = places.get(comment.id);
      return place ? decorationsAt(document, comment, place, { isActive: active === comment.id, canDecide }) : [];
    }),
  );

type Look = { isActive: boolean; canDecide: boolean };

const decorationsAt = (
  document: Node,
  { id, number, author, replacement, anchor }: MarkedComment,
  place: MarkedPlace,
  { isActive, canDecide }: Look,
): Decoration[] => {
  const mark = Decoration.inline(place.from, place.to, {
    class: `${styles.passage} ${isActive ? styles.active : ''}`,
    'data-comment': id,
  });
  const passage = textOfRange(document, place);
  // Whether paragraphs of the passage were neither split nor joined.
  const isWhole = hasSameLines(passage, anchor.exact);
  const mayDecide = canDecide && replacement !== null && place.isCertain && isWhole;
  const tools = Decoration.widget(
    place.to,
    (view) =>
      commentTools({
        number,
        author,
        onOpen: () => handlers.get(view)?.onOpen(id),
        onDecide: mayDecide ? (decision) => handlers.get(view)?.onDecide(id, decision) : undefined,
      }),
    { side: 2, key: `${id} ${number} ${mayDecide}`, ignoreSelection: true, stopEvent: () => true },
  );
  if (replacement === null || !isWhole) return [mark, tools];
  const start = placeOfRange(document, place).from;
  const rangeOf = (from: number, to: number) => rangeOfPlace(document, { from: start + from, to: start + to });
  const changes = suggestedWords(passage, replacement);
  const words = changes.flatMap(({ from, to, added }) => {
    const range = rangeOf(from, to);
    if (!range) return [];
    const struck = Decoration.inline(range.from, range.to, { class: styles.removed ?? '' });
    const shown = extra(range.to, `${id} ${from} ${added}`, () => addedWords(added));
    return [...(to > from ? [struck] : []), ...(added === '' ? [] : [shown])];
  });
  const lineEnds = removedLineEnds(passage, changes).flatMap((at) => {
    const range = rangeOf(at, at);
    return range ? [extra(range.from, `${id} ${at} line end`, removedLineEnd)] : [];
  });
  return [mark, ...lineEnds, ...words, tools];
};

/** An element that is shown in the text and is no part of it. */
const extra = (at: number, name: string, draw: () => HTMLElement): Decoration =>
  Decoration.widget(at, draw, { side: 1, key: name, ignoreSelection: true });

const tellOfUndo = (view: EditorView, before: CommentState, after: CommentState): void => {
  if (before.accepted === after.accepted) return;
  for (const { id, stage } of after.accepted) {
    const earlier = before.accepted.find((one) => one.id === id)?.stage;
    if (earlier === undefined || earlier === stage) continue;
    if (stage === 'undone') handlers.get(view)?.onUndone(id);
    if (stage === 'applied' && earlier === 'undone') handlers.get(view)?.onRedone(id);
  }
};

const put = (editor: Editor, change: Change): void => {
  if (editor.isDestroyed) return;
  editor.view.dispatch(editor.state.tr.setMeta(key, change).setMeta('addToHistory', false));
};

/** Shows these comments in the text. */
export const showComments = (editor: Editor, shown: Shown): void => put(editor, { shown });

/** Registers the functions that the buttons in the text call. Returns a function that removes them. */
export const onComments = (editor: Editor, ofEditor: CommentHandlers): (() => void) => {
  const { view } = editor;
  handlers.set(view, ofEditor);
  return () => void handlers.delete(view);
};

/** Adds the note of an accepted suggestion to the transaction that changes the text. */
export const noteAccepted = (transaction: Transaction, accepted: AcceptedSuggestion): Transaction =>
  transaction.setMeta(key, { accepted } satisfies Change);

/** Selects the passage of a comment and scrolls to it. Returns false if the words are gone. */
export const goToComment = (editor: Editor, id: string): boolean => {
  const place = commentState(editor.state).places.get(id);
  if (!place) return false;
  const { tr: transaction, doc } = editor.state;
  editor.view.dispatch(transaction.setSelection(TextSelection.create(doc, place.from, place.to)).scrollIntoView());
  editor.view.focus();
  return true;
};

/** Begins a comment on the selected words. */
export const openComposer = (editor: Editor): void => handlers.get(editor.view)?.onComment();

/** Comments on the selection, or opens the comment at the cursor. */
const openOrComment = (editor: Editor): boolean => {
  const ofEditor = handlers.get(editor.view);
  if (!ofEditor) return false;
  const { empty, from } = editor.state.selection;
  if (!empty) {
    ofEditor.onComment();
    return true;
  }
  const { places } = commentState(editor.state);
  const [id] = [...places].find(([, place]) => place.from <= from && place.to >= from) ?? [];
  if (id !== undefined) ofEditor.onOpen(id);
  return id !== undefined;
};
