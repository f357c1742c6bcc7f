import { t } from '@radwork/contract/core/translate';
import { type PatientMerge, undoDays } from '@radwork/contract/imaging/patient-merges';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowPatient } from '#core/access/study-access.ts';
import { patientById } from '#imaging/patient-records/patient-rows.ts';

/**
 * SQL condition for a row "s" of studies: the merge or move "m" included it, or it arrived later with a Patient ID that
 * "m" maps to another patient.
 */
const cameWith = sql<boolean>`(s.id = any(m.study_ids)
  or s.named_patient_id = any(m.identifier_ids) and s.created_at >= m.made_at)`;

/** Reports signed after the merge. Their signers saw the survivor's name. */
const signedSince = sql<number>`(
  select count(*)::int from reports r join studies s on s.id = r.study_id
  where r.finalized_at >= m.made_at and s.patient_id = m.survivor_id and ${cameWith})`;

/**
 * SQL condition: a later merge changed the same fields of the survivor. If the earlier merge were undone first, the
 * survivor would get wrong values.
 */
const isWrittenOver = sql<boolean>`exists (
  select from patient_merges later
  where later.survivor_id = m.survivor_id and later.kind = 'MERGE' and later.undone_at is null
    and later.made_at > m.made_at and later.changes ?| array(select jsonb_object_keys(m.changes)))`;

/**
 * SQL condition: a study of this merge was later moved to another patient. If this merge were undone first, undoing
 * that move would return the study to the wrong patient.
 */
const isMovedOn = sql<boolean>`exists (
  select from patient_merges later join studies s on s.id = any(later.study_ids)
  where later.source_id = m.survivor_id and later.kind = 'MOVE' and later.undone_at is null
    and later.made_at > m.made_at and ${cameWith})`;

const storedMerges = ({ db, session }: Scope) =>
  db
    .selectFrom('patient_merges as m')
    .innerJoin('patients as survivor', 'survivor.id', 'm.survivor_id')
    .innerJoin('patients as source', 'source.id', 'm.source_id')
    .leftJoin('users as maker', 'maker.id', 'm.made_by')
    .selectAll('m')
    .select(['survivor.patient_name as survivor_name', 'survivor.patient_id as survivor_identifier'])
    .select(mayKnowPatient(session, 'survivor.id').as('knows_survivor'))
    .select(['source.patient_name as source_name', 'source.patient_id as source_identifier'])
    .select(mayKnowPatient(session, 'source.id').as('knows_source'))
    .select(['survivor.merged_into as survivor_merged_into', 'source.merged_into as source_merged_into'])
    .select('maker.name as maker_name')
    .select(signedSince.as('signed_since'))
    .select(isWrittenOver.as('is_written_over'))
    .select(isMovedOn.as('is_moved_on'))
    .select(sql<string>`m.made_at + make_interval(days => ${undoDays})`.as('undo_until'))
    .select(sql<boolean>`m.made_at + make_interval(days => ${undoDays}) > now()`.as('is_in_time'));

type StoredMerge = Awaited<ReturnType<ReturnType<typeof storedMerges>['execute']>>[number];

/** Returns the merges and moves of a patient, latest first. */
const mergesOf = (scope: Scope, patientId: string): Promise<StoredMerge[]> =>
  storedMerges(scope)
    .where((eb) => eb.or([eb('m.survivor_id', '=', patientId), eb('m.source_id', '=', patientId)]))
    .orderBy('m.made_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute();

/** Returns one merge or move of a patient. Throws 404 when the patient was not part of this merge or move. */
export const mergeById = async (scope: Scope, patientId: string, id: string): Promise<StoredMerge> =>
  orNotFound(
    (await mergesOf(scope, patientId)).find((merge) => merge.id === id),
    'merge',
  );

/** Returns why a merge or a move cannot be undone. Undefined when it can. */
export const whyNotUndone = (merge: StoredMerge): string | undefined => {
  if (merge.undone_at !== null) return t`This was already undone.`;
  if (!merge.is_in_time) return t`This can be undone for ${undoDays} days only.`;
  if (merge.survivor_merged_into !== null) {
    return t`The patient was merged into another patient later. Undo that merge first.`;
  }
  return merge.kind === 'MERGE' ? whyStaysMerged(merge) : whyStaysMoved(merge);
};

/**
 * Returns why a merge cannot be undone. Successive merges must be undone in reverse order. Otherwise the survivor would
 * keep data of another patient.
 */
const whyStaysMerged = (merge: StoredMerge): string | undefined => {
  if (merge.source_merged_into !== merge.survivor_id) return t`The merge was already undone.`;
  if (merge.is_written_over) {
    return t`A later merge changed the same patient data. Undo that merge first.`;
  }
  return merge.is_moved_on
    ? t`A study of this merge was moved to another patient later. Undo that move first.`
    : undefined;
};

const whyStaysMoved = (merge: StoredMerge): string | undefined =>
  merge.source_merged_into === null
    ? undefined
    : t`The previous patient of the study was merged later. Undo that merge first.`;

/** Returns one of the two patients. Leaves out name and ID when the caller may not see the patient. */
const personOf = (id: string, isKnown: boolean, name: string, identifier: string): PatientMerge['survivor'] =>
  isKnown ? { id, patientName: displayName(name), patientId: identifier } : { id, patientName: '', patientId: '' };

/** Converts a stored merge or move to the type of the contract. */
export const toPatientMerge = (merge: StoredMerge): PatientMerge => {
  const reason = whyNotUndone(merge);
  return {
    id: merge.id,
    kind: merge.kind,
    survivor: personOf(merge.survivor_id, merge.knows_survivor, merge.survivor_name, merge.survivor_identifier),
    source: personOf(merge.source_id, merge.knows_source, merge.source_name, merge.source_identifier),
    studyCount: merge.study_ids.length,
    signedSince: merge.signed_since,
    madeBy: merge.maker_name ?? t`A visiting administrator`,
    madeDate: merge.made_at,
    undoneDate: merge.undone_at,
    undoUntil: reason === undefined ? merge.undo_until : null,
    reason: reason ?? '',
  };
};

/** Returns the merges of a patient and the moves of its studies. Throws 404 when the caller may not see the patient. */
export const history = async (scope: Scope, patientId: string): Promise<PatientMerge[]> => {
  await patientById(scope, patientId);
  return (await mergesOf(scope, patientId)).map(toPatientMerge);
};
