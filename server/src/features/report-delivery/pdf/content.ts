import type { DefaultTreeAdapterTypes } from 'parse5';
import type { Picture } from './pictures.ts';

/** A node of a document as pdfmake reads it; it writes its measures into it, so that none may be used twice. */
export type Content = { [property: string]: unknown };

export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

export const isElement = (node: Node): node is Element => 'tagName' in node;

/** Where something is to stand: how much room there is (in points), how large its words are, and what surrounds it. */
export type Place = {
  width: number;
  size: number;
  pictures: ReadonlyMap<string, Picture>;
  /** Inside of lists and cells paragraphs stand without room between them. */
  isTight: boolean;
  /** How many tables it is in. */
  tables: number;
};

export const attribute = ({ attrs }: Element, name: string): string | undefined =>
  attrs.find((candidate) => candidate.name === name)?.value;

/** One property of an element's style attribute, which was written by html-writer.ts. */
export const style = (element: Element, property: string): string | undefined => {
  const declarations = (attribute(element, 'style') ?? '').split(';').map((part) => part.split(':', 2));
  const [, value] = declarations.find(([name]) => name?.trim() === property) ?? [];
  return value?.trim();
};

/** The words in an element, with a blank between those of different blocks. */
export const textOf = (node: Node): string => {
  if (isElement(node)) return node.childNodes.map(textOf).join(isBlock(node) ? ' ' : '');
  return 'value' in node ? node.value : '';
};

const inlineTags = new Set(['ins', 'del', 'a', 'mark', 'span', 'strong', 'em', 'u', 's', 'sub', 'sup', 'br']);

export const isBlock = (node: Node): boolean => isElement(node) && !inlineTags.has(node.tagName);

/** The pictures in an element, by their sources. */
export const picturesIn = (nodes: readonly Node[]): string[] =>
  nodes.filter(isElement).flatMap((element) => {
    const source = element.tagName === 'img' ? attribute(element, 'src') : undefined;
    return [...(source ? [source] : []), ...picturesIn(element.childNodes)];
  });
