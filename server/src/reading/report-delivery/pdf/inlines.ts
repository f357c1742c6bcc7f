import { attribute, type Content, type Element, isElement, type Node, type LayoutContext, style } from './content.ts';
import { breakable, runsOf } from './fonts.ts';

/** Formatting of text for pdfmake. */
type Look = {
  bold?: boolean;
  italics?: boolean;
  sub?: boolean;
  sup?: boolean;
  decoration?: string[];
  color?: string;
  background?: string;
  link?: string;
  /** Whether the paragraph runs from right to left. */
  isRightToLeft?: boolean;
};

/** Converts the text of a paragraph and its formatting. Of unknown elements, the text is kept. */
export const inlinesOf = (nodes: readonly Node[], place: LayoutContext, look: Look = {}): Content[] =>
  nodes.flatMap((node) => {
    if (!isElement(node)) return 'value' in node ? wordsOf(node.value, place, look) : [];
    if (node.tagName === 'br') return [{ text: '\n' }];
    const inner = inlinesOf(node.childNodes, place, { ...look, ...lookOf(node, look) });
    const proposed = proposals[node.tagName];
    return proposed ? [...wordsOf(`[${proposed}: `, place), ...inner, ...wordsOf(']', place)] : inner;
  });

/**
 * Words that mark open proposals in a draft. Lines would be ambiguous, because the writer may also underline or strike
 * out text.
 */
const proposals: Record<string, string> = { ins: 'drafted by AI', del: 'to be replaced' };

/** Splits a text by the fonts that contain its characters. */
export const wordsOf = (
  text: string,
  { width, size }: Pick<LayoutContext, 'width' | 'size'>,
  look: Look = {},
): Content[] => runsOf(breakable(text.replaceAll(/[\t\n\r ]+/g, ' '), width, size)).map((run) => ({ ...run, ...look }));

const lookOf = (element: Element, { decoration = [] }: Look): Look => {
  switch (element.tagName) {
    case 'strong':
      return { bold: true };
    case 'em':
      return { italics: true };
    case 'u':
      return { decoration: [...decoration, 'underline'] };
    case 's':
    case 'del':
      return { decoration: [...decoration, 'lineThrough'] };
    case 'sub':
      return { sub: true };
    case 'sup':
      return { sup: true };
    case 'mark':
      return colored('background', style(element, 'background-color'));
    case 'span':
      return colored('color', style(element, 'color'));
    case 'a':
      return { decoration: [...decoration, 'underline'], ...linked(attribute(element, 'href')) };
    default:
      return {};
  }
};

const colored = (what: 'color' | 'background', value: string | undefined): Look =>
  value && /^#[0-9a-f]{6}$/.test(value) ? { [what]: value } : {};

const linked = (address: string | undefined): Look =>
  address && /^(https?|mailto|tel):/.test(address) ? { link: address } : {};
