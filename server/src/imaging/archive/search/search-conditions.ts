import { t } from '@radwork/contract/core/translate';
import { isUid } from '@radwork/dicom/uid';
import { type RawBuilder, sql } from 'kysely';
import { malformed } from '#core/http/problem.ts';
import { containsFoldedText } from '#core/values/search-text.ts';
import { wholeDigits } from '#imaging/archive/header/column-values.ts';
import { mayKnowPatient } from '#core/access/study-access.ts';

export type Condition = RawBuilder<boolean>;

/**
 * `caller` is set when the caller may not know every patient. Names of patients whom this caller may not know match
 * nothing.
 */
type MatchOptions = { isFuzzy: boolean; caller?: Parameters<typeof mayKnowPatient>[0] | undefined };

/** Creates the condition of a key from its requested value. Throws 400 for an invalid value. */
export type Matcher = (value: string, keyword: string, options: MatchOptions) => Condition;

const listOf = (value: string): string[] => value.split(/[\\,]/).map((one) => one.trim());

/** Matches any of a list of UIDs (PS3.4 §C.2.2.2.2). */
export const uids =
  (column: string): Matcher =>
  (value, keyword) => {
    const list = listOf(value);
    if (!list.every(isUid)) throw malformed(t`${keyword} is not a UID or a list of UIDs`);
    return sql`${sql.ref(column)} = any(${list})`;
  };

export const wholeNumber =
  (column: string): Matcher =>
  (value, keyword) => {
    if (!/^\s*[+-]?\d{1,10}\s*$/.test(value)) throw malformed(t`${keyword} is not a whole number`);
    return sql`${sql.ref(column)} = ${Number(value)}::bigint`;
  };

/** Matches a number that is stored in another column when it does not fit (`longWholeNumber`). */
export const anyWholeNumber =
  (column: string, longColumn: string): Matcher =>
  (value, keyword, options) => {
    const digits = wholeDigits(value);
    return Math.abs(Number(digits)) < 2 ** 31
      ? wholeNumber(column)(digits || value, keyword, options)
      : sql`${sql.ref(longColumn)} = ${digits}`;
  };

/** Matches any of a list of codes, which may contain wildcards. All codes are upper case. */
export const codes =
  (column: string): Matcher =>
  (value) => {
    const list = listOf(value.toUpperCase());
    return hasWildcard(value)
      ? sql`${sql.ref(column)} like any(${list.map(likePattern)})`
      : sql`${sql.ref(column)} = any(${list})`;
  };

/** Matches a date without a time. */
export const days =
  (column: string, rangeOf: (value: string) => { from?: string; to?: string } | undefined): Matcher =>
  (value, keyword) => {
    const range = rangeOf(value);
    if (!range) throw malformed(t`${keyword} is not a date such as 19700101, or a range such as 19700101-19791231`);
    const { from = '0001-01-01', to = '9999-12-31' } = range;
    return sql`${sql.ref(column)} between ${from}::date and ${to}::date`;
  };

const hasWildcard = (value: string): boolean => /[*?]/.test(value);

/** Converts wildcards to SQL: "*" is any text and "?" any single character (PS3.4 §C.2.2.2.4). */
const likePattern = (value: string): string =>
  value
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

/**
 * Matches texts other than names with case, because IDs that differ only in case may belong to two patients (PS3.4
 * §C.2.2.2.1).
 */
export const text =
  (column: string): Matcher =>
  (value) =>
    hasWildcard(value)
      ? sql`${sql.ref(column)} like ${likePattern(value.trim())}`
      : sql`${sql.ref(column)} = ${value.trim()}`;

/** Minimum number of characters. Shorter pieces contain no trigram, so no index can find them. */
const shortestPiece = 3;

/**
 * Matches a text that is also part of the study's search text. The index of the search text finds the studies to check.
 * Trims the value, because a space at its end would not match after the last word.
 */
export const searchableText =
  (column: string): Matcher =>
  (value, ...rest) => {
    const condition = text(column)(value, ...rest);
    if (!hasWildcard(value)) return condition;
    const fragments = value
      .trim()
      .split(/[*?]/)
      .filter((fragment) => fragment.length >= shortestPiece);
    const conditions = fragments.map((fragment) => containsFoldedText('studies.search_text', fragment));
    return sql`(${sql.join([...conditions, condition], sql` and `)})`;
  };

/**
 * Matches a name in any of its spellings, without case and accents (fold_name of migration 0080). A fuzzy search finds
 * names that contain all requested words in any order, each at the start of a part.
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

/**
 * Removes empty spellings at both ends, because they may be left out (PS3.5 §6.2.1.1). A spelling that is only "*" also
 * matches an empty spelling.
 */
const withoutEmptySpellings = (name: string): string => {
  const spellings = name.split('=');
  const saysSomething = (spelling: string) => /[^*]/.test(spelling);
  return spellings
    .slice(Math.max(0, spellings.findIndex(saysSomething)), spellings.findLastIndex(saysSomething) + 1)
    .join('=');
};

/** The first condition uses the trigram index. The second one decides. */
const beginsWord = (foldedColumn: string, word: string): Condition[] => {
  const column = sql.ref(foldedColumn);
  const folded = sql`trim(both '=' from fold_name(${likePattern(word)}))`;
  return [
    sql`${column} like '%' || ${folded} || '%'`,
    sql`translate(${column}, '=^-''', '    ') like '% ' || ${folded} || '%'`,
  ];
};

/** Matches the name of the patient or, while the identity is open, of the other person. */
export const patientName: Matcher = (value, keyword, options) => sql`(
  ${personName('studies.folded_patient_name')(value, keyword, options)} or studies.id = any(array(
    select named.study_id from (
      select q.study_id, fold_name(names.name) as folded_name
      from identity_questions q join patients known on known.id = q.known_patient_id
      cross join lateral (values
        (q.said_name, true),
        (known.patient_name, ${options.caller ? mayKnowPatient(options.caller, 'known.id') : sql`true`})) names (name, is_known)
      where q.state = 'OPEN' and names.is_known) named
    where ${personName('named.folded_name')(value, keyword, options)})))`;

/** Matches studies whose patients meet a condition. */
export const ofPatient =
  (matcher: Matcher): Matcher =>
  (...args) =>
    sql`studies.patient_id in (select patients.id from patients where ${matcher(...args)})`;

/**
 * Matches a Patient ID, or the generated ID of a patient without one. An ID from before a merge finds the patient under
 * the current ID, so that requests for priors find earlier studies. The array lets an index answer; a join on a
 * computed value would read all studies.
 */
export const patientId: Matcher = (value, ...rest) =>
  hasWildcard(value)
    ? searchableText('studies.patient_identifier')(value, ...rest)
    : sql`studies.patient_id = any(array(
        select coalesce(patients.merged_into, patients.id) from patients
        where ${text('patients.patient_id')(value, ...rest)}))`;

export const modalitiesInStudy: Matcher = (...args) => sql`exists (
  select from study_modalities
  where study_modalities.study_id = studies.id and ${codes('study_modalities.modality')(...args)})`;

export const sopClassesInStudy: Matcher = (...args) => sql`exists (
  select from instances
  where instances.study_id = studies.id and ${uids('instances.sop_class_uid')(...args)})`;

/** Matches the modality of a series. The condition on the study lets an index find the study. */
export const modalityOfSeries: Matcher = (...args) =>
  sql`(${codes('series.modality')(...args)} and ${modalitiesInStudy(...args)})`;

/** Matches items of a sequence: one item must meet all conditions (PS3.4 §C.2.2.2.6). */
export const requestOfSeries = (conditions: readonly Condition[]): Condition => sql`exists (
  select from series_requests
  where series_requests.series_id = series.id and ${sql.join(conditions, sql` and `)})`;
