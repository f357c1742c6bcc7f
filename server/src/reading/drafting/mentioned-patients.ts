import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { foldedWord } from './folded-word.ts';
import { isUnspaced, runs, titles } from './names-in-text.ts';
import type { Stretch } from './stretch.ts';

/**
 * A possible name or identifier: the two parts of its key (`mention_key`, migration 0095), and where it is in the text.
 */
type Mention = { a: string; b: string; stretches: Stretch[] };
type Word = Stretch & { run: string };

/**
 * The second part of a name is searched among this many next words: up to two middle names or a title may come before
 * it.
 */
const wordsApart = 3;
/** Minimum and maximum number of letters of full names in scripts without spaces. */
const [shortestUnspaced, longestUnspaced] = [2, 6];

const wordsOf = (text: string): Word[] =>
  Array.from(text.matchAll(runs), ({ index, 0: run }) => ({ run, from: index, to: index + run.length }));

/** Returns the spellings of a word, and those without a genitive ending: "Doe's", "Müllers". */
const spellingsOf = (run: string): string[] => {
  const bare = run.replace(/['’‘ʼ`]\p{L}{1,4}$/u, '');
  return [...new Set([run, bare, run.replace(/s$/i, '')])].filter((word) => word.length > 1);
};

const fullNames = (words: readonly Word[]): Mention[] =>
  words.flatMap((word, at) =>
    words.slice(at + 1, at + 1 + wordsApart).flatMap((other, between) => {
      const initials = words.slice(at + 1, at + 1 + between).filter(({ run }) => run.length === 1);
      const stretches = [word, ...initials, other].map(({ from, to }) => ({ from, to }));
      return spellingsOf(word.run).flatMap((a) => spellingsOf(other.run).map((b) => ({ a, b, stretches })));
    }),
  );

const unspacedNames = (words: readonly Word[]): Mention[] =>
  words
    .filter(({ run }) => isUnspaced.test(run))
    .flatMap(({ run, from }) => {
      const letters = Array.from(run.matchAll(/\P{M}\p{M}*/gu), ({ index, 0: letter }) => ({
        from: from + index,
        to: from + index + letter.length,
      }));
      return letters.flatMap((first, at) =>
        letters.slice(at + shortestUnspaced - 1, at + longestUnspaced).map((last) => ({
          a: run.slice(first.from - from, last.to - from),
          b: '',
          stretches: [{ from: first.from, to: last.to }],
        })),
      );
    });

/** Finds words with digits and grouped numbers: "MR-4711", "MR 4711", "4711 0815". */
const identifiers = (text: string): Mention[] =>
  [
    /[\p{L}\p{N}]+(?:[._/-][\p{L}\p{N}]+)*/gu,
    /(?<![\p{L}\p{N}])(?:\p{L}{1,6}|\p{N}{2,}) \p{N}{2,}(?: \p{N}{2,}){0,2}(?!\p{N})/gu,
  ]
    .flatMap((pattern) => Array.from(text.matchAll(pattern)))
    .filter(([match]) => /\p{N}/u.test(match))
    .map(({ index, 0: match }) => ({ a: '#', b: match, stretches: [{ from: index, to: index + match.length }] }));

export const mentionsIn = (text: string): Mention[] => {
  const words = wordsOf(text);
  const names = words.filter(({ run }) => !/\p{N}/u.test(run));
  return [...fullNames(names), ...unspacedNames(names), ...identifiers(text)];
};

const keyOf = ({ a, b }: Pick<Mention, 'a' | 'b'>): string => `${a}\u0000${b}`;

/** Number of keys in one scan of the GIN index, because the time of a scan increases with the square of this number. */
const keysAtOnce = sql.lit(200);

/** Selects the keys that name a patient of the tenant. The database converts both sides with the same function. */
export const mentionedKeys = (mentions: readonly Pick<Mention, 'a' | 'b'>[]) => sql<Pick<Mention, 'a' | 'b'>>`
  with asked as materialized (
    select a, b, mention_key(a, b) as key
    from unnest(${mentions.map(({ a }) => a)}::text[], ${mentions.map(({ b }) => b)}::text[]) as pairs (a, b)),
  numbered as (select key, row_number() over () as n from (select distinct key from asked where key is not null) as one),
  lists as materialized (select array_agg(key) as keys from numbered group by n / ${keysAtOnce}),
  known as materialized (
    select distinct key from lists join patient_mentions on mention_keys && keys cross join unnest(mention_keys) as key)
  select a, b from asked where key in (select key from known)`;

/**
 * Selects the keys with sequential scans turned off. Otherwise the planner, which misjudges overlapping arrays, would
 * read all patients of a small table.
 */
const byIndex = async ({ db }: Scope, mentions: Parameters<typeof mentionedKeys>[0]) => {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(db);
  const { rows } = await mentionedKeys(mentions).execute(db);
  await sql`select set_config('enable_seqscan', 'on', true)`.execute(db);
  return rows;
};

/**
 * Finds patients of the tenant whom a text names by full name or identifier, even if they have no connection with the
 * study. Words are looked up in an index, so no list of patients is read. A family name alone counts only after a
 * title, and only if a text also contains the full name. Otherwise it may be an ordinary noun, such as Stone.
 */
export const findMentioned = async (scope: Scope, texts: readonly string[]): Promise<(text: string) => Stretch[]> => {
  const mentions = new Map(texts.flatMap(mentionsIn).map(({ a, b }) => [keyOf({ a, b }), { a, b }]));
  const naming = mentions.size === 0 ? [] : await byIndex(scope, [...mentions.values()]);
  if (naming.length === 0) return () => [];
  const keys = new Set(naming.map(keyOf));
  const words = new Set(naming.filter(({ a }) => a !== '#').flatMap(({ a, b }) => [a, b].map(foldedWord)));
  return (text) => [
    ...mentionsIn(text)
      .filter((mention) => keys.has(keyOf(mention)))
      .flatMap(({ stretches }) => stretches),
    ...behindTitles(text, words),
  ];
};

const behindTitles = (text: string, words: ReadonlySet<string>): Stretch[] => {
  const all = wordsOf(text);
  return all
    .filter(({ run }, at) => {
      const before = all[at - 1];
      if (!before || !titles.has(foldedWord(before.run))) return false;
      return spellingsOf(run).some((word) => words.has(foldedWord(word)));
    })
    .map(({ from, to }) => ({ from, to }));
};
