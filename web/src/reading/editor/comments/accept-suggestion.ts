import { hasSameLines } from '@radwork/contract/reading/report-anchors';
import type { Editor } from '@tiptap/core';
import type { Mark, Node } from '@tiptap/pm/model';
import type { EditorState } from '@tiptap/pm/state';
import { commentState, noteAccepted } from './comment-marks.ts';
import { type Range, textOfRange } from './document-places.ts';
import { changeLines, isOfWholeBlocks, type SuggestedChange } from './suggested-lines.ts';
import { suggestedWords } from './suggested-words.ts';

/**
 * Why a suggestion was not accepted: its words are gone or split, or their place is not certain. Or it would change
 * more than text, or the text is too long or locked.
 */
export type AcceptanceFailure = 'changed' | 'ambiguous' | 'structure' | 'refused';

/** Marks of undecided AI passages (drafting/draft-passage.ts). Accepted words are not from the AI. */
const aiMarks = new Set(['draftedWords', 'replacedWords']);

/**
 * Puts the words of a suggestion into the text, in one undo step. Words that stay keep their formatting, and new words
 * take that of the words that they replace. A suggestion may have several paragraphs and list items. Changes nothing if
 * the passage is not exactly as the reviewer saw it.
 * @returns Why nothing was changed; undefined after success.
 */
export const acceptSuggestion = (editor: Editor, id: string): AcceptanceFailure | undefined => {
  if (editor.isDestroyed || !editor.isEditable) return 'refused';
  const { state } = editor;
  const { comments, places } = commentState(state);
  const comment = comments.find((one) => one.id === id);
  const place = places.get(id);
  if (!place || !comment || comment.replacement === null) return 'changed';
  if (!hasSameLines(textOfRange(state.doc, place), comment.anchor.exact)) return 'changed';
  if (!place.isCertain) return 'ambiguous';
  const change = changeFor(state, place, comment.replacement);
  if (!change) return 'structure';
  const { transaction, range } = change;
  const { mapping, doc } = transaction;
  const changed = { from: mapping.map(range.from, -1), to: mapping.map(range.to, 1) };
  const [passage, result] = [textOfRange(state.doc, range), textOfRange(doc, changed)];
  const before = state.doc.slice(range.from, range.to);
  editor.view.dispatch(noteAccepted(transaction, { id, ...changed, before, passage, result, stage: 'applied' }));
  return editor.state.doc === state.doc ? 'refused' : undefined;
};

const changeFor = (state: EditorState, place: Range, replacement: string): SuggestedChange | undefined => {
  const isOfLines =
    textOfRange(state.doc, place).includes('\n') ||
    replacement.includes('\n') ||
    (replacement === '' && isOfWholeBlocks(state.doc, place));
  const marks = (range: Range) => marksAt(state.doc, range, place);
  return isOfLines ? changeLines(state, place, replacement, marks) : changeWords(state, place, replacement);
};

/** Builds the change of a suggestion within one paragraph. */
const changeWords = (state: EditorState, place: Range, replacement: string): SuggestedChange => {
  const { doc, schema, tr: transaction } = state;
  for (const { from, to, added } of suggestedWords(textOfRange(doc, place), replacement).toReversed()) {
    const range = { from: place.from + from, to: place.from + to };
    if (added === '') transaction.delete(range.from, range.to);
    else transaction.replaceWith(range.from, range.to, schema.text(added, marksAt(doc, range, place)));
  }
  const start = replacement === '' && leavesTwoSpaces(doc, place) ? place.from - 1 : place.from;
  transaction.delete(start, place.from);
  return { transaction, range: { from: start, to: place.to } };
};

/** Whether two spaces, or a space before a full stop, would remain where a passage is deleted. */
const leavesTwoSpaces = (document: Node, { from, to }: Range): boolean => {
  const { parent, parentOffset } = document.resolve(from);
  if (parentOffset === 0) return false;
  const before = document.textBetween(from - 1, from, '\n', '\n');
  const after = document.textBetween(to, Math.min(to + 1, from - parentOffset + parent.content.size), '\n', '\n');
  return before === ' ' && (after === '' || /[\s.,;:)]/.test(after));
};

/** Returns the formatting for new words: that of the replaced words, or of the words before or after. */
const marksAt = (document: Node, { from, to }: Range, place: Range): readonly Mark[] => {
  const at = to > from || from === place.from ? from : from - 1;
  return (document.nodeAt(at)?.marks ?? []).filter(({ type }) => !aiMarks.has(type.name));
};

/** Restores the words before an acceptance. Returns false if the user has changed them meanwhile. */
export const undoAcceptance = (editor: Editor, id: string): boolean => {
  if (editor.isDestroyed || !editor.isEditable) return false;
  const suggestion = commentState(editor.state).accepted.find((one) => one.id === id);
  if (suggestion?.stage !== 'applied') return false;
  const { from, to, before } = suggestion;
  editor.view.dispatch(editor.state.tr.replace(from, to, before));
  return true;
};
