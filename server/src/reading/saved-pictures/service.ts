import { t } from '@radwork/contract/core/translate';
import type { PictureNote } from '@radwork/contract/reading/saved-pictures';
import { displayName } from '@radwork/dicom/person-name';
import { auditStudy } from '#core/audit/audit.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { type StoredStudy, studyById } from '#imaging/studies/study-rows.ts';

/**
 * Audits that the caller saves an image of a study. Throws 404 for the study, and 422 for a series or image outside it.
 * Throws 409 when the image shows a previous patient of the study.
 */
export const auditSavedImage = async (scope: Scope, studyId: string, note: PictureNote) => {
  const study = await studyById(scope, studyId);
  refuseOtherName(study, note);
  await assertInStudy(scope, study.id, note);
  const { seriesInstanceUIDs, sopInstanceUID, isIdentified, way } = note;
  await auditStudy(scope, 'study.savePicture', study, {
    identified: isIdentified,
    way,
    series: seriesInstanceUIDs.join(' '),
    ...(sopInstanceUID !== null && { image: sopInstanceUID }),
  });
  return { isNoted: true as const };
};

/** Throws 409 if the image shows the name of a previous patient, because the study was moved after rendering. */
const refuseOtherName = (study: StoredStudy, { isIdentified, patientRecordId = study.patient_id }: PictureNote) => {
  if (!isIdentified || patientRecordId === study.patient_id) return;
  const whose = displayName(study.patient_name) || study.patient_identifier;
  const words = t`The study was moved to another patient. It now belongs to ${whose}. Nothing was saved. Close this and save the image again.`;
  throw conflict('study.refiled', words);
};

const assertInStudy = async ({ db }: Scope, studyId: string, note: PictureNote) => {
  const seriesUids = new Set(note.seriesInstanceUIDs);
  const series = await db
    .selectFrom('series')
    .select('id')
    .where('study_id', '=', studyId)
    .where('series_instance_uid', 'in', [...seriesUids])
    .execute();
  if (series.length !== seriesUids.size) throw invalid({ seriesInstanceUIDs: t`This series is not in the study` });
  if (note.sopInstanceUID === null) return;
  const image = await db
    .selectFrom('instances')
    .select('id')
    .where(
      'series_id',
      'in',
      series.map(({ id }) => id),
    )
    .where('sop_instance_uid', '=', note.sopInstanceUID)
    .executeTakeFirst();
  if (!image) throw invalid({ sopInstanceUID: t`This image is not in the study` });
};
