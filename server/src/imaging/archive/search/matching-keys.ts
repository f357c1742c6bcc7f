import { t } from '@radwork/contract/core/translate';
import { matchRange } from '@radwork/dicom/dicom-date';
import { entryOf } from '@radwork/dicom/dictionary';
import { malformed } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import type { Query } from '#imaging/archive/dicomweb/query-parameters.ts';
import {
  anyWholeNumber,
  codes,
  type Condition,
  days,
  type Matcher,
  modalitiesInStudy,
  modalityOfSeries,
  ofPatient,
  patientId,
  patientName,
  personName,
  requestOfSeries,
  searchableText,
  sopClassesInStudy,
  text,
  uids,
  wholeNumber,
} from './search-conditions.ts';
import { momentConditions, momentsOfDays } from './search-times.ts';

/** The searched level. Conditions on a higher level also apply to this level. */
export type Level = 'studies' | 'series' | 'instances';

/** How a key is matched. A list key may be repeated. Text of studies is searched through a view. */
type Key = { level: Level; matcher: Matcher; takesList?: boolean; isText?: boolean };

/** SQL conditions of a search on the joined tables, and whether it searches the text of studies. */
export type Matching = {
  conditions: Condition[];
  isByText: boolean;
  /** The study list that gives the same result, if there is one. */
  list?: StudyList | undefined;
  /** Keywords of the search. Each result also contains their values. */
  keywords: string[];
  unsupported: string[];
};

/** Studies from a start time to before an end time, of one modality or any. */
export type DatedList = { from: string; before: string; modality?: string };
/** Studies of patients whose names start with this text. */
export type NamedList = { nameBeginning: string };
export type StudyList = DatedList | NamedList;

const depth: Record<Level, number> = { studies: 0, series: 1, instances: 2 };

/** Returns whether results of the searched level contain attributes of `level`. */
export const isWithin = (level: Level, searched: Level): boolean => depth[level] <= depth[searched];

/** Parameters that shape the answer. They are no search keys. */
const notKeys = new Set([
  'limit',
  'offset',
  'includefield',
  'accept',
  'fuzzymatching',
  'emptyvaluematching',
  'multiplevaluematching',
]);

/**
 * Returns the conditions of a query (PS3.18 §8.3.4). Keys are keywords or tags. A key within a sequence is written
 * after the key of the sequence and a dot. Reports and ignores keys that this level does not support. Throws 400 for an
 * invalid value or a repeated key.
 */
export const matchingOf = (query: Query, level: Level, caller?: Session): Matching => {
  const requestedKeys = new Map<string, string>();
  const matching: Matching = { conditions: [], isByText: false, keywords: [], unsupported: [] };
  for (const [name, values] of Object.entries(query)) {
    if (notKeys.has(name)) continue;
    const keyword = keyOf(name, level);
    const key = keys.get(keyword);
    const keyLevel = key?.level ?? moments.get(keyword)?.level ?? (requestKeys.has(keyword) ? 'series' : undefined);
    if (keyLevel === undefined || !isWithin(keyLevel, level)) matching.unsupported.push(name);
    else addKey(requestedKeys, keyword, singleValue(keyword, values, key?.takesList));
  }
  const isFuzzy = isTrue(query, 'fuzzymatching');
  for (const [keyword, value] of requestedKeys) {
    matching.keywords.push(keyword);
    const key = keys.get(keyword);
    if (!key || isUniversal(value)) continue;
    matching.conditions.push(key.matcher(value, keyword, { isFuzzy, caller }));
    matching.isByText ||= key.isText ?? false;
  }
  matching.conditions.push(...momentConditionsOf(requestedKeys), ...requestConditionsOf(requestedKeys));
  return { ...matching, list: level === 'studies' ? listRequested(requestedKeys, isFuzzy) : undefined };
};

/**
 * Adds a key and its value. A key may appear twice, as keyword and tag or under two names, if the value is the same.
 */
const addKey = (requestedKeys: Map<string, string>, keyword: string, value: string) => {
  if ((requestedKeys.get(keyword) ?? value) !== value) throw malformed(t`${keyword} appears more than once`);
  requestedKeys.set(keyword, value);
};

/**
 * Returns the study list that gives the same result. Undefined unless the search has only days and one modality, or
 * only the start of a name.
 */
const listRequested = (requestedKeys: ReadonlyMap<string, string>, isFuzzy: boolean): StudyList | undefined => {
  const { StudyDate, ModalitiesInStudy, PatientName, ...others } = Object.fromEntries(
    Array.from(requestedKeys).filter(([, value]) => !isUniversal(value)),
  );
  if (Object.keys(others).length > 0) return undefined;
  if (PatientName !== undefined) {
    const isNameAlone = StudyDate === undefined && ModalitiesInStudy === undefined && !isFuzzy;
    const [, nameBeginning] = /^([^*?=]{3,})\*$/.exec(PatientName.trim()) ?? [];
    return isNameAlone && nameBeginning !== undefined ? { nameBeginning } : undefined;
  }
  if (ModalitiesInStudy === undefined) return momentsOfDays(StudyDate);
  const isOneModality = !/[*?,\\]/.test(ModalitiesInStudy);
  return isOneModality ? { ...momentsOfDays(StudyDate), modality: ModalitiesInStudy.trim().toUpperCase() } : undefined;
};

/**
 * An empty value, or a value that consists only of wildcards, matches everything, including missing values (PS3.4
 * §C.2.2.2.3).
 */
const isUniversal = (value: string): boolean => /^\**$/.test(value.trim());

const singleValue = (keyword: string, values: readonly string[], takesList = false): string => {
  if (values.length > 1 && !takesList) throw malformed(t`${keyword} appears more than once`);
  return values.join(',');
};

/** Returns whether a boolean parameter is true. Throws 400 unless it is "true" or "false". */
export const isTrue = (query: Query, name: string): boolean => {
  const [value = 'false', ...more] = query[name] ?? [];
  if (more.length > 0 || !['true', 'false', ''].includes(value)) throw malformed(t`${name} must be true or false`);
  return value === 'true';
};

/** Converts a dotted path of keywords or tags to keywords, for example "00400275.00400009". */
export const keywordPath = (path: string): string =>
  path
    .split('.')
    .map((name) => (/^[\da-f]{8}$/i.test(name) ? (entryOf(name.toUpperCase())?.keyword ?? name) : name))
    .join('.');

/** A study has no modality, but clients search for studies with this key. */
const keyOf = (name: string, level: Level): string => {
  const keyword = keywordPath(name);
  return keyword === 'Modality' && level === 'studies' ? 'ModalitiesInStudy' : keyword;
};

/** Dates and times stored as one timestamp column. */
const momentPairs = [
  {
    level: 'studies',
    column: 'studies.study_date',
    isKnown: 'studies.is_study_time_known',
    date: 'StudyDate',
    time: 'StudyTime',
  },
  {
    level: 'series',
    column: 'series.performed_at',
    isKnown: 'series.is_performed_time_known',
    date: 'PerformedProcedureStepStartDate',
    time: 'PerformedProcedureStepStartTime',
  },
] as const;
const moments = new Map<string, (typeof momentPairs)[number]>(
  momentPairs.flatMap((pair) => [
    [pair.date, pair],
    [pair.time, pair],
  ]),
);

const momentConditionsOf = (requestedKeys: ReadonlyMap<string, string>): Condition[] =>
  momentPairs.flatMap(({ column, isKnown, date, time }) => {
    const valueOf = (name: string) => {
      const value = requestedKeys.get(name) ?? '';
      return { name, value: isUniversal(value) ? '' : value };
    };
    return momentConditions({ column, isKnown, date: valueOf(date), time: valueOf(time) });
  });

const requestKeys = new Map<string, Matcher>([
  ['RequestAttributesSequence.ScheduledProcedureStepID', text('series_requests.scheduled_procedure_step_id')],
  ['RequestAttributesSequence.RequestedProcedureID', text('series_requests.requested_procedure_id')],
]);

const requestConditionsOf = (requestedKeys: ReadonlyMap<string, string>): Condition[] => {
  const conditions = Array.from(requestKeys, ([keyword, matcher]) => {
    const value = requestedKeys.get(keyword) ?? '';
    return isUniversal(value) ? [] : [matcher(value, keyword, { isFuzzy: false })];
  }).flat();
  return conditions.length > 0 ? [requestOfSeries(conditions)] : [];
};

const study = (matcher: Matcher, more: Partial<Key> = {}): Key => ({ level: 'studies', matcher, ...more });
const series = (matcher: Matcher, more: Partial<Key> = {}): Key => ({ level: 'series', matcher, ...more });
const instance = (matcher: Matcher, more: Partial<Key> = {}): Key => ({ level: 'instances', matcher, ...more });

const keys = new Map<string, Key>([
  ['StudyInstanceUID', study(uids('studies.study_instance_uid'), { takesList: true })],
  ['AccessionNumber', study(searchableText('studies.accession_number'), { isText: true })],
  ['PatientName', study(patientName, { isText: true })],
  ['PatientID', study(patientId, { isText: true })],
  ['IssuerOfPatientID', study(ofPatient(text('patients.issuer')))],
  ['PatientBirthDate', study(ofPatient(days('patients.date_of_birth', matchRange)))],
  ['PatientSex', study(ofPatient(codes('patients.gender')))],
  ['StudyDescription', study(searchableText('studies.study_description'), { isText: true })],
  ['ReferringPhysicianName', study(personName('studies.folded_referring_physician_name'), { isText: true })],
  ['StudyID', study(text('studies.scanner_study_id'))],
  ['ModalitiesInStudy', study(modalitiesInStudy, { takesList: true })],
  ['SOPClassesInStudy', study(sopClassesInStudy, { takesList: true })],
  ['SeriesInstanceUID', series(uids('series.series_instance_uid'), { takesList: true })],
  ['Modality', series(modalityOfSeries, { takesList: true })],
  ['SeriesNumber', series(anyWholeNumber('series.series_number', 'series.long_series_number'))],
  ['SeriesDescription', series(text('series.series_description'))],
  ['BodyPartExamined', series(text('series.body_part_examined'))],
  ['SOPInstanceUID', instance(uids('instances.sop_instance_uid'), { takesList: true })],
  ['SOPClassUID', instance(uids('instances.sop_class_uid'), { takesList: true })],
  ['InstanceNumber', instance(wholeNumber('instances.instance_number'))],
]);
