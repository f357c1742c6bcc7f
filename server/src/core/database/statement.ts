import { CompiledQuery, type QueryExecutorProvider, type Transaction } from 'kysely';
import { preparedMark, type Schema } from './database.ts';

type Built<Row> = { compile: (db: QueryExecutorProvider) => CompiledQuery<Row> };

/** A placeholder for a value when a statement is built. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Creates a statement for frequent use. It is built and compiled once, and each connection keeps it prepared. Without
 * this, building and compiling would take as long as sending. `build` receives placeholders and may only insert the
 * placeholders as values. Anything that `build` computes from a placeholder would be computed only once. Use this only
 * when one plan is good for all values, as with `prepared`. The statement returns the rows.
 */
export const statement = <Values extends Record<string, unknown>, Row>(
  build: (db: Transaction<Schema>, places: Values) => Built<Row>,
): ((db: Transaction<Schema>, values: Values) => Promise<Row[]>) => {
  let known: { text: string; take: (values: Values) => unknown[] } | undefined;

  const compiled = (db: Transaction<Schema>) => {
    const places = new Proxy({} as Values, { get: (_, name) => new Place(String(name)) });
    const { sql, parameters } = build(db, places).compile(db);
    const take = (values: Values) =>
      parameters.map((parameter) => (parameter instanceof Place ? values[parameter.name] : parameter));
    return { text: `${sql}${preparedMark}`, take };
  };

  return async (db, values) => {
    known ??= compiled(db);
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(known.text, known.take(values)));
    return rows;
  };
};
