import type pg from 'pg';
import { ConfigError } from '#core/config/config-error.ts';
import { knownColumns, knownSequences } from '#core/database/schema.ts';
import { sequencesOf, type Table, tablesOf } from './database-facts.ts';

/** The parts of a database that belong to a backup. */
export type Shape = { tables: readonly Table[]; sequences: readonly { name: string }[] };

export const shapeOf = async (client: pg.ClientBase): Promise<Shape> => ({
  tables: await tablesOf(client),
  sequences: await sequencesOf(client),
});

/** Names everything in `one` that is missing in `other`. Ignores the order of columns, which may differ. */
export const namesMissingIn = (one: Shape, other: Shape): string[] => {
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
 * Checks that the database has exactly the tables that the migrations create. A backup with other tables could not be
 * restored, and operators must learn this before they need the backup. Throws a ConfigError that names extra and
 * missing parts.
 */
export const assertOwnTables = async (client: pg.ClientBase): Promise<void> => {
  const actual = await shapeOf(client);
  const [unknown, lacking] = [namesMissingIn(actual, known), namesMissingIn(known, actual)];
  const faults = [
    ...(unknown.length > 0
      ? [
          `Not part of Radwork: ${unknown.join(', ')}.
Move your own tables and columns into another schema (alter table … set schema …).`,
        ]
      : []),
    ...(lacking.length > 0 ? [`Missing: ${lacking.join(', ')}. Restore them.`] : []),
  ];
  if (faults.length === 0) return;
  throw new ConfigError(
    `No backup was made, because it could not be restored: the tables of the database were changed.\n${faults.join('\n')}`,
  );
};
