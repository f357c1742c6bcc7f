import { CompiledQuery, type QueryExecutorProvider, type Transaction } from 'kysely';
import { preparedMark, type Schema } from './database.ts';

type Built<Row> = { compile: (db: QueryExecutorProvider) => CompiledQuery<Row> };

/** Stands where a value belongs while a statement is put together. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that runs for every file or frame, in a text that is put together once and kept by each connection: to
 * build and compile one anew takes as long as to send it. `build` gets places for the values and may only put them where
 * values stand: what it computed from them would be computed once. Like `prepared`, it is for what has one good plan
 * whatever the values. Returns the rows.
 */
export const statement = <Values extends Record<string, unknown>, Row>(
  build: (db: Transaction<Schema>, places: Values) => Built<Row>,
): ((db: Transaction<Schema>, values: Values) => Promise<Row[]>) => {
  let known: { text: string; take: (values: Values) => unknown[] } | undefined;

  const compiled = (db: Transaction<Schema>) => {
    const places = new Proxy({} as Values, { get: (_, name) => new Place(String(name)) });
    const { sql, parameters } = build(db, places).compile(db);
    const take = (values: Values) => parameters.map((one) => (one instanceof Place ? values[one.name] : one));
    return { text: `${sql}${preparedMark}`, take };
  };

  return async (db, values) => {
    known ??= compiled(db);
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(known.text, known.take(values)));
    return rows;
  };
};
