import { isUtf8 } from 'node:buffer';

/** Parameters by name, each with all its values. */
export type Query = Readonly<Record<string, readonly string[]>>;

/** Returns the parameters of a URL that Fastify has parsed. */
export const queryOf = (query: unknown): Query =>
  Object.fromEntries(
    Object.entries(typeof query === 'object' && query !== null ? query : {}).map(([name, value]) => [
      name,
      [value].flat().map(String),
    ]),
  );

/** Returns whether all percent-encoded bytes in a URL are UTF-8 (RFC 3986 §2.5). Other bytes cannot be read as text. */
export const isInUtf8 = (address: string): boolean =>
  (address.match(/(?:%[\da-f]{2})+/gi) ?? []).every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
