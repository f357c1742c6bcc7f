import { retentionExpired, type WithheldReason } from '@radwork/contract/imaging/rejections';
import type { DicomJson } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { statement } from '#core/database/statement.ts';
import { announce } from '#core/live/announce.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';
import { gunzip } from '#core/resources/gzip.ts';
import type { FileSource, NewInstance, Plan } from '#imaging/archive/index/plan-batch.ts';
import { keyObjectSelection, rejectionNote, type RejectionNote } from './rejection-note.ts';
import { applyRejections, writeRejection } from './write-rejection.ts';

/**
 * Rejects the new instances of a batch that earlier rejections name, and the instances that new rejection notes name. Runs
 * after the rows of the batch are written, while the batch holds the locks of its studies. `rejected`: the studies that
 * `studiesWithRejected` returned.
 */
export const followNotes = async (
  scope: Scope,
  { instances }: Plan,
  { rejected, fileSource }: { rejected: readonly string[]; fileSource: FileSource },
): Promise<void> => {
  for (const studyId of rejected) await applyRejections(scope, studyId);
  for (const instance of instances) {
    if (instance.candidate.sopClassUID !== keyObjectSelection) continue;
    const header = await gunzip(instance.candidate.instance.metadata);
    const note = rejectionNote(JSON.parse(header.toString()) as DicomJson);
    if (note) await follow(scope, instance, note, fileSource);
  }
};

/** Returns the studies in which rejections that were not undone name some of these instances. */
export const studiesWithRejected = async (
  { db }: Scope,
  instances: readonly Pick<NewInstance, 'studyId' | 'candidate'>[],
): Promise<string[]> => {
  if (instances.length === 0) return [];
  const rows = await findRejected(db, {
    studyIds: instances.map(({ studyId }) => studyId),
    uids: instances.map(({ candidate }) => candidate.sopInstanceUID),
  });
  return rows.map(({ id }) => id).toSorted();
};

const findRejected = statement(
  (_, { studyIds, uids }: { studyIds: string[]; uids: string[] }) => sql<{ id: string }>`
    select distinct image.study_id as id
    from unnest(${studyIds}::uuid[], ${uids}::text[]) as arrived (study_id, sop_uid)
    join rejected_images image
      on image.study_id = arrived.study_id and image.sop_instance_uid = arrived.sop_uid and image.is_standing`,
);

/** Rejects the images of the study of the note. A note says nothing about another study, and nothing about itself. */
const follow = async (
  scope: Scope,
  { studyId, candidate }: NewInstance,
  { images: named, ...note }: RejectionNote,
  source: FileSource,
): Promise<void> => {
  const images = named.filter(
    ({ studyInstanceUID, sopInstanceUID }) =>
      studyInstanceUID === candidate.studyInstanceUID && sopInstanceUID !== candidate.sopInstanceUID,
  );
  const withheld = await whyWithheld(scope, studyId, note, source);
  const { hidden } = await writeRejection(scope, {
    ...note,
    studyId,
    noteUid: candidate.sopInstanceUID,
    withheld,
    images,
  });
  // The batch announces the study. Lists of key images and measurements change, too.
  if (hidden > 0) await announce(scope, { kind: 'measurements', studyId });
  await audit(scope, withheld ? 'study.withholdRejection' : 'study.reject', {
    entity: 'study',
    entityId: studyId,
    studyId,
    detail: {
      title: note.title,
      images: images.length,
      hidden,
      note: candidate.sopInstanceUID,
      ...(withheld && { withheld }),
      ...(images.length < named.length && { ofOtherStudies: named.length - images.length }),
    },
  });
};

/**
 * Returns why a note is not followed. A device or remote archive that may send images of the study may also reject them. A
 * user needs the right to delete studies. An expired retention policy never hides a study that must be kept, because
 * nothing is wrong with its images.
 */
const whyWithheld = async (
  scope: Scope,
  studyId: string,
  { title }: Pick<RejectionNote, 'title'>,
  source: FileSource,
): Promise<WithheldReason | null> => {
  if (!mayReject(scope, source)) return 'RIGHT';
  if (title !== retentionExpired) return null;
  const kept = await scope.db
    .selectFrom('studies as s')
    .leftJoin('reports as r', (join) => join.onRef('r.study_id', '=', 's.id').on('r.status', '=', 'FINALIZED'))
    .select(['s.is_on_legal_hold', 'r.id as report'])
    .where('s.id', '=', studyId)
    .executeTakeFirst();
  if (kept?.is_on_legal_hold) return 'LEGAL_HOLD';
  return kept?.report ? 'REPORT' : null;
};

const mayReject = ({ session }: Scope, source: FileSource): boolean =>
  source?.kind === 'DEVICE' ||
  source?.kind === 'REMOTE' ||
  (hasPermission(session, 'study.delete') && !isLimitedToOwnStudies(session));
