import { placeholders } from '@radwork/contract/core/placeholders';
import { isFieldFault, readField, type TemplateField, unfilledText } from '@radwork/contract/reading/template-fields';
import type { Node } from '@tiptap/pm/model';
import { type EditorState, TextSelection } from '@tiptap/pm/state';

/** Place of a field in a document, in ProseMirror positions. `field` is undefined for a field without a type. */
export type FieldRange = {
  from: number;
  to: number;
  text: string;
  field: TemplateField | undefined;
  isFilled: boolean;
};

/** Character that stands for a picture or line break, so that text offsets match document positions. */
const oneUnit = '\ufffc';

const typesBySource = new Map<string, TemplateField | undefined>();

const typeOf = (source: string): TemplateField | undefined => {
  if (!typesBySource.has(source)) {
    const read = readField(source);
    typesBySource.set(source, read && !isFieldFault(read) ? read : undefined);
  }
  return typesBySource.get(source);
};

/** Returns the typed fields of a text block. Neighboring texts with the same mark are one field. */
const typedIn = (block: Node, start: number): FieldRange[] => {
  const ranges: FieldRange[] = [];
  let source: unknown;
  block.forEach((child, offset) => {
    const mark = child.isText ? child.marks.find(({ type }) => type.name === 'templateField') : undefined;
    const field = mark && typeOf(String(mark.attrs['source']));
    const last = ranges.at(-1);
    const from = start + offset;
    if (field && last?.to === from && source === mark.attrs['source']) {
      last.to = from + child.nodeSize;
      last.text += child.text ?? '';
    } else if (field) {
      ranges.push({ from, to: from + child.nodeSize, text: child.text ?? '', field, isFilled: false });
    }
    source = mark?.attrs['source'];
  });
  for (const range of ranges) range.isFilled = range.field !== undefined && range.text !== unfilledText(range.field);
  return ranges;
};

/** Returns the fields of a document in order: typed fields, and unfilled fields without a type. */
export const fieldRangesIn = (document: Node): FieldRange[] => {
  const ranges: FieldRange[] = [];
  document.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const typed = typedIn(node, at + 1);
    const text = node.textBetween(0, node.content.size, undefined, oneUnit);
    const untyped = Array.from(text.matchAll(placeholders()), ({ 0: words, index }) => ({
      from: at + 1 + index,
      to: at + 1 + index + words.length,
      text: words,
      field: undefined,
      isFilled: false,
    })).filter(
      (range) => !range.text.includes(oneUnit) && !typed.some(({ from, to }) => range.from < to && from < range.to),
    );
    ranges.push(...[...typed, ...untyped].toSorted((one, other) => one.from - other.from));
    return false;
  });
  return ranges;
};

/** Returns the typed field that is exactly selected. */
export const selectedField = ({ selection }: EditorState): (FieldRange & { field: TemplateField }) | undefined => {
  if (!(selection instanceof TextSelection) || selection.empty || !selection.$from.sameParent(selection.$to)) {
    return undefined;
  }
  const { $from, from, to } = selection;
  const range = typedIn($from.parent, $from.start()).find((one) => one.from === from && one.to === to);
  return range?.field && { ...range, field: range.field };
};

/** Returns the typed field at a position. */
export const fieldAround = (document: Node, position: number): FieldRange | undefined => {
  const place = document.resolve(position);
  if (!place.parent.isTextblock) return undefined;
  return typedIn(place.parent, place.start()).find(({ from, to }) => position >= from && position <= to);
};

/** Returns the typed fields of a document in order. */
export const typedRangesIn = (document: Node): (FieldRange & { field: TemplateField })[] =>
  fieldRangesIn(document).flatMap((range) => (range.field ? [{ ...range, field: range.field }] : []));
