/** A node of a syntax tree (ESTree). */
export type Node = { type: string; start: number; end: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Visits a node and all nodes below it, parents first. */
export const visitNodes = (node: unknown, onNode: (node: Node) => void): void => {
  if (Array.isArray(node)) return node.forEach((each) => visitNodes(each, onNode));
  if (!isNode(node)) return;
  onNode(node);
  Object.values(node).forEach((value) => visitNodes(value, onNode));
};
