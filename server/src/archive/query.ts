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
