import type { ExtractedMessage, ExtractorType } from '@lingui/conf';
import { type Node, visitNodes } from './syntax-tree.ts';

/**
 * Quotes characters that ICU would read as a value: apostrophes, and the braces of merge fields such as
 * `{{patient.name}}`.
 */
const quoted = (sentence: string): string => sentence.replaceAll("'", "''").replace(/\{\{[^{}]*\}\}/g, "'$&'");

const nameOf = (node: unknown): unknown => (node as { name?: unknown } | undefined)?.name;

const sentenceTags = new Set<unknown>(['t', 'sentence']);
const pluralCalls = new Set<unknown>(['plural', 'pluralSentence']);

/** Converts a template literal to a message: "The study is locked by {0}." */
const sentenceOf = (template: Node): string =>
  (template.quasis as { value: { cooked: string } }[])
    .map(({ value }) => value.cooked)
    .reduce((sentence, part, at) => `${sentence}{${at - 1}}${part}`);

/** Returns the ICU message of the object in `plural(count, { one, other })`. */
const pluralOf = (sentences: Node | undefined): string => {
  const properties = ((sentences?.properties ?? []) as Node[]).map(({ key, value }) => {
    const literal = value as { value?: unknown };
    return [nameOf(key), literal.value] as const;
  });
  const { one, other } = Object.fromEntries(properties) as { one?: string; other?: string };
  if (one === undefined || other === undefined) throw new Error('The sentences of `plural` must be literals.');
  return `{0, plural, one {${one}} other {${other}}}`;
};

/** Returns the messages and labels in parsed source. The markers of contract/src/core/translate.ts identify them. */
export const textsIn = (program: unknown): { key: string; message: string; at: number }[] => {
  const texts: { key: string; message: string; at: number }[] = [];
  visitNodes(program, (node) => {
    if (node.type === 'TaggedTemplateExpression' && sentenceTags.has(nameOf(node.tag))) {
      const key = sentenceOf(node.quasi as Node);
      texts.push({ key, message: quoted(key), at: node.start });
    }
    if (node.type === 'CallExpression' && pluralCalls.has(nameOf(node.callee))) {
      const message = pluralOf((node.arguments as Node[])[1]);
      texts.push({ key: message, message, at: node.start });
    }
    if (node.type === 'CallExpression' && nameOf(node.callee) === 'translated') {
      for (const { value, start } of ((node.arguments as Node[])[0]?.properties ?? []) as Node[]) {
        const label = (value as { value?: unknown }).value;
        if (typeof label === 'string') texts.push({ key: label, message: quoted(label), at: start });
      }
    }
    if (node.type === 'Property' && nameOf(node.key) === 'actions') {
      for (const group of ((node.value as Node).properties ?? []) as Node[]) {
        const labels = ((group.value as Node).properties ?? []) as Node[];
        for (const { value } of [{ value: group.key }, ...labels]) {
          const label = (value as { value?: unknown; name?: unknown }).value ?? nameOf(value);
          if (typeof label === 'string') texts.push({ key: label, message: quoted(label), at: group.start });
        }
      }
    }
  });
  return texts;
};

/** Extracts the messages of the contract and the server for `npm run messages`. */
export const textExtractor: ExtractorType = {
  match: (filename) =>
    /\/(contract|server)\/src\/.*\.ts$/.test(filename) && !/\.test\.|\/translate\.ts$/.test(filename),
  extract: async (filename, source, onMessageExtracted) => {
    // Imported here and not at the top. Lingui loads its configuration as CommonJS, which cannot import Vite at the
    // top.
    const { parseSync } = await import('vite');
    for (const { key, message, at } of textsIn(parseSync(filename, source).program)) {
      const line = source.slice(0, at).split('\n').length;
      const extracted: ExtractedMessage = { id: key, message, origin: [filename, line, 0], placeholders: {} };
      onMessageExtracted(extracted);
    }
  },
};
