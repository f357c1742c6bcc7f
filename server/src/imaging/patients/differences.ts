import type { Body } from '@radwork/contract/core/endpoint';
import {
  type PatientDifference,
  type PatientField,
  patientMerges,
  patientFields,
} from '@radwork/contract/imaging/patient-merges';
import type { PatientDetails } from '@radwork/contract/imaging/patients';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { refuseChanged } from './lock-patients.ts';
import { detailsOf } from './patient-details.ts';
import { patientColumns, shownField } from './patient-fields.ts';
import { patientById, patientToChange, type StoredPatient } from '#imaging/patient-records/patient-rows.ts';

type AcceptedDifference = Body<typeof patientMerges.acceptDifference>;
type DismissedDifference = Body<typeof patientMerges.dismissDifference>;

/**
 * SQL condition for a row "d": its study was moved to another patient after the file arrived. The values of "d" then
 * describe that other patient.
 */
const hasLeft = sql<boolean>`exists (select from studies x where x.id = d.study_id and x.patient_id <> d.patient_id)`;

const openDifferences = ({ db, session }: Scope, patientId: string) =>
  db
    .selectFrom('patient_differences as d')
    .leftJoin('studies as s', (join) =>
      join.onRef('s.id', '=', 'd.study_id').on('s.deleted_at', 'is', null).on(mayKnowStudy(session, 's.id')),
    )
    .select(['d.id', 'd.field', 'd.value', 'd.found_at', 's.id as study_id'])
    .where('d.patient_id', '=', patientId)
    .where('d.status', '=', 'OPEN')
    .where(sql<boolean>`not ${hasLeft}`)
    .orderBy('d.found_at')
    .orderBy('d.id');

type OpenDifference = Awaited<ReturnType<ReturnType<typeof openDifferences>['execute']>>[number];

const fieldOf = (column: OpenDifference['field']): PatientField =>
  orNotFound(
    patientFields.find((field) => patientColumns[field] === column),
    'field',
  );

/**
 * Returns the values in which files differ from the record of the patient. Leaves out values that the record now
 * contains.
 */
export const differences = async (scope: Scope, id: string): Promise<PatientDifference[]> => {
  const patient = await patientById(scope, id);
  const rows = await openDifferences(scope, id).execute();
  return rows
    .map((row) => toDifference(patient, row))
    .filter(({ recorded, arrived }) => recorded.toLowerCase() !== arrived.toLowerCase());
};

const toDifference = (patient: StoredPatient, row: OpenDifference): PatientDifference => {
  const field = fieldOf(row.field);
  return {
    id: row.id,
    field,
    recorded: shownField(patient, field),
    arrived: shownField({ ...patient, [row.field]: row.value }, field),
    studyId: row.study_id,
    foundDate: row.found_at,
  };
};

/** Copies a differing value into the record. Throws 409 when the record has changed since the caller saw it. */
export const acceptDifference = async (
  scope: Scope,
  id: string,
  { differenceId, revision }: AcceptedDifference,
): Promise<PatientDetails> => {
  const patient = await patientToChange(scope, id);
  refuseChanged(patient, revision);
  const { field, value } = await differenceById(scope, id, differenceId);
  await scope.db
    .updateTable('patients')
    .set({ [field]: value, revision: revision + 1, updated_at: sql`now()` })
    .where('id', '=', id)
    .execute();
  await decide(scope, id, differenceId, 'ACCEPTED');
  await audit(scope, 'patient.accept_difference', { ...subjectOf(id), detail: { fields: field } });
  await announce(scope, { kind: 'patient', patientId: id });
  return detailsOf(scope, id);
};

/** Closes a difference for good, without a change of the record. */
export const dismissDifference = async (
  scope: Scope,
  id: string,
  { differenceId }: DismissedDifference,
): Promise<void> => {
  await patientToChange(scope, id);
  const { field } = await differenceById(scope, id, differenceId);
  await decide(scope, id, differenceId, 'DISMISSED');
  await audit(scope, 'patient.dismiss_difference', { ...subjectOf(id), detail: { fields: field } });
  await announce(scope, { kind: 'patient', patientId: id });
};

const subjectOf = (id: string) => ({ entity: 'patient', entityId: id, patientId: id }) as const;

const differenceById = async (scope: Scope, patientId: string, id: string): Promise<OpenDifference> =>
  orNotFound(await openDifferences(scope, patientId).where('d.id', '=', id).executeTakeFirst(), 'difference');

const decide = async ({ db, session }: Scope, patientId: string, id: string, status: 'ACCEPTED' | 'DISMISSED') => {
  await db
    .updateTable('patient_differences')
    .set({ status, decided_by: session.userId || null, decided_at: sql`now()` })
    .where('id', '=', id)
    .where('patient_id', '=', patientId)
    .execute();
};
