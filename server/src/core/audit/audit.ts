import type { AuditEntity } from '@radwork/contract/all';
import { type InsertObject, type RawBuilder, sql } from 'kysely';
import type { Schema } from '#core/database/database.ts';
import type { ReadingScope, Scope, Session } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';

export type Subject = {
  entity: AuditEntity;
  entityId?: string;
  studyId?: string;
  patientId?: string;
  outcome?: 'SUCCESS' | 'FAILURE';
  /** Facts that help to understand the entry. They contain no clinical text, name or secret. */
  detail?: Record<string, string | number | boolean>;
};

/** The fields of an entry except its patient. */
const factsOf = (session: Session, action: string, subject: Subject) => ({
  user_id: session.userId === '' ? null : session.userId,
  username: session.username,
  // Null when there is no user: the server acts, or the caller is not signed in.
  user_type: session.userId === '' ? null : session.userType,
  action,
  entity: subject.entity,
  entity_id: subject.entityId ?? '',
  study_id: subject.studyId ?? null,
  outcome: subject.outcome ?? 'SUCCESS',
  address: session.address,
  detail: subject.detail ? JSON.stringify(subject.detail) : null,
});

type Facts = ReturnType<typeof factsOf>;

/** Names each column, because a prepared statement binds only the columns named when it was built. */
const rowOf = (facts: Facts): InsertObject<Schema, 'audit_entries'> => ({
  user_id: facts.user_id,
  username: facts.username,
  user_type: facts.user_type,
  action: facts.action,
  entity: facts.entity,
  entity_id: facts.entity_id,
  study_id: facts.study_id,
  outcome: facts.outcome,
  address: facts.address,
  detail: sql`${facts.detail}::jsonb`,
});

/**
 * Writes an audit entry in the transaction of the act, so that every stored act has its entry. `action` is written
 * "noun.verb", such as "report.finalize" (IHE ATNA, DICOM PS3.15 A.5).
 */
export const audit = async ({ db, session }: Scope, action: string, subject: Subject): Promise<void> => {
  const { studyId, patientId } = subject;
  const facts = factsOf(session, action, subject);
  await (studyId && !patientId ? writeOfStudy(db, facts) : write(db, { ...facts, patientId: patientId ?? null }));
};

const write = statement((db, entry: Facts & { patientId: string | null }) =>
  db.insertInto('audit_entries').values({ ...rowOf(entry), patient_id: entry.patientId }),
);

/** Reads the patient from the study when the entry is written. */
const writeOfStudy = statement((db, entry: Facts) =>
  db.insertInto('audit_entries').values({ ...rowOf(entry), ...inStudy(sql`${entry.study_id}::uuid`) }),
);

const patientOf = ({ studyId, patientId }: Subject) =>
  studyId && !patientId ? inStudy(sql`${studyId}::uuid`) : { patient_id: patientId ?? null };

/**
 * An act to be written to the audit log together with other acts of its tenant. If the caller knows only the UID of a
 * study, `studyUid` replaces its id.
 */
export type AuditedAct = { session: Session; action: string; subject: Subject & { studyUid?: string } };

/** Finds the study and the patient of the subject when the entry is written. */
const placeOf = (subject: AuditedAct['subject']) => {
  const { entity, entityId = '', studyUid } = subject;
  const one = sql`${entityId}::uuid`;
  if (studyUid !== undefined) {
    const ofUid = (column: string) =>
      sql<string>`(select ${sql.ref(column)} from studies where study_instance_uid = ${studyUid})`;
    return {
      entity_id: sql<string>`coalesce(${ofUid('id')}::text, '')`,
      study_id: ofUid('id'),
      patient_id: ofUid('patient_id'),
    };
  }
  if (entity === 'report' && entityId) return inStudy(sql`(select study_id from reports where id = ${one})`);
  if (entity === 'critical_finding' && entityId)
    return inStudy(sql`(select study_id from critical_findings where id = ${one})`);
  if (entity === 'follow_up' && entityId)
    return inStudy(sql`(select r.study_id from follow_ups f join reports r on r.id = f.report_id where f.id = ${one})`);
  if (entity === 'peer_review' && entityId)
    return inStudy(
      sql`(select r.study_id from peer_reviews p join reports r on r.id = p.report_id where p.id = ${one})`,
    );
  return patientOf(subject);
};

const inStudy = (studyId: RawBuilder<string>) => ({
  study_id: studyId,
  patient_id: sql<string>`(select patient_id from studies where id = ${studyId})`,
});

/** Writes several entries of one tenant in one statement. */
export const auditAll = async ({ db }: ReadingScope, acts: readonly AuditedAct[]): Promise<void> => {
  const rows = acts.map(({ session, action, subject }) => ({
    ...rowOf(factsOf(session, action, subject)),
    ...placeOf(subject),
  }));
  await db.insertInto('audit_entries').values(rows).execute();
};

/** Writes an audit entry about a study and its current patient. */
export const auditStudy = (
  scope: Scope,
  action: string,
  { id, patient_id }: { id: string; patient_id: string },
  detail?: Subject['detail'],
): Promise<void> =>
  audit(scope, action, {
    entity: 'study',
    entityId: id,
    studyId: id,
    patientId: patient_id,
    ...(detail && { detail }),
  });
