import { t } from '@radwork/contract/core/translate';
import { defaultTreeAdapter, type DefaultTreeAdapterMap, type TreeAdapter } from 'parse5';
import { invalid } from '#core/http/problem.ts';

/** Limits in bytes, elements and levels. Ten thousand characters with tables and images need far less. */
const limits = { html: 5_000_000, markup: 256 * 1024, nodes: 20_000, depth: 64 };

const tooComplex = () => invalid({ content: t`The report is too complex. Simplify its tables and formatting.` });

/** Base64 data of images. They take the parser little time. */
const pictures = /data:image\/[a-z]+;base64,[A-Za-z0-9+/=]+/g;

/** Refuses HTML before parsing if it is larger than a report can be. */
export const assertParsable = (html: string): void => {
  if (Buffer.byteLength(html) > limits.html) throw invalid({ content: t`The report is larger than 5 MB` });
  if (html.replaceAll(pictures, '').length > limits.markup) throw tooComplex();
};

/**
 * Limits the size of the parsed tree. A short text with unclosed formatting can make the parser create millions of
 * elements.
 */
export const boundedTree = (): TreeAdapter<DefaultTreeAdapterMap> => {
  let nodes = 0;
  const count = () => {
    if (++nodes > limits.nodes) throw tooComplex();
  };
  return {
    ...defaultTreeAdapter,
    createElement: (...element) => {
      count();
      return defaultTreeAdapter.createElement(...element);
    },
    insertText: (...text) => {
      count();
      defaultTreeAdapter.insertText(...text);
    },
    insertTextBefore: (...text) => {
      count();
      defaultTreeAdapter.insertTextBefore(...text);
    },
  };
};

export const assertShallow = (depth: number): void => {
  if (depth > limits.depth) throw tooComplex();
};
