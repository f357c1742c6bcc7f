import { passageAttribute } from '@radwork/contract/reading/drafting';
import { filledAttribute, longestFilledLabel } from '@radwork/contract/reading/filled-parts';
import { isFieldFault, longestPartSource, readField } from '@radwork/contract/reading/template-fields';
import { fieldAttribute, partAttribute, partSourceAttribute } from '@radwork/contract/reading/template-fields-html';
import type { DefaultTreeAdapterTypes } from 'parse5';
import { isId } from '#core/values/ids.ts';
import {
  alignment,
  attribute,
  background,
  cellAlignment,
  columnWidths,
  embeddedPicture,
  linkTarget,
  textColor,
  wholeNumber,
} from './html-values.ts';

/**
 * The elements of a report, which are the schema of the editor. The reader maps everything to these elements, and the
 * writer writes them. Elements that are not named here are not stored.
 */
type Element = DefaultTreeAdapterTypes.Element;

/**
 * Direct content of an element. "blocks" are paragraphs, lists and tables; "items", "rows" and "cells" are their parts.
 */
export type ContentModel = 'blocks' | 'inline' | 'items' | 'rows' | 'cells';

export type Attributes = Record<string, string | undefined>;

export type Block = { tag: string; livesIn: ContentModel; holds: ContentModel; attributes: Attributes };

/**
 * A property of text, such as bold. Marks are nested in this order, so that equal texts have equal HTML. "filled", "part"
 * and "field" are properties of a draft, and have the tag "span".
 */
export type Mark = { name: (typeof markNames)[number]; tag: string; attributes: Attributes };
export const markNames = [
  'ins',
  'del',
  'filled',
  'part',
  'field',
  'a',
  'mark',
  'span',
  'strong',
  'em',
  'u',
  's',
  'sub',
  'sup',
] as const;

/** Properties that end with the signature: the text stays, its mark goes. */
export const draftMarks: readonly string[] = ['filled', 'part', 'field'];

export type Reading =
  | { kind: 'block'; block: Block }
  | { kind: 'mark'; mark: Mark }
  | { kind: 'break' }
  | { kind: 'picture' | 'rule'; tag: string; attributes: Attributes }
  /** A conditional part that is not shown. Its text is in an attribute. */
  | { kind: 'hiddenPart'; attributes: Attributes }
  /** An element that is not stored, although its text is. For a division, the text gets its own paragraph. */
  | { kind: 'wrapper' | 'division' }
  /** An element whose content is not text of a report. */
  | { kind: 'nothing' };

const nothing: Reading = { kind: 'nothing' };
const wrapper: Reading = { kind: 'wrapper' };
const division: Reading = { kind: 'division' };

const block = (tag: string, livesIn: ContentModel, holds: ContentModel, attributes: Attributes = {}): Reading => ({
  kind: 'block',
  block: { tag, livesIn, holds, attributes },
});

const mark = (name: Mark['name'], attributes: Attributes = {}, tag: string = name): Reading => ({
  kind: 'mark',
  mark: { name, tag, attributes },
});

const declaration = (property: string, value: string | undefined): string[] =>
  value === undefined ? [] : [`${property}: ${value}`];

const styled = (...declarations: string[][]): Attributes => ({ style: declarations.flat().join('; ') || undefined });

const text = (tag: string) => (element: Element) =>
  block(tag, 'blocks', 'inline', styled(declaration('text-align', alignment(element))));

const cell = (tag: string) => (element: Element) => {
  const colwidth = columnWidths(element);
  const width = colwidth?.split(',').reduce((sum, part) => sum + Number(part), 0);
  return block(tag, 'cells', 'blocks', {
    colspan: wholeNumber(element, 'colspan', [1, 50], 1),
    rowspan: wholeNumber(element, 'rowspan', [1, 200], 1),
    colwidth,
    ...styled(
      declaration('background-color', background(element)),
      declaration('text-align', cellAlignment(element)),
      declaration('width', width === undefined ? undefined : `${width}px`),
    ),
  });
};

const link = (element: Element): Reading => {
  const href = linkTarget(element);
  return href ? mark('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' }) : wrapper;
};

const highlight = (element: Element): Reading => {
  const color = background(element);
  return color ? mark('mark', { 'data-color': color, style: `background-color: ${color}` }) : wrapper;
};

/** Reads the marks of a draft: a typed field, a conditional part and a filled part. */
const markOfDraft = (element: Element): Reading | undefined => {
  const field = readField(attribute(element, fieldAttribute) ?? '');
  if (field && !isFieldFault(field)) return mark('field', { [fieldAttribute]: field.source }, 'span');
  const label = (attribute(element, filledAttribute) ?? '').trim();
  if (label !== '' && label.length <= longestFilledLabel) return mark('filled', { [filledAttribute]: label }, 'span');
  const condition = (attribute(element, partAttribute) ?? '').trim();
  const source = attribute(element, partSourceAttribute) ?? '';
  if (condition === '' || source.trim() === '' || Math.max(condition.length, source.length) > longestPartSource) {
    return undefined;
  }
  const attributes = { [partAttribute]: condition, [partSourceAttribute]: source };
  return element.childNodes.length === 0 ? { kind: 'hiddenPart', attributes } : mark('part', attributes, 'span');
};

const colored = (element: Element): Reading => {
  const color = textColor(element);
  return color ? mark('span', { style: `color: ${color}` }) : wrapper;
};

/**
 * Reads text that was drafted by AI, and text that the draft would replace. Both stay marked until the reader decides.
 */
const drafted = (tag: 'ins' | 'del', element: Element): Reading | undefined => {
  const id = attribute(element, passageAttribute)?.toLowerCase() ?? '';
  return isId(id) ? mark(tag, { [passageAttribute]: id }) : undefined;
};

const picture = (element: Element): Reading => {
  const src = embeddedPicture(element);
  if (!src) return nothing;
  return {
    kind: 'picture',
    tag: 'img',
    attributes: {
      src,
      alt: (attribute(element, 'alt') ?? '').slice(0, 500),
      width: wholeNumber(element, 'width', [1, 2000]),
      height: wholeNumber(element, 'height', [1, 2000]),
    },
  };
};

const checkedState = (element: Element): Attributes => ({
  'data-checked': attribute(element, 'data-checked') === 'true' ? 'true' : 'false',
});

const listKind = (element: Element): Attributes => ({
  'data-type': attribute(element, 'data-type') === 'taskList' ? 'taskList' : undefined,
});

const readers: Record<string, (element: Element) => Reading> = {
  p: text('p'),
  h1: text('h1'),
  h2: text('h2'),
  h3: text('h3'),
  h4: text('h3'),
  h5: text('h3'),
  h6: text('h3'),
  ul: (element) => block('ul', 'blocks', 'items', listKind(element)),
  ol: (element) => block('ol', 'blocks', 'items', { start: wholeNumber(element, 'start', [0, 9999], 1) }),
  li: (element) => block('li', 'items', 'blocks', checkedState(element)),
  blockquote: () => block('blockquote', 'blocks', 'blocks'),
  table: () => block('table', 'blocks', 'rows'),
  tr: () => block('tr', 'rows', 'cells'),
  td: cell('td'),
  th: cell('th'),
  hr: () => ({ kind: 'rule', tag: 'hr', attributes: {} }),
  img: picture,
  br: () => ({ kind: 'break' }),
  strong: () => mark('strong'),
  b: () => mark('strong'),
  em: () => mark('em'),
  i: () => mark('em'),
  u: () => mark('u'),
  ins: (element) => drafted('ins', element) ?? mark('u'),
  s: () => mark('s'),
  del: (element) => drafted('del', element) ?? mark('s'),
  strike: () => mark('s'),
  sub: () => mark('sub'),
  sup: () => mark('sup'),
  mark: highlight,
  span: (element) => markOfDraft(element) ?? colored(element),
  a: link,
};

const nameSet = (names: string) => new Set(names.split(' '));

/** Programs, styles, foreign documents and form fields. Their content is not meant to be read. */
const unread = nameSet(
  'script style template iframe frame frameset object embed applet svg math canvas audio video noscript noembed ' +
    'noframes textarea select option button input title head meta link base xmp plaintext portal fencedframe',
);

const divisions = nameSet(
  'address article aside caption center dd details dialog dir div dl dt fieldset figcaption figure footer form header ' +
    'hgroup legend main menu nav pre search section summary',
);

/** Returns what an element means in a report. */
export const readElement = (element: Element): Reading => {
  const { tagName, namespaceURI } = element;
  if (unread.has(tagName) || namespaceURI !== 'http://www.w3.org/1999/xhtml') return nothing;
  if (Object.hasOwn(readers, tagName)) return readers[tagName]?.(element) ?? wrapper;
  return divisions.has(tagName) ? division : wrapper;
};
