// Reads the comments, test titles and visible strings of a source file.
import { parseSync } from 'vite';

/** Comments for a tool, not for a reader. */
const directive = /^(?:eslint|oxlint|oxfmt|@ts-|@vite|@__|#__|webpack|c8|v8|istanbul|\/ <reference|! )/;

const testCalls = new Set(['test', 'it', 'describe']);

/** Attributes whose text a user reads. */
const visibleAttributes = new Set([
  'label',
  'title',
  'description',
  'placeholder',
  'aria-label',
  'alt',
  'error',
  'failed',
]);

const lineOf = (source, at) => source.slice(0, at).split('\n').length;

/** Lines that follow each other with `//` are one comment. */
const mergedComments = (source, comments) => {
  const merged = [];
  for (const { type, value, start, end } of comments) {
    const last = merged.at(-1);
    const isNext = type === 'Line' && last?.type === 'Line' && /^\s*$/.test(source.slice(last.end, start));
    if (isNext && source.slice(last.end, start).split('\n').length === 2) {
      Object.assign(last, { value: `${last.value}\n${value}`, end });
    } else merged.push({ type, value, start, end });
  }
  return merged;
};

const plain = (comment) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*?\s?/, ''))
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The name a call begins with: `test` of `test.each(rows)('…')`. */
const headOf = (callee) => {
  let head = callee;
  while (head && head.type !== 'Identifier') head = head.object ?? head.callee ?? head.tag;
  return head?.name;
};

const textOf = (node) => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('…');
  return undefined;
};

/**
 * Returns the texts of the children of `<Trans>` as one sentence. The text of an element stays, but its tags do not.
 */
const sentenceIn = (children) =>
  children
    .map((child) => {
      if (child.type === 'JSXText') return child.value;
      if (child.type === 'JSXElement') return sentenceIn(child.children);
      return textOf(child.expression) ?? '…';
    })
    .join('');

const isTrans = (node) => node.type === 'JSXElement' && node.openingElement.name.name === 'Trans';

const visit = (node, found) => {
  if (Array.isArray(node)) return node.forEach((each) => visit(each, found));
  if (!node || typeof node !== 'object') return undefined;
  if (node.type === 'CallExpression' && testCalls.has(headOf(node.callee))) {
    const title = textOf(node.arguments[0]);
    if (title !== undefined) found.push({ kind: 'test title', at: node.arguments[0].start, text: title });
  }
  const add = (at, text) => text && found.push({ kind: 'string', at, text: text.replaceAll(/\s+/g, ' ').trim() });
  if (isTrans(node)) {
    add(node.start, sentenceIn(node.children));
    return undefined;
  }
  if (node.type === 'TaggedTemplateExpression' && node.tag.name === 't') add(node.start, textOf(node.quasi));
  if (node.type === 'CallExpression' && ['plural', 'translated'].includes(node.callee.name)) {
    for (const { value, start } of node.arguments.at(-1)?.properties ?? []) add(start, textOf(value));
  }
  if (node.type === 'JSXAttribute' && ['one', 'other'].includes(node.name.name)) add(node.start, textOf(node.value));
  if (node.type === 'JSXText' && node.value.trim()) {
    found.push({ kind: 'string', at: node.start, text: node.value.replaceAll(/\s+/g, ' ').trim() });
  }
  if (node.type === 'JSXAttribute' && visibleAttributes.has(node.name.name)) {
    const text = textOf(node.value?.type === 'JSXExpressionContainer' ? node.value.expression : node.value);
    if (text) found.push({ kind: 'string', at: node.start, text });
  }
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') visit(value, found);
  return undefined;
};

const ofStyles = (source) =>
  [...source.matchAll(/\/\*([\s\S]*?)\*\//g)].map(({ 1: value, index }) => ({
    kind: 'comment',
    at: index,
    text: plain(value),
  }));

/** `[{ kind, line, text }]` of a source file, its lines counted from 1. */
export const readTexts = (name, source) => {
  const found = [];
  if (name.endsWith('.css')) found.push(...ofStyles(source));
  else {
    const { program, comments } = parseSync(name, source);
    for (const { value, start } of mergedComments(source, comments)) {
      const text = plain(value);
      if (/[a-z]{2}/i.test(text) && !directive.test(text)) found.push({ kind: 'comment', at: start, text });
    }
    visit(program.body, found);
  }
  return found.map(({ kind, at, text }) => ({ kind, line: lineOf(source, at), text }));
};
