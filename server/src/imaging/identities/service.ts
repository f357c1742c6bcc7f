import { t } from '@radwork/contract/core/translate';
import type { Body, Query } from '@radwork/contract/core/endpoint';
import type { identities as endpoints, IdentityQuestion } from '@radwork/contract/imaging/identities';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import { sql } from 'kysely';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { Sessions } from '#core/access/sessions.ts';
import { merge } from '#imaging/patients/merge-patients.ts';
import { move } from '#imaging/patients/move-study.ts';
import { patientById } from '#imaging/patient-records/patient-rows.ts';
import { undo as undoMerge } from '#imaging/patients/undo-merge.ts';
import { remove, restore } from '#imaging/studies/recycle-bin.ts';
import { studyChanged } from '#imaging/studies/study-changes.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';
import { knownQuestions, questionById, storedQuestions, type StoredQuestion, toQuestion } from './question-rows.ts';
import { clearOtherNames, rememberNames } from '#imaging/identity-marks/settle-identities.ts';

export const list = async (
  scope: Scope,
  { state, ...paging }: Query<typeof endpoints.list>,
): Promise<Page<IdentityQuestion>> => {
  const isOpen = state === 'OPEN';
  const { total } = await knownQuestions(scope)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('q.state', isOpen ? '=' : '<>', 'OPEN')
    .executeTakeFirstOrThrow();
  const rows = await storedQuestions(scope)
    .where('q.state', isOpen ? '=' : '<>', 'OPEN')
    .orderBy(isOpen ? 'q.opened_at' : 'q.decided_at', isOpen ? 'asc' : 'desc')
    .orderBy('q.id')
    .limit(paging.size)
    .offset(paging.page * paging.size)
    .execute();
  return pageOf(rows.map(toQuestion), total, paging);
};

/** Counts the open questions, and returns the progress of the search through stored studies. */
export const count = async (scope: Scope) => {
  const { open } = await knownQuestions(scope)
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .where('q.state', '=', 'OPEN')
    .executeTakeFirstOrThrow();
  const search = await scope.db
    .selectFrom('identity_searches')
    .select(['patients_looked_at as patientsLookedAt', 'patients_in_all as patientsInAll'])
    .select(['studies_found as studiesFound', 'finished_at as finishedDate'])
    .executeTakeFirst();
  return { open, search: search ?? null };
};

type Decision = Body<typeof endpoints.decide>;

/**
 * Decides to which patient the images of a study belong. Throws 409 if the question was already decided or the study
 * has changed. Also throws the errors of a merge, a move or a deletion.
 */
export const decide = async (
  scope: Scope,
  sessions: Sessions,
  id: string,
  { decision, studyRevision, confirmedName }: Decision,
): Promise<IdentityQuestion> => {
  refuseLimited(scope.session);
  const { study_id } = await questionById(scope, id);
  const study = await studyToChange(scope, study_id);
  const question = await questionById(scope, id);
  if (question.state !== 'OPEN') throw conflict('identity.decided', t`This question was already decided. Reload it.`);
  if (study.revision !== studyRevision) throw studyChanged(`at revision ${study.revision}`);
  if (decision === 'SENT_BACK') await sendBack(scope, sessions, question);
  else if (decision === 'SAME_PERSON') await joinPatients(scope, question);
  else await separate(scope, question, confirmedName);
  await noteDecision(scope, 'identity.decide', question, { decision });
  return toQuestion(await questionById(scope, id));
};

const sendBack = async (scope: Scope, sessions: Sessions, { id, study_id }: StoredQuestion) => {
  await remove(scope, sessions, study_id);
  await close(scope, sql`q.id = ${id}::uuid`, 'SENT_BACK');
};

/** Merges the provisional record, with all its studies, into the patient who has the same Patient ID. */
const joinPatients = async (scope: Scope, { id, known_patient_id, provisional_patient_id }: StoredQuestion) => {
  if (provisional_patient_id === null) return close(scope, sql`q.id = ${id}::uuid`, 'SAME_PERSON');
  const survivor = await survivorOf(scope, known_patient_id);
  const source = await patientById(scope, provisional_patient_id);
  // The merge closes the questions of all studies of the provisional patient (settle-identities.ts).
  await merge(scope, survivor.id, {
    sourceId: source.id,
    revision: survivor.revision,
    sourceRevision: source.revision,
    keep: {},
    isOnePerson: true,
  });
};

const survivorOf = async (scope: Scope, patientId: string) => {
  const patient = await patientById(scope, patientId);
  return patient.merged_into === null ? patient : patientById(scope, patient.merged_into);
};

/**
 * Keeps the provisional record as a separate patient. If there is none, moves the study from the patient with the same
 * Patient ID to a new patient.
 */
const separate = async (scope: Scope, question: StoredQuestion, confirmedName: string) => {
  const { study_id, provisional_patient_id } = question;
  if (provisional_patient_id !== null) {
    return close(scope, sql`q.provisional_patient_id = ${provisional_patient_id}::uuid`, 'ANOTHER_PERSON');
  }
  const to = await makePatient(scope, question);
  const study = await studyToChange(scope, study_id);
  await move(scope, to.id, {
    studyId: study_id,
    studyRevision: study.revision,
    fromId: study.patient_id,
    toRevision: to.revision,
    confirmedName,
  });
};

const makePatient = async (scope: Scope, question: StoredQuestion) => {
  const { known_identifier, said_name, said_gender, said_birth, known_patient_id } = question;
  const id = newId();
  const inserted = await scope.db
    .insertInto('patients')
    .values({
      id,
      patient_id: known_identifier,
      issuer: `PROVISIONAL-${id.replaceAll('-', '').slice(-12).toUpperCase()}`,
      patient_name: said_name,
      gender: said_gender === 'F' || said_gender === 'M' || said_gender === 'O' ? said_gender : 'U',
      date_of_birth: said_birth,
      provisional_for: known_patient_id,
    })
    .returning(['id', 'revision'])
    .executeTakeFirst();
  return orNotFound(inserted, 'patient');
};

type DecidedState = Exclude<StoredQuestion['state'], 'OPEN'>;

const close = async (scope: Scope, which: ReturnType<typeof sql>, state: DecidedState): Promise<void> => {
  const { rows } = await sql<{ study_id: string }>`
    update identity_questions q set state = ${state}, decided_at = now(), decided_by = ${scope.session.userId || null}::uuid
    where q.state = 'OPEN' and ${which} returning study_id`.execute(scope.db);
  const studyIds = rows.map(({ study_id }) => study_id);
  await clearOtherNames(scope, studyIds);
  for (const studyId of studyIds) await announce(scope, { kind: 'study', studyId });
};

/** Undoes a decision. Throws 409 after 30 days. Also throws the errors of undoing a merge and of restoring a study. */
export const undo = async (scope: Scope, id: string): Promise<IdentityQuestion> => {
  refuseLimited(scope.session);
  const question = await questionById(scope, id);
  if (question.state === 'OPEN') throw conflict('identity.open', t`This question is already open.`);
  if (!question.is_in_time) throw conflict('identity.too_late', t`Decisions can be undone for 30 days only.`);
  // Undoing the merge or the move also opens its questions again (settle-identities.ts).
  if (question.merge_id !== null) await undoMerge(scope, question.known_patient_id, question.merge_id);
  else await reopen(scope, question);
  await noteDecision(scope, 'identity.undo', question, { decision: question.state });
  return toQuestion(await questionById(scope, id));
};

/** Opens the questions of all studies of a provisional patient again, because the decision covered all of them. */
const reopen = async (scope: Scope, { id, state, study_id, provisional_patient_id, decided_at }: StoredQuestion) => {
  if (state === 'SENT_BACK') await restore(scope, study_id);
  const together = sql`(q.id = ${id}::uuid or q.state = 'ANOTHER_PERSON' and q.merge_id is null
    and q.provisional_patient_id = ${provisional_patient_id}::uuid and q.decided_at = ${decided_at}::timestamptz)`;
  const { rows } = await sql<{ study_id: string }>`
    update identity_questions q set state = 'OPEN', decided_at = null, decided_by = null
    where ${together} and not exists (
      select from identity_questions other where other.study_id = q.study_id and other.state = 'OPEN')
    returning study_id`.execute(scope.db);
  const studyIds = rows.map((row) => row.study_id);
  await rememberNames(scope, studyIds);
  for (const studyId of studyIds) await announce(scope, { kind: 'study', studyId });
};

const noteDecision = (
  scope: Scope,
  action: string,
  { study_id, known_patient_id, provisional_patient_id }: StoredQuestion,
  detail: { decision: string },
) =>
  audit(scope, action, {
    entity: 'study',
    entityId: study_id,
    studyId: study_id,
    patientId: provisional_patient_id ?? known_patient_id,
    detail: { ...detail, known: known_patient_id },
  });
