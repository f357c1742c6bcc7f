import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { MovePreview, patientMerges as endpoints, PatientMerge } from '@radwork/contract/imaging/patient-merges';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { emit } from '#core/events/emit.ts';
import { newId } from '#core/values/ids.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { conflict, invalid } from '#core/http/problem.ts';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import type { Scope } from '#core/access/scope.ts';
import { closeIdentityQuestions } from '#imaging/identity-marks/settle-identities.ts';
import { studyChanged } from '#imaging/studies/study-changes.ts';
import { type StoredStudy, studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { countOf, fileStudies, signedOf } from './file-studies.ts';
import { lockPatients, refuseChanged } from './lock-patients.ts';
import { announcePatients } from './merge-patients.ts';
import { mergeById, toPatientMerge } from './merge-rows.ts';
import { viewedDetailsOf } from './patient-details.ts';
import { differingFields, shownField } from './patient-fields.ts';
import { patientById, type StoredPatient } from '#imaging/patient-records/patient-rows.ts';

const refuseHere = (study: StoredStudy, patientId: string) => {
  if (study.patient_id === patientId) throw conflict('study.is_here', t`The study already belongs to this patient.`);
};

/** Returns what a move of a study would do, without moving it. Audits a view of the patients. */
export const previewMove = async (scope: Scope, toId: string, studyId: string): Promise<MovePreview> => {
  const study = await studyById(scope, studyId);
  refuseHere(study, toId);
  const from = await patientById(scope, study.patient_id);
  const to = await patientById(scope, toId);
  return {
    study: {
      id: study.id,
      revision: study.revision,
      description: study.description || study.study_description,
      modality: study.modality,
      studyDate: localStudyTime(study),
      accessionNumber: study.accession_number,
    },
    from: await viewedDetailsOf(scope, from.id),
    to: await viewedDetailsOf(scope, to.id),
    moves: { ...(await countOf(scope, sql`id = ${studyId}`)), ...(await signedOf(scope, [studyId])) },
    nameToConfirm: calledName(to),
    differences: differingFields(to, from).map((field) => ({
      field,
      survivor: shownField(to, field),
      source: shownField(from, field),
    })),
  };
};

/** Returns the name of the patient, or the Patient ID if there is no name. */
const calledName = ({ patient_name, patient_id }: StoredPatient): string => displayName(patient_name) || patient_id;

/**
 * Compares names without case, commas and spaces. The comparison can be this loose, because it only makes the user read
 * the name of the new patient.
 */
const isName = (confirmedName: string, name: string): boolean => {
  const [one, other] = [confirmedName, name].map((text) =>
    text
      .normalize('NFC')
      .toLowerCase()
      .split(/[\s,]+/)
      .join(' '),
  );
  return one === other;
};

/**
 * Throws 422 unless the user typed the name of the new patient, if the study has signed reports. Their text is not
 * changed, and may name the previous patient.
 */
const refuseUnconfirmed = async (scope: Scope, studyId: string, to: StoredPatient, confirmedName: string) => {
  const { signedReports } = await signedOf(scope, [studyId]);
  if (signedReports === 0 || isName(confirmedName, calledName(to))) return;
  throw invalid({ confirmedName: t`The study has signed reports. Enter the name of the new patient to confirm.` });
};

/**
 * Files a study under another patient. Its reports and further images follow. Closes share links to its reports,
 * because their recipients would read about another person.
 */
export const move = async (
  scope: Scope,
  toId: string,
  { studyId, studyRevision, fromId, toRevision, confirmedName }: Body<typeof endpoints.move>,
): Promise<PatientMerge> => {
  refuseLimited(scope.session);
  const study = await studyToChange(scope, studyId);
  refuseHere(study, toId);
  if (study.revision !== studyRevision || study.patient_id !== fromId) {
    throw studyChanged(`at revision ${study.revision}`);
  }
  const [to] = await lockPatients(scope, [toId, fromId]);
  refuseChanged(to, toRevision);
  await refuseUnconfirmed(scope, studyId, to, confirmedName);
  await emit(scope, 'study.disowned', { studyIds: [studyId], since: null });
  await fileStudies(scope, toId, sql`id = ${studyId}`);
  const id = newId();
  await scope.db
    .insertInto('patient_merges')
    .values({
      id,
      kind: 'MOVE',
      survivor_id: toId,
      source_id: fromId,
      study_ids: [studyId],
      made_by: scope.session.userId || null,
    })
    .execute();
  await closeIdentityQuestions(scope, { mergeId: id, survivorId: toId, sourceId: fromId, movedStudyId: studyId });
  await emit(scope, 'study.filedElsewhere', {
    studyIds: [studyId],
    patientIds: [toId, fromId],
    isSamePerson: false,
  });
  await announcePatients(scope, 'patient.move_study', { id, survivorId: toId, sourceId: fromId, studyIds: [studyId] });
  return toPatientMerge(await mergeById(scope, toId, id));
};
