import { join } from 'node:path';
import { transformAsync } from '@babel/core';
import macros from '@lingui/babel-plugin-lingui-macro';
import { getConfig } from '@lingui/conf';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { parseSync, type Plugin } from 'vite';
import { type Node, visitNodes } from './syntax-tree.ts';

/** Returns the text of a property if it is a literal. */
const literalOf = ({ value }: Node): string => {
  const { value: text } = value as { value?: unknown };
  return typeof text === 'string' ? text : '';
};

/** Returns the message descriptors that the macros of Lingui produce: objects with an `id` and a `message`. */
const descriptorsIn = (program: Node): { id: Node; message: Node }[] => {
  const descriptors: { id: Node; message: Node }[] = [];
  visitNodes(program, (node) => {
    if (node.type !== 'ObjectExpression') return;
    const properties = (node.properties as Node[]).filter(({ type }) => type === 'Property');
    const propertiesByName = new Map(properties.map((property) => [(property.key as Node).name, property]));
    const [id, message] = [propertiesByName.get('id'), propertiesByName.get('message')];
    if (id && message && literalOf(message)) descriptors.push({ id, message });
  });
  return descriptors;
};

/** Whether a message contains only text and plain values ("Signed by {name}"), without plurals or ICU quotes. */
const isPlain = (message: string): boolean => /^(?:[^{}'#\\]|\{\w+\}|(?<=\w)'(?=\w))*$/.test(message);

/**
 * Returns the key of a message in the catalogs of the browser. A plain English sentence is its own key, so scripts
 * contain each sentence only once. A message with a plural or a context uses the ID that Lingui computes.
 */
export const keyOf = (id: string, message: string): string =>
  isPlain(message) && id === generateMessageId(message) ? message : id;

/** Compiles the English sentences in the code that the macros have produced. */
const compiled = (code: string, file: string): string => {
  const { program } = parseSync(file, code);
  let text = code;
  for (const { id, message } of descriptorsIn(program as never).toReversed()) {
    const [identifier, sentence] = [literalOf(id), literalOf(message)];
    const key = keyOf(identifier, sentence);
    const parts = [
      { at: id, written: `id: ${JSON.stringify(key)}` },
      { at: message, written: key === sentence ? '' : `message: ${JSON.stringify(compileMessage(sentence))}` },
    ];
    for (const { at, written } of parts.toSorted((one, other) => other.at.start - one.at.start)) {
      const end = written === '' && text[at.end] === ',' ? at.end + 1 : at.end;
      text = text.slice(0, at.start) + written + text.slice(end);
    }
  }
  return text;
};

const linguiConfig = getConfig({ configPath: join(import.meta.dirname, '../lingui.config.ts') });

/**
 * Converts the macros of Lingui to calls and compiles their English sentences. The browser then needs no message
 * parser, and English needs no catalog. Uses Babel for the macros, because the native tools of Lingui install only
 * where npm itself runs on Node 22.
 */
export const compileMessages = (): Plugin => ({
  name: 'compile-messages',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/, code: /from '@lingui\/(?:core|react)\/macro'/ },
    async handler(code, file) {
      const result = await transformAsync(code, {
        filename: file,
        babelrc: false,
        configFile: false,
        sourceMaps: true,
        parserOpts: { plugins: ['typescript', 'jsx'] },
        plugins: [[macros, { descriptorFields: 'message', linguiConfig }]],
      });
      return { code: compiled(result?.code ?? code, file), map: JSON.stringify(result?.map) };
    },
  },
});
