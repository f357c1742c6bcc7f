import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  type MergePreview,
  type PatientField,
  patientFieldLabels,
  type patientMerges as endpoints,
  type PatientMerge,
} from '@radwork/contract/imaging/patient-merges';
import { sql } from 'kysely';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import { newId } from '#core/values/ids.ts';
import { invalid, malformed } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { closeIdentityQuestions } from '#imaging/identity-marks/settle-identities.ts';
import { countOf, fileStudies } from './file-studies.ts';
import { lockPatients, refuseChanged } from './lock-patients.ts';
import { mergeById, toPatientMerge } from './merge-rows.ts';
import { viewedDetailsOf } from './patient-details.ts';
import { contradictionsOf, type Demographics, differingFields, patientColumns, shownField } from './patient-fields.ts';
import { patientById, type StoredPatient } from '#imaging/patient-records/patient-rows.ts';

const refuseItself = (one: string, other: string) => {
  if (one === other) throw malformed(t`A patient cannot be merged into itself`);
};

/** Returns whose value of a field is used by default: the survivor's, or the source's if the survivor's is empty. */
const keptSide = (survivor: Demographics, field: PatientField) =>
  shownField(survivor, field) === '' ? ('source' as const) : ('survivor' as const);

/**
 * Throws 422 when gender or birth date differ, because the records may be of two persons. The user can confirm that
 * they are one.
 */
const refuseTwoPeople = (survivor: Demographics, source: Demographics) => {
  const against = contradictionsOf(survivor, source).map((field) => patientFieldLabels[field].toLowerCase());
  if (against.length === 0) return;
  const fields = against.join(' and ');
  const isOnePerson = t`The records differ in ${fields}. Confirm that they belong to the same person.`;
  throw invalid({ isOnePerson });
};

/** Returns what a merge would do, without merging. Audits a view of both patients. */
export const previewMerge = async (scope: Scope, survivorId: string, sourceId: string): Promise<MergePreview> => {
  refuseItself(survivorId, sourceId);
  const survivor = await patientById(scope, survivorId);
  const source = await patientById(scope, sourceId);
  const details = await viewedDetailsOf(scope, sourceId);
  const { patientId, issuer, formerIdentifiers } = details;
  return {
    survivor: await viewedDetailsOf(scope, survivorId),
    source: details,
    differences: differingFields(survivor, source).map((field) => ({
      field,
      survivor: shownField(survivor, field),
      source: shownField(source, field),
      kept: keptSide(survivor, field),
    })),
    contradictions: contradictionsOf(survivor, source),
    moves: {
      ...(await countOf(scope, sql`patient_id = ${sourceId}`)),
      identifiers: [{ patientId, issuer }, ...formerIdentifiers],
    },
  };
};

/**
 * Merges the source record into the survivor, in one transaction. The studies and reports of the source are filed under
 * the survivor, and its IDs refer to the survivor. Conflicting fields get the chosen value. The source record still
 * exists, and files are unchanged.
 */
export const merge = async (
  scope: Scope,
  survivorId: string,
  { sourceId, revision, sourceRevision, keep, isOnePerson }: Body<typeof endpoints.merge>,
): Promise<PatientMerge> => {
  refuseLimited(scope.session);
  refuseItself(survivorId, sourceId);
  const [survivor, source] = await lockPatients(scope, [survivorId, sourceId]);
  refuseChanged(survivor, revision);
  refuseChanged(source, sourceRevision);
  if (!isOnePerson) refuseTwoPeople(survivor, source);
  const changes = changesOf(survivor, source, keep);
  const identifiers = await pointTo(scope, survivor, source);
  // Runs before the studies are filed, because filing copies the survivor's data.
  await takeOver(scope, survivor, changes);
  const studyIds = await fileStudies(scope, survivorId, sql`patient_id = ${sourceId}`);
  const id = newId();
  await scope.db
    .insertInto('patient_merges')
    .values({
      id,
      kind: 'MERGE',
      survivor_id: survivorId,
      source_id: sourceId,
      study_ids: studyIds,
      identifier_ids: identifiers,
      changes: JSON.stringify(changes),
      made_by: scope.session.userId || null,
    })
    .execute();
  await closeIdentityQuestions(scope, { mergeId: id, survivorId, sourceId });
  await emit(scope, 'study.filedElsewhere', { studyIds, patientIds: [survivorId, sourceId], isSamePerson: true });
  await announcePatients(scope, 'patient.merge', { id, survivorId, sourceId, studyIds });
  return toPatientMerge(await mergeById(scope, survivorId, id));
};

/** Columns of the survivor that a merge changes, with the values before and after. */
export type Changes = Partial<Record<keyof Demographics, { before: string | null; after: string | null }>>;

const changesOf = (
  survivor: StoredPatient,
  source: StoredPatient,
  keep: Body<typeof endpoints.merge>['keep'],
): Changes => {
  const fromSource = differingFields(survivor, source).filter(
    (field) => (keep[field] ?? keptSide(survivor, field)) === 'source',
  );
  return Object.fromEntries(
    fromSource.map((field) => {
      const column = patientColumns[field];
      return [column, { before: survivor[column], after: source[column] }];
    }),
  );
};

/** Makes the source, and all records that refer to it, refer to the survivor. */
const pointTo = async ({ db }: Scope, survivor: StoredPatient, source: StoredPatient): Promise<string[]> => {
  const rows = await db
    .updateTable('patients')
    .set({ merged_into: survivor.id, revision: sql`revision + 1`, updated_at: sql`now()` })
    .where((eb) => eb.or([eb('id', '=', source.id), eb('merged_into', '=', source.id)]))
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
};

const takeOver = async ({ db }: Scope, survivor: StoredPatient, changes: Changes) => {
  const values = Object.fromEntries(Object.entries(changes).map(([column, { after }]) => [column, after]));
  await db
    .updateTable('patients')
    .set({ ...values, revision: survivor.revision + 1, updated_at: sql`now()` })
    .where('id', '=', survivor.id)
    .execute();
};

type PatientChange = { id: string; survivorId: string; sourceId: string; studyIds: readonly string[] };

/** Maximum number of studies that are announced one by one. For more studies, browsers reload the list. */
const mostAnnounced = 200;

/** Writes the action to the audit log for both patients, and announces it to browsers. */
export const announcePatients = async (
  scope: Scope,
  action: string,
  { id, survivorId, sourceId, studyIds }: PatientChange,
): Promise<void> => {
  for (const patientId of [survivorId, sourceId]) {
    await audit(scope, action, {
      entity: 'patient',
      entityId: patientId,
      patientId,
      detail: { merge: id, from: sourceId, to: survivorId, studies: studyIds.length },
    });
    await announce(scope, { kind: 'patient', patientId });
  }
  for (const studyId of studyIds.slice(0, mostAnnounced)) await announce(scope, { kind: 'study', studyId });
};
