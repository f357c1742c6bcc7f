import { matchRange } from '@radwork/dicom/dicom-date';
import { entryOf } from '@radwork/dicom/dictionary';
import { malformed } from '#core/problem.ts';
import type { Query } from './query.ts';
import {
  codes,
  type Condition,
  days,
  type Matcher,
  modalitiesInStudy,
  modalityOfSeries,
  ofPatient,
  patientId,
  personName,
  requestOfSeries,
  searchableText,
  sopClassesInStudy,
  text,
  uids,
  wholeNumber,
} from './search-conditions.ts';
import { momentConditions, momentsOfDays } from './search-times.ts';

/** What is searched for; the conditions of a level hold for those below it as well. */
export type Level = 'studies' | 'series' | 'instances';

/** How a key is matched. A list key may be given more than once; text of studies is found through their search view. */
type Key = { level: Level; matcher: Matcher; takesList?: boolean; isText?: boolean };

/** What a search asks for: conditions on the joined tables, and whether studies are to be found by their text. */
export type Matching = {
  conditions: Condition[];
  isByText: boolean;
  /** The same as a list of studies, where it is no more than that. */
  list?: StudyList | undefined;
  /** The keywords that are matched: what they are in each result is returned as well. */
  keywords: string[];
  unsupported: string[];
};

/** The studies of a time, from its first moment to before its end, with one modality or any. */
export type DatedList = { from: string; before: string; modality?: string };
/** The studies of people whose names begin so. */
export type NamedList = { nameBeginning: string };
export type StudyList = DatedList | NamedList;

const depth: Record<Level, number> = { studies: 0, series: 1, instances: 2 };

/** Whether something of one level is known of what is searched for at another. */
export const isWithin = (level: Level, searched: Level): boolean => depth[level] <= depth[searched];

/** Parameters that say how to answer and not what to look for. */
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
 * The conditions of a query (PS3.18 §8.3.4). Keys are keywords or tags, those of a sequence behind its own and a dot.
 * Those that are not supported at this level are reported and left out. Throws 400 for a value that its key cannot
 * have, and for one that is given more than once.
 */
export const matchingOf = (query: Query, level: Level): Matching => {
  const asked = new Map<string, string>();
  const matching: Matching = { conditions: [], isByText: false, keywords: [], unsupported: [] };
  for (const [name, given] of Object.entries(query)) {
    if (notKeys.has(name)) continue;
    const keyword = keyOf(name, level);
    const key = keys.get(keyword);
    const keyLevel = key?.level ?? moments.get(keyword)?.level ?? (requestKeys.has(keyword) ? 'series' : undefined);
    if (keyLevel === undefined || !isWithin(keyLevel, level)) matching.unsupported.push(name);
    else ask(asked, keyword, singleValue(keyword, given, key?.takesList));
  }
  const isFuzzy = isTrue(query, 'fuzzymatching');
  for (const [keyword, value] of asked) {
    matching.keywords.push(keyword);
    const key = keys.get(keyword);
    if (!key || isUniversal(value)) continue;
    matching.conditions.push(key.matcher(value, keyword, { isFuzzy }));
    matching.isByText ||= key.isText ?? false;
  }
  matching.conditions.push(...momentsAsked(asked), ...requestsAsked(asked));
  return { ...matching, list: level === 'studies' ? listAsked(asked, isFuzzy) : undefined };
};

/** A key may come under its keyword and its tag, or under two names that mean the same here, but not for two values. */
const ask = (asked: Map<string, string>, keyword: string, value: string) => {
  if ((asked.get(keyword) ?? value) !== value) throw malformed(`${keyword} is given more than once`);
  asked.set(keyword, value);
};

/** Undefined when something else is asked for than days and one modality, or how a name begins. */
const listAsked = (asked: ReadonlyMap<string, string>, isFuzzy: boolean): StudyList | undefined => {
  const { StudyDate, ModalitiesInStudy, PatientName, ...others } = Object.fromEntries(
    Array.from(asked).filter(([, value]) => !isUniversal(value)),
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

/** Nothing, or nothing but wildcards: anything matches, also what has no value (PS3.4 §C.2.2.2.3). */
const isUniversal = (value: string): boolean => /^\**$/.test(value.trim());

const singleValue = (keyword: string, given: readonly string[], takesList = false): string => {
  if (given.length > 1 && !takesList) throw malformed(`${keyword} is given more than once`);
  return given.join(',');
};

/** Whether a parameter that is true or false is true. Throws 400 when it is neither. */
export const isTrue = (query: Query, name: string): boolean => {
  const [value = 'false', ...more] = query[name] ?? [];
  if (more.length > 0 || !['true', 'false', ''].includes(value)) throw malformed(`${name} is true or false`);
  return value === 'true';
};

/** The keywords that a path of keywords or tags stands for, divided by dots: "00400275.00400009" and so on. */
export const keywordPath = (path: string): string =>
  path
    .split('.')
    .map((name) => (/^[\da-f]{8}$/i.test(name) ? (entryOf(name.toUpperCase())?.keyword ?? name) : name))
    .join('.');

/** A study has no modality of its own, but people ask for it by that. */
const keyOf = (name: string, level: Level): string => {
  const keyword = keywordPath(name);
  return keyword === 'Modality' && level === 'studies' ? 'ModalitiesInStudy' : keyword;
};

/** Dates and times that are one moment in one column. */
const momentPairs = [
  { level: 'studies', column: 'studies.study_date', date: 'StudyDate', time: 'StudyTime' },
  {
    level: 'series',
    column: 'series.performed_at',
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

const momentsAsked = (asked: ReadonlyMap<string, string>): Condition[] =>
  momentPairs.flatMap(({ column, date, time }) => {
    const valueOf = (name: string) => {
      const value = asked.get(name) ?? '';
      return { name, value: isUniversal(value) ? '' : value };
    };
    return momentConditions({ column, date: valueOf(date), time: valueOf(time) });
  });

const requestKeys = new Map<string, Matcher>([
  ['RequestAttributesSequence.ScheduledProcedureStepID', text('series_requests.scheduled_procedure_step_id')],
  ['RequestAttributesSequence.RequestedProcedureID', text('series_requests.requested_procedure_id')],
]);

const requestsAsked = (asked: ReadonlyMap<string, string>): Condition[] => {
  const conditions = Array.from(requestKeys, ([keyword, matcher]) => {
    const value = asked.get(keyword) ?? '';
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
  ['PatientName', study(personName('studies.folded_patient_name'), { isText: true })],
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
  ['SeriesNumber', series(wholeNumber('series.series_number'))],
  ['SeriesDescription', series(text('series.series_description'))],
  ['BodyPartExamined', series(text('series.body_part_examined'))],
  ['SOPInstanceUID', instance(uids('instances.sop_instance_uid'), { takesList: true })],
  ['SOPClassUID', instance(uids('instances.sop_class_uid'), { takesList: true })],
  ['InstanceNumber', instance(wholeNumber('instances.instance_number'))],
]);
