import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';

/** The views in which the entries of atlas and guidelines are searched. */
export type SearchView = 'atlas_search' | 'guideline_search';

export type TextQuery = { q?: string | undefined; page: number; size: number };

const containsWord = (column: string, word: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} like fold_text(${`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`})`;

const allOf = (column: string, words: readonly string[]): RawBuilder<boolean> =>
  words.length === 0
    ? sql`true`
    : sql`${sql.join(
        words.map((word) => containsWord(column, word)),
        sql` and `,
      )}`;

/**
 * Finds texts with all typed words, without case and accents. Matches in the title come first, then the newest. Returns
 * one page of ids, and the total.
 */
export const findTexts = async (
  { db }: Scope,
  view: SearchView,
  { q = '', page, size }: TextQuery,
): Promise<{ ids: string[]; total: number }> => {
  const words = q.split(/\s+/).filter((word) => word !== '');
  const matching = sql`from ${sql.table(view)} where ${allOf('search_text', words)}`;
  const counted = await sql<{ total: number }>`select count(*)::int as total ${matching}`.execute(db);
  const inTitle = words.length === 0 ? sql`` : sql`(${allOf('folded_title', words)}) desc,`;
  const matchingIds = await sql<{ id: string }>`
    select id ${matching}
    order by ${inTitle} created_at desc, id desc limit ${size} offset ${page * size}`.execute(db);
  return { ids: matchingIds.rows.map(({ id }) => id), total: counted.rows[0]?.total ?? 0 };
};
