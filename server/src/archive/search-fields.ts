import type { DicomJson } from '@radwork/dicom/dataset';
import { findTag, type Tag, tagOf } from '@radwork/dicom/dictionary';
import type { Query } from './query.ts';
import { isWithin, keywordPath, type Level } from './search-keys.ts';

/** What a result holds beyond what it always holds. */
export type Fields = {
  /** The attributes that were asked for, wherever they come from. */
  asked: ReadonlySet<Tag> | 'all';
  /** Those of them that are taken from the header of a file; "all" for every one that there is. */
  ofHeader: readonly Tag[] | 'all';
  hasSopClasses: boolean;
  hasPatientCounts: boolean;
};

const patientCounts = [
  'NumberOfPatientRelatedStudies',
  'NumberOfPatientRelatedSeries',
  'NumberOfPatientRelatedInstances',
];

/** What files say of a patient and a study that the archive has no column for (PS3.4 Tables C.6-1, C.6-2). */
const studyFields = [
  'PhysiciansOfRecord',
  'NameOfPhysiciansReadingStudy',
  'AdmittingDiagnosesDescription',
  'ProcedureCodeSequence',
  'ReferencedStudySequence',
  'PatientBirthTime',
  'OtherPatientIDsSequence',
  'OtherPatientNames',
  'PatientAge',
  'PatientSize',
  'PatientWeight',
  'EthnicGroup',
  'Occupation',
  'AdditionalPatientHistory',
  'PatientComments',
];

/** And of a series and its equipment (PS3.4 Table C.6-3, PS3.3 §C.7.3.1, §C.7.5.1). */
const seriesFields = [
  'SeriesDate',
  'SeriesTime',
  'Manufacturer',
  'InstitutionName',
  'StationName',
  'SeriesDescriptionCodeSequence',
  'InstitutionalDepartmentName',
  'PerformingPhysicianName',
  'OperatorsName',
  'ManufacturerModelName',
  'ReferencedPerformedProcedureStepSequence',
  'DeviceSerialNumber',
  'SoftwareVersions',
  'ProtocolName',
  'PatientPosition',
  'FrameOfReferenceUID',
  'Laterality',
  'PerformedProcedureStepID',
  'PerformedProcedureStepDescription',
  'PerformedProtocolCodeSequence',
];

const levelOf = new Map<string, Level>([
  ...studyFields.map((keyword): [string, Level] => [keyword, 'studies']),
  ...seriesFields.map((keyword): [string, Level] => [keyword, 'series']),
]);

/**
 * What `includefield` asks for (PS3.18 §8.3.4.3): keywords or tags, in a list or one by one, or "all". Of a path into
 * a sequence the whole sequence is returned. `matched` are keywords that are matched, which are returned as well. What
 * nobody knows, or belongs to a level below the one that is searched for, is not returned.
 */
export const fieldsOf = (query: Query, level: Level, matched: readonly string[]): Fields => {
  const included = (query['includefield'] ?? []).flatMap((list) => list.split(',')).map((name) => name.trim());
  const isAll = included.includes('all');
  const keywords = [...included, ...matched].map((name) => keywordPath(name).split('.')[0] ?? '');
  return {
    asked: isAll ? 'all' : new Set(keywords.flatMap((keyword) => tagOfName(keyword) ?? [])),
    ofHeader: isAll ? allOf(level) : included.flatMap((name) => headerTag(keywordPath(name), level) ?? []),
    hasSopClasses: isAll || keywords.includes('SOPClassesInStudy'),
    hasPatientCounts: isAll || patientCounts.some((count) => keywords.includes(count)),
  };
};

/** The tag of an attribute that the header of a file may be asked for at a level; an instance has all of them. */
const headerTag = (path: string, level: Level): Tag | undefined => {
  const [keyword = ''] = path.split('.');
  if (level === 'instances') return tagOfName(keyword);
  const attributeLevel = levelOf.get(keyword);
  return attributeLevel && isWithin(attributeLevel, level) ? tagOf(keyword) : undefined;
};

const allOf = (level: Level): Tag[] | 'all' => {
  if (level === 'instances') return 'all';
  return Array.from(levelOf).flatMap(([keyword, attributeLevel]) =>
    isWithin(attributeLevel, level) ? tagOf(keyword) : [],
  );
};

/** The tag of a keyword, or of a tag that has none, such as a private one. */
const tagOfName = (name: string): Tag | undefined => (/^[\dA-F]{8}$/i.test(name) ? name.toUpperCase() : findTag(name));

/** What was asked for of a header; nothing of its patient, where that is another one than the study is filed under. */
export const fieldsFrom = (header: DicomJson, { ofHeader }: Fields, namesAnother: boolean): DicomJson => {
  const asked = ofHeader === 'all' ? header : attributesOf(header, ofHeader);
  return namesAnother ? withoutPatient(asked) : asked;
};

/** The group of the tags that describe a patient (PS3.6). */
const patientGroup = '0010';

const withoutPatient = (json: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(json).filter(([tag]) => !tag.startsWith(patientGroup)));

/** The attributes of a data set that have one of these tags. */
export const attributesOf = (json: DicomJson, tags: Iterable<Tag>): DicomJson =>
  Object.fromEntries(Array.from(tags).flatMap((tag) => (json[tag] ? [[tag, json[tag]]] : [])));
