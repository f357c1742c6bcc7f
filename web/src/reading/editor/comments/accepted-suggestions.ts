import { hasSameLines } from '@radwork/contract/reading/report-anchors';
import type { Node, Slice } from '@tiptap/pm/model';
import type { Mappable } from '@tiptap/pm/transform';
import { type Range, textOfRange } from './document-places.ts';

/**
 * A suggestion that the user has accepted in this editor. The range follows the edits. `stage` tells whether the range
 * now has the suggested words (applied), the former words (undone) or others.
 */
export type AcceptedSuggestion = Range & {
  id: string;
  before: Slice;
  passage: string;
  result: string;
  stage: 'applied' | 'undone' | 'edited';
};

/** Maps an accepted suggestion through a change of the document. */
export const followAccepted = (
  suggestion: AcceptedSuggestion,
  mapping: Mappable,
  document: Node,
): AcceptedSuggestion => {
  const range = { from: mapping.map(suggestion.from, -1), to: mapping.map(suggestion.to, 1) };
  return { ...suggestion, ...range, stage: stageOf(suggestion, textOfRange(document, range)) };
};

const stageOf = ({ passage, result }: AcceptedSuggestion, text: string): AcceptedSuggestion['stage'] => {
  if (hasSameLines(text, result)) return 'applied';
  return hasSameLines(text, passage) ? 'undone' : 'edited';
};
