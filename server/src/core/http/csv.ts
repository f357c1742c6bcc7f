import { Readable } from 'node:stream';
import { byteOrderMark, csvOf } from '@radwork/contract/core/csv';
import { t } from '@radwork/contract/core/translate';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { malformed } from './problem.ts';

export type CsvRow = (string | number)[];

type CsvFile = {
  /** Name of the file without its extension. */
  name: string;
  heading: CsvRow;
  /** Yields the rows in portions, so that no transaction stays open while a slow client reads. */
  portions: AsyncIterable<CsvRow[]>;
};

/** Sends rows as a CSV file while they are read. Formulas are escaped (contract/src/core/csv.ts). */
export const sendCsv = (reply: FastifyReply, { name, heading, portions }: CsvFile) =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(Readable.from(linesOf(heading, portions)));

async function* linesOf(heading: CsvRow, portions: AsyncIterable<CsvRow[]>) {
  yield byteOrderMark + csvOf([heading]);
  for await (const rows of portions) yield csvOf(rows);
}

type Portions<T> = {
  /** Maximum number of exported items. `found` has one more if more items match. */
  most: number;
  /** Number of items that are read at a time. */
  size?: number;
  /** Returns the rows of some items, without those that the caller may no longer read. */
  read: (items: T[]) => Promise<CsvRow[]>;
  /** Last line of an export that is cut. `limit` is the formatted number of exported items. */
  cutLine: (limit: string) => string;
};

/** Reads the found items in portions, and adds a line if more items match. */
export async function* portionsOf<T>(
  found: readonly T[],
  { most, size = 100, read, cutLine }: Portions<T>,
): AsyncGenerator<CsvRow[]> {
  const items = found.slice(0, most);
  for (let from = 0; from < items.length; from += size) yield await read(items.slice(from, from + size));
  if (found.length > most) yield [[cutLine(new Intl.NumberFormat('en').format(most))]];
}

/** Returns the name of a file with the current day, without its extension: "patients-2026-11-30". */
export const namedByDay = (name: string): string => `${name}-${new Date().toISOString().slice(0, 10)}`;

/** Parses the query of a stream. An empty parameter counts as absent. Throws 400 with the first error. */
export const streamQuery = <T extends z.ZodType>(schema: T, { query }: FastifyRequest): z.output<T> => {
  const parameters = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== '');
  const { data, error, success } = schema.safeParse(Object.fromEntries(parameters));
  if (!success) throw malformed(error.issues[0]?.message ?? t`Invalid request data`);
  return data;
};
