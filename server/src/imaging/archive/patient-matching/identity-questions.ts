import { sentence } from '@radwork/contract/core/translate';
import type { IdentityOrigin } from '@radwork/contract/imaging/identities';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import type { Scope } from '#core/access/scope.ts';
import type { Contradiction } from './match-patients.ts';

/**
 * A study whose files contradict the patient who has the same Patient ID. `provisionalPatientId`: the provisional
 * patient of the study, or null if the study stayed with the known patient.
 */
export type OpenIdentity = Contradiction & {
  studyId: string;
  knownPatientId: string;
  provisionalPatientId: string | null;
  origin: IdentityOrigin;
};

/**
 * Opens an identity question for each study, in the caller's transaction. Skips studies with an open question, and
 * studies whose question about the same patient data was decided. Returns the ids of the marked studies.
 */
export const openIdentities = async (scope: Scope, questions: readonly OpenIdentity[]): Promise<string[]> => {
  const opened: string[] = [];
  for (const question of questions) if (await openOne(scope, question)) opened.push(question.studyId);
  return opened;
};

const openOne = async (scope: Scope, one: OpenIdentity): Promise<boolean> => {
  const { studyId, knownPatientId, provisionalPatientId, origin, fields, patientData } = one;
  const { rows } = await sql`
    insert into identity_questions (id, study_id, known_patient_id, provisional_patient_id, said_name, said_gender, said_birth,
      contradictions, origin)
    select ${newId()}::uuid, ${studyId}::uuid, ${knownPatientId}::uuid, ${provisionalPatientId}::uuid, ${patientData.patient_name},
      ${patientData.gender}, ${patientData.date_of_birth}::date, ${fields}::text[], ${origin}
    where not exists (
      select from identity_questions
      where study_id = ${studyId}::uuid and said_name = ${patientData.patient_name} and said_gender = ${patientData.gender}
        and said_birth is not distinct from ${patientData.date_of_birth}::date and state <> 'SENT_BACK')
    on conflict (tenant_id, study_id) where state = 'OPEN' do nothing
    returning id`.execute(scope.db);
  if (rows.length === 0) return false;
  // The other name: the one that the study does not show.
  const otherName = provisionalPatientId === null ? sql`${patientData.patient_name}::text` : nameOf(knownPatientId);
  await scope.db
    .updateTable('studies')
    .set({ identity_names: sql`${otherName}`, updated_at: sql`now()` })
    .where('id', '=', studyId)
    .execute();
  await audit(scope, 'identity.open', {
    entity: 'study',
    entityId: studyId,
    studyId,
    patientId: provisionalPatientId ?? knownPatientId,
    detail: { known: knownPatientId, contradictions: fields.join(' '), origin },
  });
  if (origin !== 'FOUND') await notifyOfQuestion(scope, studyId);
  return true;
};

/** Notifies the users who may decide about one question. A search through stored studies sends one summary instead. */
const notifyOfQuestion = async (scope: Scope, studyId: string): Promise<void> =>
  notify(scope, {
    to: await deciders(scope),
    type: 'IDENTITY',
    title: sentence`Confirm the identity of a study`,
    ...(await aboutStudy(scope, studyId)),
    link: '/identities',
    isForActorToo: true,
  });

/** The users who may decide to which patient images belong. */
export const deciders = async ({ db }: Scope): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u
    where u.is_active and exists (
      select from user_roles ur join roles r on r.id = ur.role_id
      where ur.user_id = u.id and 'patient.merge' = any (r.permissions))`.execute(db);
  return rows.map(({ id }) => id);
};

const nameOf = (patientId: string) => sql`(select patient_name from patients where id = ${patientId}::uuid)`;
