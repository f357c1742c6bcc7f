import { type Editor, Extension, Mark } from '@tiptap/core';
import { passageAttribute, type PassageDecision } from '@radwork/contract/drafting';
import { sectionOfHeading } from '@radwork/contract/report-sections';
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
import { inertDocument } from '#core/inert-document.ts';
import { passageButtons } from './drafting-buttons.ts';
import { safeHtml } from './safe-html.ts';

/** A stretch of a document, in positions as ProseMirror counts them. */
export type Range = { from: number; to: number };

/** Words that a program has proposed, and those of the writer that it would take the place of. */
export type Passage = { id: string; proposed: Range[]; replaced: Range[] };

type Decide = (id: string, decision: PassageDecision) => void;

const marked = (name: 'draftedWords' | 'replacedWords', tag: 'ins' | 'del') =>
  Mark.create({
    name,
    // Before the marks that browsers know these elements by.
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

/** Words that wait for somebody to accept or reject them. They stay marked through saving and opening. */
export const DraftedWords = marked('draftedWords', 'ins');
/** The writer's own words that a proposal would replace: they stay where they are until it is accepted. */
export const ReplacedWords = marked('replacedWords', 'del');

const isFor = (mark: WordMark, name: string, id?: string): boolean =>
  mark.type.name === name && (id === undefined || mark.attrs['id'] === id);

/** The passages of a text that nobody has decided about, in the order in which they stand. */
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

/** Adds a stretch to those before it; with nothing but the ends of blocks in between the two are one. */
const extend = (ranges: Range[], next: Range, document: Node) => {
  const last = ranges.at(-1);
  if (last && document.textBetween(last.to, next.from, '', '\uFFFC') === '') last.to = next.to;
  else ranges.push(next);
};

const endOf = ({ proposed, replaced }: Passage): number => Math.max(...[...proposed, ...replaced].map(({ to }) => to));

/** The passage in which the cursor stands, or else the next one behind it, or else the first. */
export const passageAt = ({ state }: Editor): Passage | undefined => {
  const passages = passagesIn(state.doc);
  return passages.find((passage) => endOf(passage) >= state.selection.from) ?? passages[0];
};

const deciders = new WeakMap<EditorView, Decide>();

/** Says who carries out what somebody decides about a passage, by a button in the text or by the keyboard. */
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

/** Accept and Reject stand behind every open passage; Ctrl Alt Enter and Ctrl Alt Backspace do the same at the cursor. */
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
 * Puts a drafted passage into the text as a proposal, in one step that can be undone. What it would replace stays in its
 * place, and is only marked.
 *
 * @param place Where it was asked for: a stretch to replace, or with equal ends a place to stand at.
 * @returns Whether it is in the text now; a report that would grow too long refuses it.
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
  insertBehind(transaction, place, content);
  // Words that are still selected would have the buttons for a selection in front of the proposal.
  const { from, to, empty } = state.selection;
  if (!empty && from >= place.from && to <= place.to) {
    transaction.setSelection(TextSelection.near(transaction.doc.resolve(place.to)));
  }
  editor.view.dispatch(transaction.scrollIntoView());
  return editor.state.doc !== state.doc;
};

/** The blocks of a passage, with all of its words marked, whatever the HTML says. */
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

/** Puts blocks behind a place: behind its paragraph, in place of an empty one, or in the line when it is words for words. */
export const insertBehind = (transaction: Transaction, { from, to }: Range, content: Fragment) => {
  const end = transaction.doc.resolve(to);
  const start = transaction.doc.resolve(from);
  const only = content.childCount === 1 ? content.firstChild : null;
  const isInLine = only?.type.name === 'paragraph' && to > from && start.sameParent(end);
  if (isInLine) transaction.insert(to, only.content);
  else if (end.depth > 0 && end.parent.isTextblock && end.parent.content.size === 0 && from === to) {
    transaction.replaceRange(end.before(), end.after(), new Slice(content, 0, 0));
  } else transaction.insert(end.depth > 0 ? end.after() : to, content);
};

/** Takes over or gives up a passage, in one step that can be undone. Rejecting brings the writer's own words back. */
export const settlePassage = (editor: Editor, id: string, decision: PassageDecision): void => {
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

/** Removes words, and with them the blocks and lists of which nothing is left. */
const removeWords = (transaction: Transaction, { from, to }: Range) => {
  const [start, end] = [transaction.doc.resolve(from), transaction.doc.resolve(to)];
  const isWhole = start.parentOffset === 0 && end.parentOffset === end.parent.content.size;
  let depth = Math.min(start.sharedDepth(to), start.depth - 1);
  while (depth > 0 && vanishes.has(start.node(depth).type.name) && coversAll(start, end, depth)) depth -= 1;
  // A cell, and a text as such, keep a paragraph, were it an empty one.
  if (!isWhole || coversAll(start, end, depth)) transaction.deleteRange(from, to);
  else transaction.delete(start.before(depth + 1), end.after(depth + 1));
};

/** What is nothing without its content. */
const vanishes = new Set(['bulletList', 'orderedList', 'taskList', 'listItem', 'taskItem', 'blockquote']);

const coversAll = (start: ResolvedPos, end: ResolvedPos, depth: number): boolean =>
  start.index(depth) === 0 && end.index(depth) === start.node(depth).childCount - 1;

/** Where an impression belongs: behind its heading, if the text has one. */
export const placeOfImpression = ({ state }: Editor): Range | undefined => {
  let place: number | undefined;
  state.doc.forEach((node, offset) => {
    const isHeading = node.type.name === 'heading' && sectionOfHeading(node.textContent.trim()) === 'impression';
    if (isHeading) place = offset + node.nodeSize - 1;
  });
  return place === undefined ? undefined : { from: place, to: place };
};
