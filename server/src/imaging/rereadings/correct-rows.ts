import { sentence } from '@radwork/contract/core/translate';
import type { DicomJson } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { isValueError } from '#core/database/database.ts';
import { gunzipText } from '#core/resources/gzip.ts';
import type { Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { modalitiesOf } from '#imaging/archive/index/update-studies.ts';
import type { FileFacts } from '#imaging/archive/header/file-facts.ts';
import { describeFile } from '#imaging/archive/header/study-attributes.ts';
import {
  changedElements,
  type Difference,
  differenceOf,
  frameDifferences,
  hasOtherColumns,
} from './compare-headers.ts';
import { correctDose } from './correct-dose.ts';
import { correctPatient } from './correct-patient.ts';
import { correctRequests } from './correct-requests.ts';
import { correctSeries, correctStudy } from './correct-study.ts';
import type { Corrected, Failure, Read, Readings, StoredFile } from './readings.ts';

/**
 * Corrects the rows of files that were read again, in order of arrival. A file whose values cannot be stored is listed
 * and changes nothing. Each changed study gets an audit entry.
 */
export const correctRows = async (scope: Scope, version: number, readings: readonly Read[]): Promise<void> => {
  const { db, session } = scope;
  const uids = [...new Set(readings.map(({ file }) => file.study_instance_uid))].toSorted();
  // Uploads into the same studies wait, because they set the same columns.
  if (uids.length > 0) await lockNames(db, { names: uids.map((uid) => `${session.tenantId} ${uid}`) });
  const changed = new Map<string, Set<string>>();
  for (const read of readings.toSorted((one, other) => (one.file.id < other.file.id ? -1 : 1))) {
    const outcome = await inSavepoint(scope, () => correctRow(scope, read));
    await list(scope, version, read.file, outcome);
    if (outcome.changed.length === 0 && !outcome.isReplaced) continue;
    const keywords = changed.get(read.file.study_id) ?? new Set();
    for (const { keyword } of outcome.changed) keywords.add(keyword);
    changed.set(read.file.study_id, keywords);
  }
  for (const [studyId, keywords] of changed) {
    const detail = { attributes: [...keywords].join(' '), readerVersion: version };
    await audit(scope, 'study.reread', { entity: 'study', entityId: studyId, studyId, detail });
    await announce(scope, { kind: 'study', studyId });
  }
};

/** `isReplaced`: the frames or metadata of the instance were replaced. */
type Found = Corrected & { failure?: Failure; isReplaced?: boolean };

const nothing = (): Found => ({ changed: [], left: [] });

const inSavepoint = async ({ db }: Scope, work: () => Promise<Found>): Promise<Found> => {
  await sql`savepoint reread`.execute(db);
  try {
    const outcome = await work();
    await sql`release savepoint reread`.execute(db);
    return outcome;
  } catch (error) {
    if (!isValueError(error)) throw error;
    await sql`rollback to savepoint reread`.execute(db);
    return { ...nothing(), failure: sentence`The file header contains a value that cannot be stored.` };
  }
};

/**
 * Maximum bytes of a header whose texts are compared. A larger one is replaced, but its texts are not corrected, because
 * other requests wait while it is parsed.
 */
const mostCompared = 4 * 2 ** 20;

const correctRow = async (scope: Scope, read: Read): Promise<Found> => {
  if ('failure' in read) return { ...nothing(), failure: read.failure };
  const { file, facts } = read;
  if (facts.sopInstanceUID !== file.sop_instance_uid) {
    return { changed: [], left: [differenceOf('SOPInstanceUID', file.sop_instance_uid, facts.sopInstanceUID)] };
  }
  const { metadata, ...columns } = facts.instance;
  // Damaged stored metadata are replaced, and say nothing about the earlier texts.
  const before = await gunzipText(file.metadata).catch(() => Buffer.alloc(0));
  const after = await gunzipText(metadata);
  const isSameHeader = before.equals(after);
  const isCompared = !isSameHeader && before.length > 0 && Math.max(before.length, after.length) <= mostCompared;
  const header: DicomJson | undefined = isCompared ? JSON.parse(before.toString()) : undefined;
  const readings: Readings = {
    file,
    earlier: header ? describeFile(header, facts.studyInstanceUID) : facts.described,
    now: facts.described,
    isRenderable: columns.is_renderable,
  };
  const frames = frameDifferences(file, columns);
  const elements = header ? changedElements(header, JSON.parse(after.toString()) as DicomJson) : [];
  const isReplaced = frames.length > 0 || !isSameHeader || hasOtherColumns(file, columns);
  if (isReplaced) await replaceColumns(scope, file, facts);
  else if (file.is_localizer !== columns.is_localizer || file.plane !== columns.plane)
    await noteKind(scope, file, columns);
  // A series or study that was given another UID, such as a removed report, keeps its own values.
  const isOfStudy = facts.studyInstanceUID === file.study_instance_uid;
  const isOfSeries = facts.seriesInstanceUID === file.series_instance_uid;
  const [series, requests, study, dose, patient] = [
    isOfSeries ? await correctSeries(scope, readings) : nothing(),
    isOfSeries ? await correctRequests(scope, readings) : nothing(),
    isOfStudy ? await correctStudy(scope, readings) : nothing(),
    isOfStudy ? await correctDose(scope, readings) : nothing(),
    await correctPatient(scope, readings),
  ];
  const isShownNow = columns.is_renderable && !file.is_renderable;
  if (series.changed.some(({ keyword }) => keyword === 'Modality') || isShownNow) await leadStudy(scope, file.study_id);
  const parts = [series, requests, study, dose, patient];
  const corrected = [...frames, ...parts.flatMap((part) => part.changed)];
  const left = parts.flatMap((part) => part.left);
  const listedKeywords = new Set([...corrected, ...left].map(({ keyword }) => keyword));
  return {
    changed: [...corrected, ...elements.filter(({ keyword }) => !listedKeywords.has(keyword))],
    left,
    isReplaced,
  };
};

/** Replaces frames and metadata together, and makes caches of the study void. */
const replaceColumns = async ({ db }: Scope, file: StoredFile, { instance }: FileFacts): Promise<void> => {
  await db.updateTable('instances').set(instance).where('id', '=', file.id).execute();
  await db.deleteFrom('series_metadata').where('series_id', '=', file.series_id).execute();
  await db
    .updateTable('studies')
    .set(({ eb }) => ({ content_revision: eb('content_revision', '+', 1) }))
    .where('id', '=', file.study_id)
    .execute();
};

/** Notes the plane of an image and whether it is a localizer. No cache contains them, so the study keeps its revision. */
const noteKind = async (
  { db }: Scope,
  { id }: StoredFile,
  { is_localizer, plane }: Pick<FileFacts['instance'], 'is_localizer' | 'plane'>,
): Promise<void> => {
  await db.updateTable('instances').set({ is_localizer, plane }).where('id', '=', id).execute();
};

/** Sets the main modality of a study to that of its first series with images. */
const leadStudy = async (scope: Scope, studyId: string): Promise<void> => {
  const { modality } = await modalitiesOf(scope, studyId);
  await scope.db
    .updateTable('studies')
    .set({ modality })
    .where('id', '=', studyId)
    .where('modality', '<>', modality)
    .execute();
};

const list = async (scope: Scope, version: number, file: StoredFile, found: Found): Promise<void> => {
  for (const one of found.changed) await listOne(scope, version, file, 'CHANGED', one);
  for (const one of found.left) await listOne(scope, version, file, 'LEFT', one);
  if (found.failure) {
    const after = JSON.stringify(found.failure);
    await listOne(scope, version, file, 'FAILED', { keyword: '', before: '', after });
  }
};

const listOne = async (
  { db }: Scope,
  version: number,
  { study_id, sop_instance_uid }: StoredFile,
  outcome: string,
  { keyword, before, after }: Difference,
): Promise<void> => {
  await sql`
    insert into header_differences (id, reader_version, study_id, sop_instance_uid, outcome, keyword, before, after)
    values (${newId()}, ${version}, ${study_id}, ${sop_instance_uid}, ${outcome}, ${keyword}, ${before}, ${after})
    on conflict (tenant_id, study_id, reader_version, outcome, keyword, md5(before || E'\n' || after),
      (case when outcome = 'FAILED' then sop_instance_uid else '' end))
    do update set files = header_differences.files + 1`.execute(db);
};
