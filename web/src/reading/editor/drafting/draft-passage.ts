import { type Editor, Extension, Mark } from '@tiptap/core';
import { passageAttribute, type PassageDecision } from '@radwork/contract/reading/drafting';
import { sectionOfHeading } from '@radwork/contract/reading/report-sections';
import {
  DOMParser as ProseMirrorParser,
  Fragment,
  type Mark as WordMark,
  type Node,
  type ResolvedPos,
  Slice,
} from '@tiptap/pm/model';
import { Plugin, TextSelection, type Transaction } from '@tiptap/pm/state';
import { Decoration, DecorationSet, type EditorView } from '@tiptap/pm/view';
import { inertDocument } from '#core/browser/inert-document.ts';
import { passageButtons } from './passage-buttons.ts';
import { safeHtml } from '#reading/editor/reading/safe-html.ts';

/** Range of a document, in ProseMirror positions. */
export type Range = { from: number; to: number };

/** Words proposed by AI, and the words of the writer that they would replace. */
export type Passage = { id: string; proposed: Range[]; replaced: Range[] };

type Decide = (id: string, decision: PassageDecision) => void;

const marked = (name: 'draftedWords' | 'replacedWords', tag: 'ins' | 'del') =>
  Mark.create({
    name,
    // This priority is higher than that of the marks that normally use these elements.
    priority: 1100,
    inclusive: false,
    excludes: 'draftedWords replacedWords',
    addAttributes: () => ({
      id: {
        default: '',
        parseHTML: (words: HTMLElement) => words.getAttribute(passageAttribute),
        renderHTML: ({ id }: { id?: string }) => ({ [passageAttribute]: id }),
      },
    }),
    parseHTML: () => [{ tag: `${tag}[${passageAttribute}]` }],
    renderHTML: ({ HTMLAttributes }) => [tag, HTMLAttributes, 0],
  });

/** Marks words that wait for acceptance or rejection. The mark stays when the text is saved and opened. */
export const ProposedTextMark = marked('draftedWords', 'ins');
/**
 * Marks words of the writer that a proposal would replace. The words stay in the text until the proposal is accepted.
 */
export const ReplacedTextMark = marked('replacedWords', 'del');

const isFor = (mark: WordMark, name: string, id?: string): boolean =>
  mark.type.name === name && (id === undefined || mark.attrs['id'] === id);

/** Returns the undecided passages of a text, in order. */
export const passagesIn = (document: Node): Passage[] => {
  const passages = new Map<string, Passage>();
  document.descendants((node, position) => {
    for (const mark of node.isText ? node.marks : []) {
      if (mark.type.name !== 'draftedWords' && mark.type.name !== 'replacedWords') continue;
      const id = String(mark.attrs['id']);
      const passage = passages.get(id) ?? { id, proposed: [], replaced: [] };
      passages.set(id, passage);
      const ranges = mark.type.name === 'draftedWords' ? passage.proposed : passage.replaced;
      extend(ranges, { from: position, to: position + node.nodeSize }, document);
    }
  });
  return [...passages.values()];
};

/** Adds a range. Ranges with only block boundaries between them become one range. */
const extend = (ranges: Range[], next: Range, document: Node) => {
  const last = ranges.at(-1);
  if (last && document.textBetween(last.to, next.from, '', '\uFFFC') === '') last.to = next.to;
  else ranges.push(next);
};

const endOf = ({ proposed, replaced }: Passage): number => Math.max(...[...proposed, ...replaced].map(({ to }) => to));

/** Returns the passage at the cursor, or the next one after the cursor, or else the first. */
export const passageAt = ({ state }: Editor): Passage | undefined => {
  const passages = passagesIn(state.doc);
  return passages.find((passage) => endOf(passage) >= state.selection.from) ?? passages[0];
};

const deciders = new WeakMap<EditorView, Decide>();

/**
 * Registers the handler that is called when the user accepts or rejects a drafted passage, by button or keyboard.
 * Returns a function that removes it.
 */
export const onDecision = (editor: Editor, decide: Decide): (() => void) => {
  deciders.set(editor.view, decide);
  return () => deciders.delete(editor.view);
};

const decideHere = (editor: Editor, decision: PassageDecision): boolean => {
  const passage = passageAt(editor);
  const decide = deciders.get(editor.view);
  if (!passage || !decide) return false;
  decide(passage.id, decision);
  return true;
};

/**
 * Shows Accept and Reject after each open passage. At the cursor, Ctrl Alt Enter accepts and Ctrl Alt Backspace
 * rejects.
 */
export const PassageDecisions = Extension.create({
  name: 'passageDecisions',
  addKeyboardShortcuts() {
    return {
      'Mod-Alt-Enter': () => decideHere(this.editor, 'ACCEPTED'),
      'Mod-Alt-Backspace': () => decideHere(this.editor, 'REJECTED'),
    };
  },
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      state: {
        init: (_, state) => buttonsIn(state.doc),
        apply: (transaction, set) => (transaction.docChanged ? buttonsIn(transaction.doc) : set),
      },
      props: {
        decorations(state) {
          return this.getState(state);
        },
      },
    }),
  ],
});

const buttonsIn = (document: Node): DecorationSet => {
  const passages = passagesIn(document);
  return DecorationSet.create(
    document,
    passages.map((passage, index) =>
      Decoration.widget(
        endOf(passage),
        (view) =>
          passageButtons({ number: index + 1, isReplacing: passage.replaced.length > 0 }, (decision) =>
            deciders.get(view)?.(passage.id, decision),
          ),
        { side: 1, key: `${passage.id} ${index}`, ignoreSelection: true, stopEvent: () => true },
      ),
    ),
  );
};

/**
 * Inserts a drafted passage as a proposal, in one undo step. The words that the passage would replace stay and are marked.
 * @param place Range to replace, or an insertion point (both ends equal).
 * @returns Whether the passage was inserted. The length limit may refuse it.
 */
export const proposePassage = (editor: Editor, drafted: { id: string; html: string }, place: Range): boolean => {
  if (editor.isDestroyed || !editor.isEditable) return false;
  const { state } = editor;
  const content = contentOf(editor, drafted);
  if (content.size === 0) return false;
  const transaction = state.tr;
  if (place.to > place.from) {
    transaction.addMark(place.from, place.to, state.schema.mark('replacedWords', { id: drafted.id }));
  }
  insertAfter(transaction, place, content);
  // Clears the selection, because the selection menu would cover the proposal.
  const { from, to, empty } = state.selection;
  if (!empty && from >= place.from && to <= place.to) {
    transaction.setSelection(TextSelection.near(transaction.doc.resolve(place.to)));
  }
  editor.view.dispatch(transaction.scrollIntoView());
  return editor.state.doc !== state.doc;
};

/** Returns the blocks of a passage with all words marked as proposed, whichever words the given HTML marks. */
export const contentOf = ({ schema }: Editor, { id, html }: { id: string; html: string }): Fragment => {
  const { body } = inertDocument(safeHtml(html));
  const { content } = ProseMirrorParser.fromSchema(schema).parse(body);
  return withMark(content, schema.mark('draftedWords', { id }));
};

const withMark = (content: Fragment, mark: WordMark): Fragment =>
  Fragment.from(
    content.content.map((node) =>
      node.isText ? node.mark(mark.addToSet(node.marks)) : node.copy(withMark(node.content, mark)),
    ),
  );

/**
 * Inserts blocks after a range: below its paragraph, or in place of an empty paragraph. Blocks that replace words go
 * into the same line.
 */
export const insertAfter = (transaction: Transaction, { from, to }: Range, content: Fragment) => {
  const end = transaction.doc.resolve(to);
  const start = transaction.doc.resolve(from);
  const only = content.childCount === 1 ? content.firstChild : null;
  const isInLine = only?.type.name === 'paragraph' && to > from && start.sameParent(end);
  if (isInLine) transaction.insert(to, only.content);
  else if (end.depth > 0 && end.parent.isTextblock && end.parent.content.size === 0 && from === to) {
    transaction.replaceRange(end.before(), end.after(), new Slice(content, 0, 0));
  } else transaction.insert(end.depth > 0 ? end.after() : to, content);
};

/** Accepts or rejects a passage in one undo step. Rejecting restores the words of the writer. */
export const decidePassage = (editor: Editor, id: string, decision: PassageDecision): void => {
  const passage = passagesIn(editor.state.doc).find((one) => one.id === id);
  if (!passage || editor.isDestroyed) return;
  const { tr: transaction } = editor.state;
  const goes = decision === 'ACCEPTED' ? passage.replaced : passage.proposed;
  transaction.doc.descendants((node, position) => {
    for (const mark of node.marks) {
      const isOurs = isFor(mark, 'draftedWords', id) || isFor(mark, 'replacedWords', id);
      if (isOurs) transaction.removeMark(position, position + node.nodeSize, mark);
    }
  });
  for (const range of goes.toReversed()) removeWords(transaction, range);
  editor.view.dispatch(transaction);
};

/** Removes words, and also the blocks and lists that are then empty. */
const removeWords = (transaction: Transaction, { from, to }: Range) => {
  const [start, end] = [transaction.doc.resolve(from), transaction.doc.resolve(to)];
  const isWhole = start.parentOffset === 0 && end.parentOffset === end.parent.content.size;
  let depth = Math.min(start.sharedDepth(to), start.depth - 1);
  while (depth > 0 && vanishes.has(start.node(depth).type.name) && coversAll(start, end, depth)) depth -= 1;
  // A cell or a document must keep at least an empty paragraph.
  if (!isWhole || coversAll(start, end, depth)) transaction.deleteRange(from, to);
  else transaction.delete(start.before(depth + 1), end.after(depth + 1));
};

/** Types of nodes that are removed when their content is removed. */
const vanishes = new Set(['bulletList', 'orderedList', 'taskList', 'listItem', 'taskItem', 'blockquote']);

const coversAll = (start: ResolvedPos, end: ResolvedPos, depth: number): boolean =>
  start.index(depth) === 0 && end.index(depth) === start.node(depth).childCount - 1;

/** Returns the insertion point of an impression. It is after the impression heading, if the text has this heading. */
export const placeOfImpression = ({ state }: Editor): Range | undefined => {
  let place: number | undefined;
  state.doc.forEach((node, offset) => {
    const isHeading = node.type.name === 'heading' && sectionOfHeading(node.textContent.trim()) === 'impression';
    if (isHeading) place = offset + node.nodeSize - 1;
  });
  return place === undefined ? undefined : { from: place, to: place };
};
