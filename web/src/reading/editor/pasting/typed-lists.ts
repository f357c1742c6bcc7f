import { Fragment, type Node, type Schema, Slice } from '@tiptap/pm/model';
import { type ListMarker, markerAtStart } from './list-markers.ts';

/** A block of a paste, and the list marker at its start. */
type Line = { node: Node; marker: ListMarker | undefined };

/**
 * Turns paragraphs that begin with "1." or "•" into lists. Other report systems write lists as text. Returns the same
 * slice if it has no such paragraphs.
 */
export const withTypedLists = (slice: Slice): Slice => {
  const content = listsIn(slice.content);
  if (content.eq(slice.content)) return slice;
  const openSlice = Slice.maxOpen(content, true);
  const isKept = (node: Node | null, before: Node | null) => node?.type === before?.type;
  return new Slice(
    content,
    isKept(content.firstChild, slice.content.firstChild) ? slice.openStart : openSlice.openStart,
    isKept(content.lastChild, slice.content.lastChild) ? slice.openEnd : openSlice.openEnd,
  );
};

const childrenOf = (content: Fragment): Node[] => {
  const nodes: Node[] = [];
  content.forEach((node) => nodes.push(node));
  return nodes;
};

const listsIn = (content: Fragment): Fragment => {
  const nodes = childrenOf(content)
    .flatMap(linesOf)
    .map((node) => (node.isTextblock || node.isLeaf ? node : withoutTypedMarkers(node.copy(listsInside(node)))));
  const lines = nodes.map((node): Line => ({ node, marker: markerOf(node) }));
  const accepted = lines.map((line, at) => (isItem(lines, at) ? line : { node: line.node, marker: undefined }));
  return Fragment.from(grouped(accepted));
};

/** A list item keeps its first paragraph. */
const listsInside = (node: Node): Fragment => {
  if (node.type.name !== 'listItem' && node.type.name !== 'taskItem') return listsIn(node.content);
  const [first, ...others] = childrenOf(node.content);
  return first ? Fragment.from([first, ...childrenOf(listsIn(Fragment.from(others)))]) : node.content;
};

const markerOf = (node: Node): ListMarker | undefined => {
  if (node.type.name !== 'paragraph' || !node.firstChild?.isText) return undefined;
  const marker = markerAtStart(node.textContent);
  return marker && node.textContent.slice(marker.length).trim() !== '' ? marker : undefined;
};

/** Splits a paragraph at its line breaks if a line begins like a list item. */
const linesOf = (node: Node): Node[] => {
  if (node.type.name !== 'paragraph') return [node];
  const lines: Node[][] = [[]];
  for (const child of childrenOf(node.content)) {
    if (child.type.name === 'hardBreak') lines.push([]);
    else lines.at(-1)?.push(child);
  }
  const paragraphs = lines.map((line) => node.copy(Fragment.from(line)));
  return paragraphs.length > 1 && paragraphs.some((paragraph) => markerOf(paragraph)) ? paragraphs : [node];
};

/** Whether a line is a list item. Numbers must count up. A weak marker needs a similar item before or after it. */
const isItem = (lines: readonly Line[], at: number): boolean => {
  const marker = lines[at]?.marker;
  if (!marker) return false;
  if (!marker.isWeak) return true;
  if (marker.number === undefined) {
    return [neighbor(lines, at, -1), neighbor(lines, at, 1)].some((one) => one && one.number === undefined);
  }
  const numbers = (some: readonly Line[]) => some.flatMap(({ marker: other }) => other?.number ?? []);
  const [before, after] = [numbers(lines.slice(0, at)).at(-1), numbers(lines.slice(at + 1))[0]];
  return before === marker.number - 1 || after === marker.number + 1;
};

/** Marker of the next or previous block that is not empty. */
const neighbor = (lines: readonly Line[], at: number, step: 1 | -1): ListMarker | undefined => {
  let next = at + step;
  while (lines[next] && isEmpty(lines[next]?.node)) next += step;
  return lines[next]?.marker;
};

const isEmpty = (node: Node | undefined) => node?.type.name === 'paragraph' && node.content.size === 0;

const grouped = (lines: readonly Line[]): Node[] => {
  const blocks: Node[] = [];
  let items: Line[] = [];
  let empty: Node[] = [];
  const close = () => {
    const [first] = items;
    if (first) blocks.push(listOf(items, first.node.type.schema));
    blocks.push(...empty);
    items = [];
    empty = [];
  };
  for (const line of lines) {
    // Other systems leave empty lines between the items of a list.
    if (items.length > 0 && isEmpty(line.node)) {
      empty.push(line.node);
      continue;
    }
    const last = items.at(-1)?.marker;
    if (line.marker && last && continues(last, line.marker)) empty = [];
    else close();
    if (line.marker) items.push(line);
    else blocks.push(line.node);
  }
  close();
  return blocks;
};

const continues = (last: ListMarker, next: ListMarker) =>
  last.number === undefined ? next.number === undefined : next.number === last.number + 1;

const listOf = (lines: readonly Line[], schema: Schema): Node => {
  const { orderedList, bulletList, listItem } = schema.nodes;
  const start = lines[0]?.marker?.number;
  const items = lines.map(
    ({ node, marker }) => listItem?.create(null, withoutStart(node, marker?.length ?? 0)) ?? node,
  );
  const list = start === undefined ? bulletList?.create(null, items) : orderedList?.create({ start }, items);
  return list ?? schema.node('paragraph');
};

const withoutStart = (node: Node, length: number): Node => node.copy(node.content.cut(length));

/** Removes typed markers from the items of a list if every item has a marker. */
const withoutTypedMarkers = (list: Node): Node => {
  const isOrdered = list.type.name === 'orderedList';
  if (!isOrdered && list.type.name !== 'bulletList') return list;
  const items = childrenOf(list.content);
  const first = Number(list.attrs['start'] ?? 1);
  const markers = items.map(({ firstChild }) => firstChild && markerOf(firstChild));
  const isTyped = markers.every((marker, at) =>
    isOrdered ? marker?.number === first + at : marker && marker.number === undefined,
  );
  if (!isTyped) return list;
  return list.copy(
    Fragment.from(
      items.map((item, at) => {
        const [words, ...others] = childrenOf(item.content);
        return words ? item.copy(Fragment.from([withoutStart(words, markers[at]?.length ?? 0), ...others])) : item;
      }),
    ),
  );
};
