import type { DefaultTreeAdapterTypes } from 'parse5';
import { assertShallow } from '#reading/report-records/html-limits.ts';

/** Nodes of the parsed tree that the functions for MRRT use. */
export type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

export const isElement = (node: Node): node is Element => 'tagName' in node;

export const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((attr) => attr.name === name)?.value.trim() ?? '';

export const has = ({ attrs }: Element, name: string): boolean => attrs.some((attr) => attr.name === name);

/** Throws a Problem for a tree deeper than a report may be. Functions that read the tree afterward are recursive. */
export const assertDepth = (parent: { childNodes: readonly Node[] }): void => {
  const waiting = parent.childNodes.map((node) => ({ node, depth: 1 }));
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { node, depth } = next;
    assertShallow(depth);
    if (isElement(node)) waiting.push(...node.childNodes.map((child) => ({ node: child, depth: depth + 1 })));
  }
};

/** Returns every element below a node, in file order. */
export const elementsIn = (parent: { childNodes: readonly Node[] }): Element[] => {
  const all: Element[] = [];
  // Uses its own stack, because a deep file must not exhaust the call stack.
  const waiting = parent.childNodes.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (!isElement(node)) continue;
    all.push(node);
    waiting.push(...node.childNodes.toReversed());
  }
  return all;
};

const textsIn = (node: Node): string[] => {
  const texts: string[] = [];
  const waiting = [node];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if ('value' in next) texts.push(next.value);
    else if (isElement(next)) waiting.push(...next.childNodes.toReversed());
  }
  return texts;
};

/** Returns the text of an element with single spaces. */
export const wordsOf = (node: Node): string => textsIn(node).join('').replaceAll(/\s+/g, ' ').trim();
