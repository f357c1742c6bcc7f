import { compileMessage } from '@lingui/message-utils/compileMessage';
import { parseSync, type Plugin } from 'vite';

type Node = { type: string; start: number; end: number; [key: string]: unknown };

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value;

/** Finds the `message` literals of the descriptors that the macros of Lingui write. */
const messagesIn = (program: Node): Node[] => {
  const found: Node[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!isNode(node)) return;
    if (node.type === 'ObjectExpression') {
      const properties = (node.properties as Node[]).filter(({ type }) => type === 'Property');
      const named = new Map(properties.map(({ key, value }) => [(key as Node).name, value as Node]));
      const message = named.get('message');
      if (named.has('id') && typeof message?.value === 'string') found.push(message);
    }
    Object.values(node).forEach(visit);
  };
  visit(program);
  return found;
};

/**
 * Compiles the English sentences of the source during the build. The browser then needs no message parser, and English
 * needs no catalog.
 */
export const compileMessages = (): Plugin => ({
  name: 'compile-messages',
  enforce: 'pre',
  transform: {
    filter: { code: '/*i18n*/' },
    handler(code, id) {
      const { program } = parseSync(
        id
          .replace(/\?.*$/, '')
          .replace(/\.ts$/, '.js')
          .replace(/\.tsx$/, '.jsx'),
        code,
      );
      let compiled = code;
      for (const { start, end, value } of messagesIn(program as never).toReversed()) {
        if (!/[{}'#\\<]/.test(value as string)) continue;
        compiled = `${compiled.slice(0, start)}${JSON.stringify(compileMessage(value as string))}${compiled.slice(end)}`;
      }
      return { code: compiled, map: null };
    },
  },
});
