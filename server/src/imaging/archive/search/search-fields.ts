import type { DicomJson } from '@radwork/dicom/dataset';
import { findTag, type Tag, tagOf } from '@radwork/dicom/dictionary';
import type { Query } from '#imaging/archive/dicomweb/query-parameters.ts';
import { isWithin, keywordPath, type Level } from './matching-keys.ts';

/** Requested fields of a result, besides the fields that every result has. */
export type Fields = {
  /** Requested attributes, whether they come from the database or from the header of a file. */
  requested: ReadonlySet<Tag> | 'all';
  /** Requested attributes that are read from the header of a file. "all" for every attribute. */
  ofHeader: readonly Tag[] | 'all';
  hasSopClasses: boolean;
  hasPatientCounts: boolean;
};

const patientCounts = [
  'NumberOfPatientRelatedStudies',
  'NumberOfPatientRelatedSeries',
  'NumberOfPatientRelatedInstances',
];

/** Attributes of patient and study that only the files contain, not the database (PS3.4 Tables C.6-1, C.6-2). */
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

/**
 * Attributes of series and equipment that only the files contain, not the database (PS3.4 Table C.6-3, PS3.3 §C.7.3.1,
 * §C.7.5.1).
 */
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
 * Reads `includefield` (PS3.18 §8.3.4.3): keywords or tags, in a list or one by one, or "all". A path into a sequence
 * returns the whole sequence. `matched` are the keywords of the search, which are returned too. Ignores unknown fields
 * and fields of a lower level.
 */
export const fieldsOf = (query: Query, level: Level, matched: readonly string[]): Fields => {
  const included = (query['includefield'] ?? []).flatMap((list) => list.split(',')).map((name) => name.trim());
  const isAll = included.includes('all');
  const keywords = [...included, ...matched].map((name) => keywordPath(name).split('.')[0] ?? '');
  return {
    requested: isAll ? 'all' : new Set(keywords.flatMap((keyword) => tagOfName(keyword) ?? [])),
    ofHeader: isAll ? allOf(level) : included.flatMap((name) => headerTag(keywordPath(name), level) ?? []),
    hasSopClasses: isAll || keywords.includes('SOPClassesInStudy'),
    hasPatientCounts: isAll || patientCounts.some((count) => keywords.includes(count)),
  };
};

/**
 * Returns the tag of an attribute that the header of a file can provide for a level. For instances, that is every
 * attribute.
 */
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

/** Returns the tag of a keyword. Also accepts a tag that has no keyword, such as a private one. */
const tagOfName = (name: string): Tag | undefined => (/^[\dA-F]{8}$/i.test(name) ? name.toUpperCase() : findTag(name));

/**
 * Returns the requested fields of a header. Leaves out patient data if the file names another patient than the study.
 */
export const fieldsFrom = (header: DicomJson, { ofHeader }: Fields, namesAnother: boolean): DicomJson => {
  const attributes = ofHeader === 'all' ? header : attributesOf(header, ofHeader);
  return namesAnother ? withoutPatient(attributes) : attributes;
};

/** Group of the patient tags (PS3.6). */
const patientGroup = '0010';

const withoutPatient = (json: DicomJson): DicomJson =>
  Object.fromEntries(Object.entries(json).filter(([tag]) => !tag.startsWith(patientGroup)));

/** Returns the attributes of a data set with these tags. */
export const attributesOf = (json: DicomJson, tags: Iterable<Tag>): DicomJson =>
  Object.fromEntries(Array.from(tags).flatMap((tag) => (json[tag] ? [[tag, json[tag]]] : [])));
