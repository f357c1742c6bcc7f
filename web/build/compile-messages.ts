import { compileMessage } from '@lingui/message-utils/compileMessage';
import { generateMessageId } from '@lingui/message-utils/generateMessageId';
import { parseSync, type Plugin } from 'vite';

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Returns the text of a property that is a literal, else nothing. */
const literalOf = ({ value }: Node): string => {
  const { value: text } = value as { value?: unknown };
  return typeof text === 'string' ? text : '';
};

/** Returns the descriptors that the macros of Lingui write: objects with an `id` and a `message`. */
const descriptorsIn = (program: Node): { id: Node; message: Node }[] => {
  const found: { id: Node; message: Node }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node.type === 'ObjectExpression') {
      const properties = (node.properties as Node[]).filter(({ type }) => type === 'Property');
      const named = new Map(properties.map((property) => [(property.key as Node).name, property]));
      const [id, message] = [named.get('id'), named.get('message')];
      if (id && message && literalOf(message)) found.push({ id, message });
    }
    Object.values(node).forEach(visit);
  };
  visit(program);
  return found;
};

/** Tells whether a message has at most plain values ("Signed by {name}"): no plural and no quotation of ICU. */
const isPlain = (message: string): boolean => /^(?:[^{}'#\\]|\{\w+\}|(?<=\w)'(?=\w))*$/.test(message);

/**
 * Returns the key of a message in the catalogs of the browser. A plain English sentence is its own key, so the scripts
 * carry it once. A message with a plural or a context has the identifier that Lingui computes.
 */
export const keyOf = (id: string, message: string): string =>
  isPlain(message) && id === generateMessageId(message) ? message : id;

/**
 * Compiles the English sentences of the source during the build. The browser then needs no message parser, and English
 * needs no catalog.
 */
export const compileMessages = (): Plugin => ({
  name: 'compile-messages',
  enforce: 'pre',
  transform: {
    filter: { code: '/*i18n*/' },
    handler(code, file) {
      const name = file
        .replace(/\?.*$/, '')
        .replace(/\.ts$/, '.js')
        .replace(/\.tsx$/, '.jsx');
      const { program } = parseSync(name, code);
      let compiled = code;
      for (const { id, message } of descriptorsIn(program as never).toReversed()) {
        const [identifier, sentence] = [literalOf(id), literalOf(message)];
        const key = keyOf(identifier, sentence);
        const parts = [
          { at: id, text: `id: ${JSON.stringify(key)}` },
          { at: message, text: key === sentence ? '' : `message: ${JSON.stringify(compileMessage(sentence))}` },
        ];
        for (const { at, text } of parts.toSorted((one, other) => other.at.start - one.at.start)) {
          const end = text === '' && compiled[at.end] === ',' ? at.end + 1 : at.end;
          compiled = compiled.slice(0, at.start) + text + compiled.slice(end);
        }
      }
      return { code: compiled, map: null };
    },
  },
});
