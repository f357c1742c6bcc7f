import type pg from 'pg';
import { ConfigError } from '#core/config.ts';
import { sequencesOf, type Table, tablesOf } from './database-facts.ts';
import { knownColumns, knownSequences } from './known-tables.ts';

/** What one list of tables has that the other has not, in words. The order of columns is that of the years they came in. */
const beyond = (tables: readonly Table[], others: readonly Table[]): string[] => {
  const columnsOf = new Map(others.map(({ name, columns }) => [name, new Set(columns)]));
  return tables.flatMap(({ name, columns }) => {
    const known = columnsOf.get(name);
    if (!known) return [`table ${name}`];
    return columns.filter((column) => !known.has(column)).map((column) => `column ${name}.${column}`);
  });
};

/** How tables differ from those that are expected, in words; nothing where they do not. */
export const differences = (tables: readonly Table[], expected: readonly Table[]) => ({
  strange: beyond(tables, expected),
  lacking: beyond(expected, tables),
});

const ownTables: Table[] = Object.entries(knownColumns).map(([name, columns]) => ({
  name,
  columns: columns.split(' '),
}));

/**
 * A restore makes the tables that the migrations make, and there is no place in them for anything else: that is known now,
 * and not on the day when the backup is needed. Throws a ConfigError that names what is too much or not there.
 */
export const assertOwnTables = async (client: pg.ClientBase): Promise<void> => {
  const { strange, lacking } = differences(await tablesOf(client), ownTables);
  const sequences = (await sequencesOf(client)).map(({ name }) => name);
  strange.push(...sequences.filter((name) => !knownSequences.includes(name)).map((name) => `sequence ${name}`));
  lacking.push(...knownSequences.filter((name) => !sequences.includes(name)).map((name) => `sequence ${name}`));
  const faults = [
    ...(strange.length > 0
      ? [
          `It has what Radwork has not made: ${strange.join(', ')}. Move your own tables into a schema of their own (alter table …
set schema …), and keep your own columns in them.`,
        ]
      : []),
    ...(lacking.length > 0 ? [`It lacks what Radwork has made: ${lacking.join(', ')}. Put that back.`] : []),
  ];
  if (faults.length === 0) return;
  throw new ConfigError(
    `There is no backup, because it could not be restored: somebody has changed the tables of the database.\n${faults.join('\n')}`,
  );
};
