import type pg from 'pg';
import { ConfigError } from '#core/config.ts';
import { sequencesOf, type Table, tablesOf } from './database-facts.ts';
import { knownColumns, knownSequences } from './known-tables.ts';

/** What a database is made of that is in its backup. */
export type Shape = { tables: readonly Table[]; sequences: readonly { name: string }[] };

export const shapeOf = async (client: pg.ClientBase): Promise<Shape> => ({
  tables: await tablesOf(client),
  sequences: await sequencesOf(client),
});

/** What of one is not in the other, in words. The order of columns is that in which they came, which may differ. */
export const beyond = (one: Shape, other: Shape): string[] => {
  const columnsOf = new Map(other.tables.map(({ name, columns }) => [name, new Set(columns)]));
  const sequences = new Set(other.sequences.map(({ name }) => name));
  return [
    ...one.tables.flatMap(({ name, columns }) => {
      const known = columnsOf.get(name);
      if (!known) return [`table ${name}`];
      return columns.filter((column) => !known.has(column)).map((column) => `column ${name}.${column}`);
    }),
    ...one.sequences.filter(({ name }) => !sequences.has(name)).map(({ name }) => `sequence ${name}`),
  ];
};

const known: Shape = {
  tables: Object.entries(knownColumns).map(([name, columns]) => ({ name, columns: columns.split(' ') })),
  sequences: knownSequences.map((name) => ({ name })),
};

/**
 * A restore makes the tables that the migrations make, and there is no place in them for anything else: that is known now,
 * and not on the day when the backup is needed. Throws a ConfigError that names what is too much or not there.
 */
export const assertOwnTables = async (client: pg.ClientBase): Promise<void> => {
  const actual = await shapeOf(client);
  const [strange, lacking] = [beyond(actual, known), beyond(known, actual)];
  const faults = [
    ...(strange.length > 0
      ? [
          `It has what Radwork has not made: ${strange.join(', ')}.
Move your own tables into a schema of their own (alter table … set schema …), and keep your own columns in such tables.`,
        ]
      : []),
    ...(lacking.length > 0 ? [`It lacks what Radwork has made: ${lacking.join(', ')}. Put that back.`] : []),
  ];
  if (faults.length === 0) return;
  throw new ConfigError(
    `No backup was made, because it could not be restored: somebody has changed the tables of the database.\n${faults.join('\n')}`,
  );
};
