import type { ReportBlock } from '@radwork/contract/report-check-text';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

const isTextBlock = (tag: string) => /^(?:p|h[1-6])$/.test(tag);

/**
 * The headings and paragraphs of a stored report, in the order in which they are read. The editor takes the same text for
 * the same blocks (web/src/editor/report-blocks.ts), so that a place in one is that place in the other.
 */
export const blocksOfHtml = (html: string): ReportBlock[] => {
  const blocks: ReportBlock[] = [];
  const walk = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue;
      if (isTextBlock(node.tagName)) blocks.push({ text: textOf(node), isHeading: node.tagName.startsWith('h') });
      else walk(node.childNodes);
    }
  };
  // What is stored was rebuilt (report-html.ts), which bounds its depth.
  walk(parseFragment(html).childNodes);
  return blocks;
};

const textOf = (node: Node): string => {
  if ('value' in node) return node.value;
  if (!('tagName' in node)) return '';
  return node.tagName === 'br' ? '\n' : node.childNodes.map(textOf).join('');
};
