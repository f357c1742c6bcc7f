import { t } from '@radwork/contract/core/translate';
import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { entryOf } from '@radwork/dicom/dictionary';
import type { Elements } from '@radwork/dicom/part10';
import { isUid } from '@radwork/dicom/uid';
import type { Query } from '#imaging/archive/dicomweb/query-parameters.ts';
import { resultOf } from '#imaging/archive/search/result-attributes.ts';
import { fieldsOf } from '#imaging/archive/search/search-fields.ts';
import { type Level, matchingOf } from '#imaging/archive/search/matching-keys.ts';
import { findMatches } from '#imaging/archive/search/search-queries.ts';
import { resultAttributes } from '#imaging/archive/search/search-results.ts';
import type { Scope, Session } from '#core/access/scope.ts';
import { type Device, readingSessionOf } from './devices.ts';
import { elementsOf, isName, personNameText } from './json-elements.ts';
import { BadQuery, selectRequestedKeys } from './requested-keys.ts';

const levels = new Map<string, Level>([
  ['STUDY', 'studies'],
  ['SERIES', 'series'],
  ['IMAGE', 'instances'],
]);

const described: Record<Level, ReadonlySet<Level>> = {
  studies: new Set(['studies']),
  series: new Set(['studies', 'series']),
  instances: new Set(['studies', 'series', 'instances']),
};

/**
 * Returns the session for the queries of a device. It sees what a radiologist of its tenant, or of its group, sees. Each
 * device has its own session, so that the audit log can name the device.
 */
export const queryingSession = (device: Device): Session => ({
  ...readingSessionOf(device),
  id: device.id,
  userType: 'RADIOLOGIST',
});

/** The level of a query (PS3.4 §C.6.2.1). Throws BadQuery. */
export const levelOf = (identifier: DicomJson): Level => {
  const level = levels.get(textOf(identifier, 'QueryRetrieveLevel') ?? '');
  if (!level) throw new BadQuery(t`The query level must be STUDY, SERIES or IMAGE.`);
  return level;
};

/**
 * Finds matching studies, series or instances (C-FIND, Study Root, PS3.4 §C.6.2), newest study first, with the search
 * of DICOMweb. Returns at most `most` matches, each with the requested keys and the AE title from which it can be
 * retrieved. Throws BadQuery, or a Problem for a value that is invalid for its key.
 */
export const findInArchive = async (
  scope: Scope,
  identifier: DicomJson,
  calledAeTitle: string,
  most: number,
): Promise<Elements[]> => {
  const level = levelOf(identifier);
  const matching = matchingOf(queryOf(identifier), level);
  const extras = ['SOPClassesInStudy', 'NumberOfPatientRelatedStudies'];
  const includefield = extras.filter((keyword) => keywordsOf(identifier).includes(keyword));
  const fields = fieldsOf({ includefield }, level, matching.keywords);
  const rows = await findMatches(scope, { level, matching, fields, page: { limit: most, offset: 0 } });
  const attributes = resultAttributes({ level, described: described[level], service: '', fields });
  return rows.map((row) => ({
    ...selectRequestedKeys(identifier, elementsOf(resultOf(attributes, row))),
    QueryRetrieveLevel: textOf(identifier, 'QueryRetrieveLevel') ?? '',
    RetrieveAETitle: calledAeTitle,
  }));
};

const keywordsOf = (identifier: DicomJson): string[] =>
  Object.keys(identifier).flatMap((tag) => entryOf(tag)?.keyword ?? []);

const notKeys = new Set(['QueryRetrieveLevel', 'SpecificCharacterSet', 'RetrieveAETitle', 'InstanceAvailability']);

/**
 * Whether a query has a value for a key that the search does not support. Throws the same errors as `findInArchive`.
 */
export const ignoresKeys = (identifier: DicomJson): boolean =>
  matchingOf(queryOf(identifier), levelOf(identifier)).unsupported.length > 0;

/**
 * Returns the keys that have a value, as a DICOMweb query. Leaves out a key with only "*", because it matches
 * everything.
 */
export const queryOf = (identifier: DicomJson): Query =>
  Object.fromEntries(
    keysOf(identifier)
      .filter(([keyword]) => !notKeys.has(keyword))
      .filter(([, [first = '*', ...more]]) => first !== '*' || more.length > 0),
  );

/**
 * Returns keys and their values. A key within a sequence is read from the first item and returned as "sequence.key".
 */
const keysOf = (identifier: DicomJson): [string, string[]][] =>
  keywordsOf(identifier).flatMap((keyword) => {
    const [item] = itemsOf(identifier, keyword);
    if (!item) return [[keyword, textsOf(identifier, keyword)]];
    return keysOf(item).map(([key, texts]): [string, string[]] => [`${keyword}.${key}`, texts]);
  });

const textsOf = (identifier: DicomJson, keyword: string): string[] =>
  valuesOf(identifier, keyword).flatMap((value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    return value !== null && isName(value) ? personNameText(value) : [];
  });

/** An instance to send: its UIDs, SOP class, transfer syntax and study. */
export type FoundInstance = {
  studyUid: string;
  seriesUid: string;
  instanceUid: string;
  sopClassUid: string;
  transferSyntaxUid: string;
};

/**
 * Finds the instances that a retrieval names by UID (PS3.4 §C.4.3.1.3): whole studies, series of a study, or single
 * instances. Returns at most `most`. Throws BadQuery for a missing or invalid UID.
 */
export const instancesNamed = async ({ db }: Scope, identifier: DicomJson, most: number): Promise<FoundInstance[]> => {
  const level = levelOf(identifier);
  const studyUids = uidsOf(identifier, 'StudyInstanceUID');
  const seriesUids = level === 'studies' ? undefined : uidsOf(identifier, 'SeriesInstanceUID');
  const instanceUids = level === 'instances' ? uidsOf(identifier, 'SOPInstanceUID') : undefined;
  return db
    .selectFrom('instances')
    .innerJoin('series', 'series.id', 'instances.series_id')
    .innerJoin('studies', 'studies.id', 'instances.study_id')
    .select([
      'study_instance_uid as studyUid',
      'series_instance_uid as seriesUid',
      'sop_instance_uid as instanceUid',
      'sop_class_uid as sopClassUid',
      'transfer_syntax_uid as transferSyntaxUid',
    ])
    .where('studies.deleted_at', 'is', null)
    .where('study_instance_uid', 'in', studyUids)
    .$if(seriesUids !== undefined, (query) => query.where('series_instance_uid', 'in', seriesUids ?? []))
    .$if(instanceUids !== undefined, (query) => query.where('sop_instance_uid', 'in', instanceUids ?? []))
    .orderBy('studies.id')
    .orderBy('series_number')
    .orderBy('series.id')
    .orderBy('instance_number')
    .orderBy('instances.id')
    .limit(most)
    .execute();
};

const uidsOf = (identifier: DicomJson, keyword: string): string[] => {
  const uids = valuesOf(identifier, keyword).filter((value) => typeof value === 'string');
  if (uids.length === 0 || !uids.every(isUid)) throw new BadQuery(t`The retrieve request has no valid ${keyword}.`);
  return uids;
};
