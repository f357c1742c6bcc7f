import type { DefaultTreeAdapterTypes } from 'parse5';
import type { Picture } from './embedded-images.ts';

/** A node of a pdfmake document. pdfmake writes measures into it, so a node must not be used twice. */
export type Content = { [property: string]: unknown };

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

export const isElement = (node: Node): node is Element => 'tagName' in node;

/** Available width and text size in points, the images, and whether the text is in a list or table. */
export type LayoutContext = {
  width: number;
  size: number;
  pictures: ReadonlyMap<string, Picture>;
  /** Whether paragraphs have no space between them, as in lists and cells. */
  isTight: boolean;
  /** Number of tables in which the text is nested. */
  tables: number;
};

export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((candidate) => candidate.name === name)?.value;

/** Returns a property of a style attribute that html-writer.ts has written. */
export const style = (element: Element, property: string): string | undefined => {
  const declarations = (attribute(element, 'style') ?? '').split(';').map((part) => part.split(':', 2));
  const [, value] = declarations.find(([name]) => name?.trim() === property) ?? [];
  return value?.trim();
};

/** Returns the text of an element, with a space between blocks. */
export const textOf = (node: Node): string => {
  if (isElement(node)) return node.childNodes.map(textOf).join(isBlock(node) ? ' ' : '');
  return 'value' in node ? node.value : '';
};

const inlineTags = new Set(['ins', 'del', 'a', 'mark', 'span', 'strong', 'em', 'u', 's', 'sub', 'sup', 'br']);

export const isBlock = (node: Node): boolean => isElement(node) && !inlineTags.has(node.tagName);

/** Returns the sources of the images in an element. */
export const picturesIn = (nodes: readonly Node[]): string[] =>
  nodes.filter(isElement).flatMap((element) => {
    const source = element.tagName === 'img' ? attribute(element, 'src') : undefined;
    return [...(source ? [source] : []), ...picturesIn(element.childNodes)];
  });
