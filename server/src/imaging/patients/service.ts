import { t } from '@radwork/contract/core/translate';
import type { Body, Query } from '@radwork/contract/core/endpoint';
import { pageOf } from '@radwork/contract/core/paging';
import type {
  PatientDetails,
  PatientIdentifier,
  PatientPage,
  PatientRow,
  patients as endpoints,
} from '@radwork/contract/imaging/patients';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import type { Scope } from '#core/access/scope.ts';
import { refuseWithoutGroup } from '#core/access/refuse-limited.ts';
import { searchWordsOf } from '#core/values/search-text.ts';
import { knowsAllStudies } from '#core/access/study-access.ts';
import { patientsInQuestion } from '#imaging/identity-marks/identity-marks.ts';
import { birthDaysOf, refuseBirthToCome } from '#imaging/patient-records/birth-days.ts';
import { patientsOnceKnownAs } from '#imaging/patient-records/former-id-search.ts';
import { freeIdFor, isPartOfMerge, storeFormerId, removeFormerId } from './former-ids.ts';
import {
  changesOf,
  columnsOfForm,
  idTaken,
  type PatientForm,
  recordWithId,
  refuseForgottenBirth,
  refuseOutdated,
} from '#imaging/patient-records/patient-changes.ts';
import { detailsOf, viewedDetailsOf } from './patient-details.ts';
import { countPatients, type PatientFilter, patientIds } from '#imaging/patient-records/patient-keys.ts';
import { listedPatients, patientToChange, toPatientRow } from '#imaging/patient-records/patient-rows.ts';

const subjectOf = (id: string) => ({ entity: 'patient', entityId: id, patientId: id }) as const;

/** Maximum number of patients that are counted for a list. Counting so many takes as long as reading a page. */
const mostCounted = 10_000;

/** Number of pages after the current one that the total always includes, if they exist. */
const pagesAhead = 3;

/**
 * Finds visible patients whose name and ID together contain every word, or who had the whole text as a former ID. If a
 * patient has an open identity question, the name of the other person also finds the patient.
 */
export const list = async (scope: Scope, query: Query<typeof endpoints.list>): Promise<PatientPage> => {
  const { searchQuery, page, size, sort } = query;
  const { filter, onceKnown } = await filterOf(scope, query);
  const offset = page * size;
  const most = Math.max(mostCounted, offset + (1 + pagesAhead) * size);
  const counted = await countPatients(scope, filter, most + 1);
  const isTotalExact = counted <= most;
  const total = Math.min(counted, most);
  const ids = await patientIds(scope, filter, sort, { offset, limit: size, total, isTotalExact });
  const rows = await rowsWith(scope, ids, { onceKnown, searchQuery });
  return { ...pageOf(rows, total, query), isTotalExact, sort: `${sort.field},${sort.direction}` };
};

type PatientQuery = Omit<Query<typeof endpoints.list>, 'page' | 'size'>;

/** Returns the filter of a query, and the patients who had the searched text as a former ID. */
const filterOf = async (
  scope: Scope,
  { searchQuery, gender, minAge, maxAge, fromDate, toDate }: PatientQuery,
): Promise<{ filter: PatientFilter; onceKnown: string[] }> => {
  const words = searchWordsOf(searchQuery);
  const born = await birthDaysOf(scope, { minAge, maxAge });
  const onceKnown = await patientsOnceKnownAs(scope, searchQuery);
  const alsoFound = [...onceKnown, ...(await patientsInQuestion(scope, words))];
  return { filter: { words, alsoFound, gender, ...born, fromDate, toDate }, onceKnown };
};

/** Returns the ids of the matching patients in their order, at most `most`. */
export const listedIds = async (scope: Scope, query: PatientQuery, most: number): Promise<string[]> => {
  const { filter } = await filterOf(scope, query);
  const total = await countPatients(scope, filter, most);
  return patientIds(scope, filter, query.sort, { offset: 0, limit: most, total, isTotalExact: total < most });
};

/** Returns the first matching patients by name, without counting the matches. */
export const firstWith = async (scope: Scope, searchQuery: string, limit: number): Promise<PatientRow[]> => {
  const words = searchWordsOf(searchQuery);
  const onceKnown = await patientsOnceKnownAs(scope, searchQuery);
  const filter: PatientFilter = { words, alsoFound: [...onceKnown, ...(await patientsInQuestion(scope, words))] };
  // The count decides whether patients are read in name order or the matches are sorted. For users with few studies,
  // the matches are always sorted.
  const counted = knowsAllStudies(scope.session) ? await countPatients(scope, filter, mostCounted + 1) : limit;
  const isTotalExact = counted <= mostCounted;
  const byName = { field: 'patientName', direction: 'asc' } as const;
  const ids = await patientIds(scope, filter, byName, { offset: 0, limit, total: counted, isTotalExact });
  return rowsWith(scope, ids, { onceKnown, searchQuery });
};

type PatientSearch = { onceKnown: readonly string[]; searchQuery: string };

const rowsWith = async (scope: Scope, ids: readonly string[], { onceKnown, searchQuery }: PatientSearch) =>
  (await listedPatients(scope, ids)).map((patient): PatientRow => ({
    ...toPatientRow(patient),
    ...(onceKnown.includes(patient.id) && { formerId: searchQuery }),
  }));

/** Returns a patient with all details and audits the view. */
export const get = (scope: Scope, id: string): Promise<PatientDetails> => viewedDetailsOf(scope, id);

/** Creates a patient. Throws 409 that names the patient with the same ID. */
export const create = async (scope: Scope, form: PatientForm): Promise<PatientDetails> => {
  refuseWithoutGroup(scope.session);
  await refuseBirthToCome(scope, form.dateOfBirth);
  const values = { id: newId(), ...columnsOfForm(form) };
  const inserted = await scope.db
    .insertInto('patients')
    .values(values)
    .onConflict((conflicting) => conflicting.columns(['tenant_id', 'patient_id', 'issuer']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!inserted) throw idTaken((await recordWithId(scope, values)) ?? { id: '', merged_into: null });
  await audit(scope, 'patient.create', subjectOf(values.id));
  await announce(scope, { kind: 'patient', patientId: values.id });
  return detailsOf(scope, values.id);
};

/**
 * Corrects a patient whose revision the caller has seen. The previous ID still finds the patient, unless the form says
 * that it was wrong.
 */
export const update = async (
  scope: Scope,
  id: string,
  { revision, isFormerIdKept, ...form }: Body<typeof endpoints.update>,
): Promise<PatientDetails> => {
  const patient = await patientToChange(scope, id);
  refuseOutdated(patient, revision, form);
  refuseForgottenBirth(patient, form);
  await refuseBirthToCome(scope, form.dateOfBirth);
  const changes = changesOf(patient, form);
  const isRenumbered = changes.patient_id !== undefined || changes.issuer !== undefined;
  if (isRenumbered) await freeIdFor(scope, id, { patient_id: form.patientId, issuer: form.issuer });
  // Another record that the caller does not see may have the ID. The error is the same as for a visible record.
  await unlessTaken(
    'patients_tenant_id_patient_id_issuer_key',
    () => idTaken({ id: '', merged_into: null }),
    scope.db
      .updateTable('patients')
      .set({ ...changes, revision: revision + 1, updated_at: sql`now()` })
      .where('id', '=', id),
  );
  if (isRenumbered && isFormerIdKept) await storeFormerId(scope, patient);
  await audit(scope, 'patient.update', { ...subjectOf(id), detail: { fields: Object.keys(changes).join(' ') } });
  await announce(scope, { kind: 'patient', patientId: id });
  return detailsOf(scope, id);
};

/** Releases a former ID that belongs to another patient (see `removeFormerId`). */
export const releaseFormerId = async (
  scope: Scope,
  id: string,
  { patientId, issuer }: PatientIdentifier,
): Promise<PatientDetails> => {
  await patientToChange(scope, id);
  await removeFormerId(scope, id, { patient_id: patientId, issuer });
  await audit(scope, 'patient.update', { ...subjectOf(id), detail: { fields: 'formerIdentifiers' } });
  await announce(scope, { kind: 'patient', patientId: id });
  return detailsOf(scope, id);
};

/** Deletes a patient who has no studies and no merged records. */
export const remove = async (scope: Scope, id: string): Promise<void> => {
  await patientToChange(scope, id);
  await refuseToLose(scope, id);
  await scope.db.deleteFrom('patients').where('id', '=', id).execute();
  await audit(scope, 'patient.delete', subjectOf(id));
  await announce(scope, { kind: 'patient', patientId: id });
};

const refuseToLose = async (scope: Scope, id: string) => {
  const study = await scope.db
    .selectFrom('studies')
    .select('deleted_at')
    .where('patient_id', '=', id)
    .orderBy('deleted_at', (order) => order.asc().nullsFirst())
    .executeTakeFirst();
  if (study) {
    throw conflict(
      'patient.has_studies',
      study.deleted_at === null
        ? t`This patient has studies and cannot be deleted. Merge the patient into another patient instead.`
        : t`This patient has studies in the recycle bin and cannot be deleted. Merge the patient into another patient instead.`,
    );
  }
  const record = await scope.db.selectFrom('patients').select('id').where('merged_into', '=', id).executeTakeFirst();
  if (record || (await isPartOfMerge(scope, id))) {
    throw conflict('patient.has_records', t`This patient was part of a merge or move and cannot be deleted.`);
  }
};
