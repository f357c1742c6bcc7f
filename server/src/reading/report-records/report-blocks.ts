import type { ReportBlock } from '@radwork/contract/reading/report-check-text';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';

type Node = DefaultTreeAdapterTypes.ChildNode;

const isTextBlock = (tag: string) => /^(?:p|h[1-6])$/.test(tag);

/**
 * Returns the headings and paragraphs of a stored report in reading order. The editor splits the same text into the
 * same blocks (web/src/reading/editor/reading/report-blocks.ts), so that positions match.
 */
export const blocksOfHtml = (html: string): ReportBlock[] => {
  const blocks: ReportBlock[] = [];
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (!('tagName' in node)) continue;
      if (isTextBlock(node.tagName)) blocks.push({ text: textOf(node), isHeading: node.tagName.startsWith('h') });
      else visit(node.childNodes);
    }
  };
  // The depth is limited, because stored HTML was rebuilt (report-html.ts).
  visit(parseFragment(html).childNodes);
  return blocks;
};

const textOf = (node: Node): string => {
  if ('value' in node) return node.value;
  if (!('tagName' in node)) return '';
  // Each inline element without text counts as one character, as in the editor.
  const isEmptyPart = node.tagName === 'span' && node.childNodes.length === 0;
  return node.tagName === 'br' || isEmptyPart ? '\n' : node.childNodes.map(textOf).join('');
};
