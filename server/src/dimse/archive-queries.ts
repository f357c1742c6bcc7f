import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { entryOf } from '@radwork/dicom/dictionary';
import type { Elements } from '@radwork/dicom/part10';
import { isUid } from '@radwork/dicom/uid';
import type { Query } from '#archive/query.ts';
import { resultOf } from '#archive/result-attributes.ts';
import { fieldsOf } from '#archive/search-fields.ts';
import { type Level, matchingOf } from '#archive/search-keys.ts';
import { findMatches } from '#archive/search-queries.ts';
import { resultAttributes } from '#archive/search-results.ts';
import type { Scope, Session } from '#core/scope.ts';
import { type Device, sessionOf } from './devices.ts';
import { elementsOf, isName, spelt } from './json-elements.ts';
import { BadQuery, whatIsAsked } from './queries.ts';

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
 * A device that may query sees what a radiologist of its tenant does; what it may not, its own rights have said. Each
 * device is a session of its own, so that the audit tells them apart.
 */
export const queryingSession = (device: Device): Session => ({
  ...sessionOf(device),
  id: device.id,
  userType: 'RADIOLOGIST',
});

/** The level that a query is about (PS3.4 §C.6.2.1). Throws BadQuery. */
export const levelOf = (identifier: DicomJson): Level => {
  const level = levels.get(textOf(identifier, 'QueryRetrieveLevel') ?? '');
  if (!level) throw new BadQuery('The level of the query is none of STUDY, SERIES and IMAGE.');
  return level;
};

/**
 * Studies, series or instances that match (C-FIND, Study Root, PS3.4 §C.6.2), at most `most`, newest study first: the
 * same search as that of DICOMweb. Each holds what was asked for, and where to retrieve it. Throws BadQuery, or a
 * Problem for a value that its key cannot have.
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
    ...whatIsAsked(identifier, elementsOf(resultOf(attributes, row))),
    QueryRetrieveLevel: textOf(identifier, 'QueryRetrieveLevel') ?? '',
    RetrieveAETitle: calledAeTitle,
  }));
};

const keywordsOf = (identifier: DicomJson): string[] =>
  Object.keys(identifier).flatMap((tag) => entryOf(tag)?.keyword ?? []);

const notKeys = new Set(['QueryRetrieveLevel', 'SpecificCharacterSet', 'RetrieveAETitle', 'InstanceAvailability']);

/** Whether a query has a key with a value that nothing is matched by. Throws as `findInArchive` does. */
export const ignoresKeys = (identifier: DicomJson): boolean =>
  matchingOf(queryOf(identifier), levelOf(identifier)).unsupported.length > 0;

/** The keys that have a value, as a search of DICOMweb has them; "*" alone matches everything. */
export const queryOf = (identifier: DicomJson): Query =>
  Object.fromEntries(
    keysOf(identifier)
      .filter(([keyword]) => !notKeys.has(keyword))
      .filter(([, [first = '*', ...more]]) => first !== '*' || more.length > 0),
  );

/** Keys and what they are asked to be; those of a sequence, which stand in its one item, behind its own and a dot. */
const keysOf = (identifier: DicomJson): [string, string[]][] =>
  keywordsOf(identifier).flatMap((keyword) => {
    const [item] = itemsOf(identifier, keyword);
    if (!item) return [[keyword, textsOf(identifier, keyword)]];
    return keysOf(item).map(([key, texts]): [string, string[]] => [`${keyword}.${key}`, texts]);
  });

const textsOf = (identifier: DicomJson, keyword: string): string[] =>
  valuesOf(identifier, keyword).flatMap((value) => {
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    return value !== null && isName(value) ? spelt(value) : [];
  });

/** What is to be sent: an instance by its UIDs, what it is, and of which study it is. */
export type FoundInstance = {
  studyUid: string;
  seriesUid: string;
  instanceUid: string;
  sopClassUid: string;
  transferSyntaxUid: string;
};

/**
 * The instances that a retrieval names by its UIDs (PS3.4 §C.4.3.1.3): all of one or several studies, or of series of a
 * study, or single ones; at most `most`. Throws BadQuery where a UID is missing or none.
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
  if (uids.length === 0 || !uids.every(isUid)) throw new BadQuery(`The retrieval does not name a ${keyword}.`);
  return uids;
};
