import { knownLanguageOf } from '@radwork/contract/reading/report-language';
import { sectionAtStart, sectionOfHeading } from '@radwork/contract/reading/report-sections';
import type { TextLanguage } from '@radwork/contract/reading/report-search';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { blocksOfHtml } from './report-blocks.ts';

/** Text search configurations of PostgreSQL (migrations/0123_report_texts.sql). It has none for the other languages. */
export const configurationOf: Record<TextLanguage, string> = {
  en: 'radwork_english',
  es: 'radwork_spanish',
  fr: 'radwork_french',
  de: 'radwork_german',
  it: 'radwork_italian',
  pt: 'radwork_portuguese',
  zh: 'simple',
  other: 'simple',
};

/** A searchable part of a report: 0 is the text of the report, and n is its n-th signed addendum. */
export type TextPart = {
  part: number;
  language: TextLanguage;
  /** The words in reading order, as `searchable` writes them. */
  text: string;
  /** The same words in two parts: `body` is everything except the impression. */
  body: string;
  impression: string;
};

/** A control character that divides words. Reports have none (html-writer.ts). */
const divider = '\u0006';

/**
 * Characters to separate from adjacent words. The parser of PostgreSQL takes "L4/L5" for a path and "<b and >" for a
 * tag. In a database without a locale, it takes each sign beyond ASCII for a letter. It does not separate Chinese
 * words.
 */
const signs = /[[^\p{L}\p{N}\p{M}]--[\0-\x7f]]|\p{Script=Han}|[\/<>@]|&/gv;

/** Prepares a text for the parser of PostgreSQL. `asWritten` restores it. */
export const searchable = (text: string): string =>
  text.normalize('NFC').replaceAll(divider, ' ').replaceAll(signs, `${divider}$&${divider}`);

export const asWritten = (prepared: string): string => prepared.replaceAll(divider, '');

/** Prepares a search in the way of a text. Adjacent Han characters become a phrase. Other signs only separate words. */
export const searchableQuery = (text: string): string =>
  text
    .normalize('NFC')
    .replaceAll(/[“”„«»]/g, '"')
    .split('"')
    // Between quotation marks, the words are a phrase already.
    .map((piece, index) => (index % 2 === 1 ? piece : piece.replaceAll(/\p{Script=Han}{2,}/gu, '"$&"')))
    .join('"')
    .replaceAll(signs, (sign) => (/\p{Script=Han}/u.test(sign) ? ` ${sign} ` : ' '))
    // A space after the minus would end the exclusion.
    .replaceAll(/(?<=(?:^|\s)-"?) +/g, '');

type StoredPart = { part: number; content: string; corrects: number | null; passage: string };

/** Returns the searchable parts of a report, without the passages that its corrections replace. */
export const textPartsOf = (stored: readonly StoredPart[]): TextPart[] =>
  stored.map(({ part, content }) => {
    const passages = stored.filter(({ corrects }) => corrects === part).map(({ passage }) => passage);
    const lines = linesOf(content);
    const join = (some: readonly Line[]) => without(some.map(({ text }) => text).join('\n'), passages);
    const text = join(lines);
    return {
      part,
      language: knownLanguageOf(text) ?? 'other',
      text: searchable(text),
      body: searchable(join(lines.filter(({ isImpression }) => !isImpression))),
      impression: searchable(join(lines.filter(({ isImpression }) => isImpression))),
    };
  });

type Line = { text: string; isImpression: boolean };

const linesOf = (html: string): Line[] => {
  let isImpression = false;
  return blocksOfHtml(html).map(({ text }) => {
    const section = sectionOfHeading(text) ?? sectionAtStart(text)?.section;
    if (section) isImpression = section === 'impression';
    return { text, isImpression };
  });
};

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Removes passages. In a quoted passage, one space stands for any white space (reports/quoted-passage.ts). */
const without = (text: string, passages: readonly string[]): string =>
  passages.length === 0
    ? text
    : passages.reduce((kept, passage) => kept.replaceAll(spaced(passage), '…'), spaced(text));

/** Reads the text of a report and of its signed addenda. */
export const storedParts = async ({ db }: Pick<Scope, 'db'>, reportIds: readonly string[]) => {
  const texts = await db
    .selectFrom('reports')
    .select(['id as reportId', 'content'])
    .where('id', 'in', reportIds)
    .execute();
  const addenda = await db
    .selectFrom('report_addenda')
    .select(['report_id as reportId', 'number as part', 'content', 'corrects', 'passage'])
    .where('report_id', 'in', reportIds)
    .where('finalized_at', 'is not', null)
    .$narrowType<{ part: number }>()
    .orderBy('number')
    .execute();
  return new Map(
    texts.map(({ reportId, content }) => [
      reportId,
      [
        { part: 0, content, corrects: null, passage: '' },
        ...addenda.filter((addendum) => addendum.reportId === reportId),
      ],
    ]),
  );
};

/**
 * Writes the words of reports and their signed addenda into the index of the text search. Call it in the transaction that
 * changes a text.
 */
export const indexReports = async (scope: Pick<Scope, 'db'>, reportIds: readonly string[]): Promise<void> => {
  if (reportIds.length === 0) return;
  const parts = await storedParts(scope, reportIds);
  await scope.db.deleteFrom('report_texts').where('report_id', 'in', reportIds).execute();
  for (const [reportId, stored] of parts) {
    await scope.db
      .insertInto('report_texts')
      .values(
        textPartsOf(stored).map(({ part, language, body, impression }) => {
          const configuration = configurationOf[language];
          return {
            report_id: reportId,
            part,
            language,
            document: sql<string>`setweight(to_tsvector(${configuration}::regconfig, ${body}), 'D')
              || setweight(to_tsvector(${configuration}::regconfig, ${impression}), 'A')`,
          };
        }),
      )
      .execute();
  }
};
