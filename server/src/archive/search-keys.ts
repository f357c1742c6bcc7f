import { matchRange } from '@radwork/dicom/dicom-date';
import { entryOf } from '@radwork/dicom/dictionary';
import { isUid } from '@radwork/dicom/uid';
import { type RawBuilder, sql } from 'kysely';
import { malformed } from '#core/problem.ts';
import { holdsText } from '#core/search-text.ts';
import type { Query } from './query.ts';

/** What is searched for; the conditions of a level hold for those below it as well. */
export type Level = 'studies' | 'series' | 'instances';

type Condition = RawBuilder<boolean>;
type Key = { level: Level; isText?: boolean; condition: (value: string, keyword: string) => Condition };

/** What a search asks for: conditions on the joined tables, and whether studies are to be found by their text. */
export type Matching = { conditions: Condition[]; isByText: boolean; unsupported: string[] };

const depth: Record<Level, number> = { studies: 0, series: 1, instances: 2 };

/** Parameters that say how to answer and not what to look for. */
const notKeys = new Set(['limit', 'offset', 'includefield', 'accept']);

/**
 * The conditions of a query (PS3.18 §8.3.4). Keys are keywords or tags; those that are not supported at this level
 * are reported and left out. Throws 400 for a value that its key cannot have.
 */
export const matchingOf = (query: Query, level: Level): Matching => {
  const matching: Matching = { conditions: [], isByText: false, unsupported: [] };
  for (const [name, given] of Object.entries(query)) {
    const value = given.join('\\');
    if (notKeys.has(name) || (name === 'fuzzymatching' && value === 'false')) continue;
    const keyword = keywordOf(name, level);
    const key = keys.get(keyword);
    if (!key || depth[key.level] > depth[level]) {
      matching.unsupported.push(name);
    } else if (value !== '') {
      matching.conditions.push(key.condition(value, keyword));
      matching.isByText ||= key.isText ?? false;
    }
  }
  return matching;
};

/** The keyword that a parameter stands for. A study has no modality of its own, but people ask for it by that. */
const keywordOf = (name: string, level: Level): string => {
  const keyword = /^[\da-f]{8}$/i.test(name) ? (entryOf(name.toUpperCase())?.keyword ?? name) : name;
  return keyword === 'Modality' && level === 'studies' ? 'ModalitiesInStudy' : keyword;
};

const uids =
  (column: string) =>
  (value: string, keyword: string): Condition => {
    const list = listOf(value);
    if (!list.every(isUid)) throw malformed(`${keyword} is not a UID or a list of UIDs`);
    return sql`${sql.ref(column)} = any(${list})`;
  };

const listOf = (value: string): string[] => value.split(/[\\,]/).map((one) => one.trim());

const wholeNumber =
  (column: string) =>
  (value: string, keyword: string): Condition => {
    if (!/^-?\d{1,9}$/.test(value.trim())) throw malformed(`${keyword} is not a number`);
    return sql`${sql.ref(column)} = ${Number(value)}`;
  };

const codes =
  (column: string) =>
  (value: string): Condition =>
    sql`${sql.ref(column)} = any(${listOf(value).map((code) => code.toUpperCase())})`;

const days =
  (column: string) =>
  (value: string, keyword: string): Condition => {
    const range = matchRange(value);
    if (!range) throw malformed(`${keyword} is not a date such as 20261121, or a range such as 20261101-20261121`);
    const { from = '0001-01-02', to } = range;
    const begins = sql<boolean>`${sql.ref(column)} >= ${from}::timestamp`;
    return to ? sql`(${begins} and ${sql.ref(column)} < ${to}::date + 1)` : begins;
  };

/** A value in which "*" stands for any text and "?" for any one character, whatever the case (PS3.4 §C.2.2.2.4). */
const likePattern = (value: string): string =>
  value
    .replaceAll(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');

const text =
  (column: string) =>
  (value: string): Condition =>
    sql`lower(${sql.ref(column)}) like lower(${likePattern(value)})`;

/** Pieces shorter than this are in no trigram, so that no index finds them. */
const shortestPiece = 3;

/** A text that the search text of a study holds as well: its index finds the few studies that are then looked at. */
const searchable =
  (column: string, condition: (column: string) => (value: string) => Condition) =>
  (value: string): Condition => {
    const pieces = value.split(/[*?^=]/).filter((piece) => piece.length >= shortestPiece);
    const found = pieces.map((piece) => holdsText('studies.search_text', piece));
    return sql`(${sql.join([...found, condition(column)(value)], sql` and `)})`;
  };

/** Any of the spellings of a name may match, which "=" divides. */
const personName =
  (column: string) =>
  (value: string): Condition => {
    const pattern = likePattern(value);
    const patterns = [pattern, `${pattern}=%`, `%=${pattern}`, `%=${pattern}=%`];
    return sql`lower(${sql.ref(column)}) like any(array(select lower(pattern) from unnest(${patterns}::text[]) pattern))`;
  };

const modalitiesInStudy = (value: string): Condition => sql`exists (
  select from study_modalities m
  where m.study_id = studies.id and m.modality = any(${listOf(value).map((code) => code.toUpperCase())}))`;

const keys = new Map<string, Key>([
  ['StudyInstanceUID', { level: 'studies', condition: uids('studies.study_instance_uid') }],
  ['StudyDate', { level: 'studies', condition: days('studies.study_date') }],
  ['AccessionNumber', { level: 'studies', isText: true, condition: searchable('studies.accession_number', text) }],
  ['PatientName', { level: 'studies', isText: true, condition: searchable('studies.patient_name', personName) }],
  ['PatientID', { level: 'studies', isText: true, condition: searchable('studies.patient_identifier', text) }],
  ['StudyDescription', { level: 'studies', isText: true, condition: searchable('studies.study_description', text) }],
  ['ReferringPhysicianName', { level: 'studies', condition: personName('studies.referring_physician_name') }],
  ['StudyID', { level: 'studies', condition: text('studies.scanner_study_id') }],
  ['ModalitiesInStudy', { level: 'studies', condition: modalitiesInStudy }],
  ['SeriesInstanceUID', { level: 'series', condition: uids('series.series_instance_uid') }],
  ['Modality', { level: 'series', condition: codes('series.modality') }],
  ['SeriesNumber', { level: 'series', condition: wholeNumber('series.series_number') }],
  ['SeriesDescription', { level: 'series', condition: text('series.series_description') }],
  ['BodyPartExamined', { level: 'series', condition: text('series.body_part_examined') }],
  ['SOPInstanceUID', { level: 'instances', condition: uids('instances.sop_instance_uid') }],
  ['SOPClassUID', { level: 'instances', condition: uids('instances.sop_class_uid') }],
  ['InstanceNumber', { level: 'instances', condition: wholeNumber('instances.instance_number') }],
]);
