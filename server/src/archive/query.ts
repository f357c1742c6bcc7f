import { isUtf8 } from 'node:buffer';

/** Parameters by name, each with all the values it was given. */
export type Query = Readonly<Record<string, readonly string[]>>;

/** The parameters of an address, as Fastify has parsed it. */
export const queryOf = (query: unknown): Query =>
  Object.fromEntries(
    Object.entries(typeof query === 'object' && query !== null ? query : {}).map(([name, value]) => [
      name,
      [value].flat().map(String),
    ]),
  );

/** Whether all that is percent-encoded in an address is in UTF-8 (RFC 3986 §2.5). What is not is no text to whoever parses it. */
export const isInUtf8 = (address: string): boolean =>
  (address.match(/(?:%[\da-f]{2})+/gi) ?? []).every((run) => isUtf8(Buffer.from(run.replaceAll('%', ''), 'hex')));
