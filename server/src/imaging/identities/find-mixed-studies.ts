import { pluralSentence, sentence } from '@radwork/contract/core/translate';
import { sql } from 'kysely';
import { deciders, type OpenIdentity, openIdentities } from '#imaging/archive/patient-matching/identity-questions.ts';
import {
  type FirstPatientData,
  patientDataOfFirstImages,
} from '#imaging/archive/patient-matching/patient-data-of-studies.ts';
import { storedTenants } from '#imaging/archive/upkeep/stored-tenants.ts';
import { identityContradictions } from '#imaging/archive/patient-matching/identity-contradictions.ts';
import { notify } from '#core/notifications/notify.ts';
import { startPeriodicTask } from '#core/jobs/periodic-task.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';

/**
 * Number of patients that one transaction searches. If the server stops, the next server continues with the patient
 * after the last one searched.
 */
const patientsAtOnce = 50;

/**
 * Searches all stored studies once for patient records with data of two persons. Returns a function that stops the
 * search.
 */
export const startIdentitySearch = (scopes: Scopes, onError: (error: unknown) => void): (() => Promise<void>) =>
  startPeriodicTask({ everyMs: 60_000, runOnce: () => findMixed(scopes), onError });

export const findMixed = async (scopes: Scopes): Promise<void> => {
  for (const tenantId of await storedTenants(scopes)) {
    let isMore = true;
    while (isMore) isMore = await scopes.inTenant(systemSession(tenantId), lookFurther);
  }
};

/** Searches the next patients of the tenant. Returns false when no patient is left, or another server is searching. */
const lookFurther = async (scope: Scope): Promise<boolean> => {
  const { db } = scope;
  await sql`
    insert into identity_searches (patients_in_all)
    select count(*)::int from patients where merged_into is null on conflict do nothing`.execute(db);
  const search = await db.selectFrom('identity_searches').selectAll().forUpdate().skipLocked().executeTakeFirst();
  if (!search || search.finished_at !== null) return false;
  const patients = await db
    .selectFrom('patients')
    .select(['id', 'patient_id', 'patient_name', 'gender', 'date_of_birth', 'known_names'])
    .where('merged_into', 'is', null)
    .$if(search.last_patient_id !== null, (query) => query.where('id', '>', search.last_patient_id))
    .orderBy('id')
    .limit(patientsAtOnce)
    .execute();
  const questions: OpenIdentity[] = [];
  for (const patient of patients) questions.push(...(await mixedStudies(scope, patient)));
  const opened = await openIdentities(scope, questions);
  const last = patients.at(-1)?.id ?? search.last_patient_id;
  await db
    .updateTable('identity_searches')
    .set({
      last_patient_id: last,
      patients_looked_at: sql`patients_looked_at + ${patients.length}`,
      studies_found: sql`studies_found + ${opened.length}`,
      ...(patients.length < patientsAtOnce && { finished_at: sql`now()` }),
    })
    .execute();
  const isMore = patients.length === patientsAtOnce;
  if (!isMore) await notifyOfSearch(scope, search.studies_found + opened.length);
  return isMore;
};

/** Sends a single notification about all results of the search. */
const notifyOfSearch = async (scope: Scope, studies: number): Promise<void> => {
  if (studies === 0) return;
  await notify(scope, {
    to: await deciders(scope),
    type: 'IDENTITY',
    title: sentence`Found patient records that may belong to two people`,
    message: pluralSentence(studies, { one: '# study needs a decision.', other: '# studies need a decision.' }),
    link: '/identities',
  });
};

type Patient = {
  id: string;
  patient_id: string;
  patient_name: string;
  gender: string;
  date_of_birth: string | null;
  known_names: string[];
};

/**
 * Returns studies whose first image contradicts both the patient record and another study of the record. Skips studies
 * that users moved to this record, because the users have decided about them.
 */
const mixedStudies = async (scope: Scope, patient: Patient): Promise<OpenIdentity[]> => {
  const studies = await scope.db
    .selectFrom('studies')
    .select('id')
    .where('patient_id', '=', patient.id)
    .where('named_patient_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where('instance_count', '>', 0)
    .execute();
  if (studies.length < 2) return [];
  const identities = await patientDataOfFirstImages(
    scope,
    studies.map(({ id }) => id),
  );
  return identities.flatMap((identity): OpenIdentity[] => {
    const fields = identityContradictions(identity.patientData, patient, { knownNames: patient.known_names });
    if (fields.length === 0 || !isUnderId(identity, patient) || !identities.some((other) => areTwo(identity, other)))
      return [];
    const { studyId } = identity;
    return [
      {
        studyId,
        patientData: identity.patientData,
        fields,
        knownPatientId: patient.id,
        provisionalPatientId: null,
        origin: 'FOUND',
      },
    ];
  });
};

const isUnderId = ({ patientData }: FirstPatientData, { patient_id }: Patient): boolean =>
  patientData.patient_id === patient_id;

const areTwo = (one: FirstPatientData, other: FirstPatientData): boolean =>
  identityContradictions(one.patientData, other.patientData).length > 0;
