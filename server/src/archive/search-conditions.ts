import { isUid } from '@radwork/dicom/uid';
import { type RawBuilder, sql } from 'kysely';
import { malformed } from '#core/problem.ts';
import { holdsFolded } from '#core/search-text.ts';

export type Condition = RawBuilder<boolean>;

/** Makes the condition of a key out of what it is asked to be. Throws 400 for a value that the key cannot have. */
export type Matcher = (value: string, keyword: string, options: { isFuzzy: boolean }) => Condition;

const listOf = (value: string): string[] => value.split(/[\\,]/).map((one) => one.trim());

/** Any of a list of UIDs (PS3.4 §C.2.2.2.2). */
export const uids =
  (column: string): Matcher =>
  (value, keyword) => {
    const list = listOf(value);
    if (!list.every(isUid)) throw malformed(`${keyword} is not a UID or a list of UIDs`);
    return sql`${sql.ref(column)} = any(${list})`;
  };

export const wholeNumber =
  (column: string): Matcher =>
  (value, keyword) => {
    if (!/^\s*[+-]?\d{1,10}\s*$/.test(value)) throw malformed(`${keyword} is not a whole number`);
    return sql`${sql.ref(column)} = ${Number(value)}::bigint`;
  };

/** Any of a list of codes, in which wildcards may stand; all codes are in upper case. */
export const codes =
  (column: string): Matcher =>
  (value) => {
    const list = listOf(value.toUpperCase());
    return hasWildcard(value)
      ? sql`${sql.ref(column)} like any(${list.map(likePattern)})`
      : sql`${sql.ref(column)} = any(${list})`;
  };

/** A date alone, with no time beside it. */
export const days =
  (column: string, rangeOf: (value: string) => { from?: string; to?: string } | undefined): Matcher =>
  (value, keyword) => {
    const range = rangeOf(value);
    if (!range) throw malformed(`${keyword} is not a date such as 19700101, or a range such as 19700101-19791231`);
    const { from = '0001-01-01', to = '9999-12-31' } = range;
    return sql`${sql.ref(column)} between ${from}::date and ${to}::date`;
  };

const hasWildcard = (value: string): boolean => /[*?]/.test(value);

/** A value in which "*" stands for any text and "?" for any one character (PS3.4 §C.2.2.2.4). */
const likePattern = (value: string): string =>
  value
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

/** Text other than a name is matched as it is written: IDs that differ in case may be of two people (PS3.4 §C.2.2.2.1). */
export const text =
  (column: string): Matcher =>
  (value) =>
    hasWildcard(value)
      ? sql`${sql.ref(column)} like ${likePattern(value.trim())}`
      : sql`${sql.ref(column)} = ${value.trim()}`;

/** Pieces shorter than this are in no trigram, so that no index finds them. */
const shortestPiece = 3;

/**
 * Text that the search text of a study holds as well: its index finds the few studies that a pattern is tried on. A
 * space at its end would be looked for behind the last word.
 */
export const searchableText =
  (column: string): Matcher =>
  (value, ...rest) => {
    const condition = text(column)(value, ...rest);
    if (!hasWildcard(value)) return condition;
    const pieces = value
      .trim()
      .split(/[*?]/)
      .filter((piece) => piece.length >= shortestPiece);
    const found = pieces.map((piece) => holdsFolded('studies.search_text', piece));
    return sql`(${sql.join([...found, condition], sql` and `)})`;
  };

/**
 * A name, whatever the case and the accents, in any of its spellings (fold_name of migration 0080). A fuzzy search
 * finds as well who has all the words that were asked for, each at the beginning of a part of the name, in any order.
 */
export const personName =
  (foldedColumn: string): Matcher =>
  (value, _keyword, { isFuzzy }) => {
    const column = sql.ref(foldedColumn);
    const name = withoutEmptySpellings(value.trim());
    if (name === '') return sql`true`;
    const literal = sql<boolean>`${column} like '%' || fold_name(${likePattern(name)}) || '%'`;
    const words = value.split(/[\s^=,*?]+/).filter((word) => word !== '');
    if (!isFuzzy || words.length === 0) return literal;
    return sql`(${literal} or (${sql.join(
      words.flatMap((word) => beginsWord(foldedColumn, word)),
      sql` and `,
    )}))`;
  };

/** Empty spellings at both ends of a name may be left out (PS3.5 §6.2.1.1); those of nothing but "*" match empty ones. */
const withoutEmptySpellings = (name: string): string => {
  const spellings = name.split('=');
  const saysSomething = (spelling: string) => /[^*]/.test(spelling);
  return spellings
    .slice(Math.max(0, spellings.findIndex(saysSomething)), spellings.findLastIndex(saysSomething) + 1)
    .join('=');
};

/** The first condition is what the trigram index answers, the second what is meant. */
const beginsWord = (foldedColumn: string, word: string): Condition[] => {
  const column = sql.ref(foldedColumn);
  const folded = sql`trim(both '=' from fold_name(${likePattern(word)}))`;
  return [
    sql`${column} like '%' || ${folded} || '%'`,
    sql`translate(${column}, '=^-''', '    ') like '% ' || ${folded} || '%'`,
  ];
};

/** The patients for whom something holds, in a condition on their studies. */
export const ofPatient =
  (matcher: Matcher): Matcher =>
  (...asked) =>
    sql`studies.patient_id in (select patients.id from patients where ${matcher(...asked)})`;

/**
 * A patient ID; of a patient without one it is the ID that they are known by here. One that a patient had before a
 * merge finds them too, under the ID that they have now: whoever asks for priors must not be told that there are none.
 * An array is what an index can be asked with; to join by what is computed goes through all studies.
 */
export const patientId: Matcher = (value, ...rest) =>
  hasWildcard(value)
    ? searchableText('studies.patient_identifier')(value, ...rest)
    : sql`studies.patient_id = any(array(
        select coalesce(patients.merged_into, patients.id) from patients
        where ${text('patients.patient_id')(value, ...rest)}))`;

export const modalitiesInStudy: Matcher = (...asked) => sql`exists (
  select from study_modalities
  where study_modalities.study_id = studies.id and ${codes('study_modalities.modality')(...asked)})`;

export const sopClassesInStudy: Matcher = (...asked) => sql`exists (
  select from instances
  where instances.study_id = studies.id and ${uids('instances.sop_class_uid')(...asked)})`;

/** A modality of a series; that its study has it too is found by an index. */
export const modalityOfSeries: Matcher = (...asked) =>
  sql`(${codes('series.modality')(...asked)} and ${modalitiesInStudy(...asked)})`;

/** Items of a sequence match as a whole: all that is asked of it has to hold of one and the same item (PS3.4 §C.2.2.2.6). */
export const requestOfSeries = (conditions: readonly Condition[]): Condition => sql`exists (
  select from series_requests
  where series_requests.series_id = series.id and ${sql.join(conditions, sql` and `)})`;
