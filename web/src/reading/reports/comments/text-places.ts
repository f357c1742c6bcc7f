import type { Place } from '@radwork/contract/reading/report-check-text';
import { extraAttribute } from '#reading/editor/comments/comment-tools.ts';

/** A text node, line break or empty part of a shown report, and where it begins in the visible text. */
type Unit = { node: Text | Element; start: number; length: number };

export type ShownText = { text: string; units: Unit[] };

const isTextBlock = (tag: string) => /^(?:P|H[1-6])$/.test(tag);

/**
 * Reads the visible text of a shown report, as the server and the editor read it
 * (server/src/reading/report-records/report-blocks.ts). Marks and buttons of comments are no part of it.
 */
export const shownText = (root: Element): ShownText => {
  const units: Unit[] = [];
  let text = '';
  let isFirst = true;
  const add = (node: Unit['node'], words: string) => {
    units.push({ node, start: text.length, length: words.length });
    text += words;
  };
  const read = (node: Node): void => {
    if (node instanceof Text) return add(node, node.data);
    if (!(node instanceof Element) || node.hasAttribute(extraAttribute)) return undefined;
    if (node.tagName === 'BR' || (node.tagName === 'SPAN' && node.childNodes.length === 0)) return add(node, '\n');
    return node.childNodes.forEach(read);
  };
  const visit = (element: Element): void => {
    for (const child of element.children) {
      if (!isTextBlock(child.tagName)) {
        visit(child);
        continue;
      }
      if (!isFirst) text += '\n';
      isFirst = false;
      read(child);
    }
  };
  visit(root);
  return { text, units };
};

/** Returns the selected place in a shown report; undefined unless words within it are selected. */
export const selectedPlace = (root: Element, { units }: ShownText, selection: Selection | null): Place | undefined => {
  if (!selection || selection.rangeCount === 0 || selection.isCollapsed) return undefined;
  const range = selection.getRangeAt(0);
  if (!root.contains(range.commonAncestorContainer)) return undefined;
  const from = offsetOf(units, range.startContainer, range.startOffset);
  const to = offsetOf(units, range.endContainer, range.endOffset);
  return to > from ? { from, to } : undefined;
};

const offsetOf = (units: readonly Unit[], node: Node, offset: number): number => {
  const own = units.find((unit) => unit.node === node);
  if (own && node instanceof Text) return own.start + offset;
  const point = document.createRange();
  point.setStart(node, offset);
  const next = units.find((unit) => point.comparePoint(unit.node, 0) >= 0);
  const last = units.at(-1);
  return next?.start ?? (last ? last.start + last.length : 0);
};

/** A passage to mark. `struck` are the places of words that a suggestion replaces. */
export type PaintedPassage = {
  id: string;
  place: Place;
  struck: readonly Place[];
  /** Elements to insert after a position, such as suggested words and buttons. */
  extras: readonly { at: number; element: HTMLElement }[];
};

type Look = { passage: string; struck: string };

/**
 * Marks passages of a shown report. Passages may overlap.
 * @param look Class names of marked and of struck words.
 * @returns A function that removes the marks.
 */
export const paintPassages = (root: Element, passages: readonly PaintedPassage[], look: Look): (() => void) => {
  const made: Element[] = [];
  const waiting = passages.flatMap(({ extras }) => extras);
  for (const unit of shownText(root).units) {
    if (!(unit.node instanceof Text)) continue;
    for (const piece of piecesOf(unit.node, unit, passages)) {
      const around = passages.filter(({ place }) => covers(place, piece));
      let end: Element | Text = piece.node;
      if (around.length > 0) {
        const mark = document.createElement('span');
        mark.className = look.passage;
        mark.dataset.comment = around.map(({ id }) => id).join(' ');
        if (around.some(({ struck }) => struck.some((place) => covers(place, piece)))) mark.classList.add(look.struck);
        piece.node.replaceWith(mark);
        mark.append(piece.node);
        made.push(mark);
        end = mark;
      }
      const take = (wanted: number) => {
        const found = waiting.filter(({ at }) => at === wanted);
        for (const extra of found) waiting.splice(waiting.indexOf(extra), 1);
        return found.map(({ element }) => element);
      };
      // Words at the start of a block have no piece before them.
      end.before(...take(piece.from));
      end.after(...take(piece.to));
    }
  }
  return () => {
    for (const { extras } of passages) for (const { element } of extras) element.remove();
    for (const mark of made) mark.replaceWith(...mark.childNodes);
    root.normalize();
  };
};

const covers = ({ from, to }: Place, piece: Place): boolean =>
  from <= piece.from && to >= piece.to && piece.to > piece.from;

/** Splits a text node where passages begin and end. */
const piecesOf = (node: Text, { start, length }: Unit, passages: readonly PaintedPassage[]) => {
  const borders = passages
    .flatMap(({ place, struck, extras }) => [
      ...[place, ...struck].flatMap(({ from, to }) => [from, to]),
      ...extras.map(({ at }) => at),
    ])
    .filter((at) => at > start && at < start + length);
  const cuts = [...new Set(borders)].toSorted((one, other) => one - other);
  const pieces: (Place & { node: Text })[] = [];
  let rest = node;
  let from = start;
  for (const cut of cuts) {
    const next = rest.splitText(cut - from);
    pieces.push({ node: rest, from, to: cut });
    [rest, from] = [next, cut];
  }
  pieces.push({ node: rest, from, to: start + length });
  return pieces;
};
