import { sql } from 'kysely';
import { prepared } from './database.ts';
import type { Scope } from './scope.ts';

type Subject = {
  entity:
    | 'session'
    | 'study'
    | 'series'
    | 'instance'
    | 'patient'
    | 'report'
    | 'report_link'
    | 'critical_finding'
    | 'critical_contacts'
    | 'reporting_settings'
    | 'ai_passage'
    | 'import_job'
    | 'remote_configuration'
    | 'application_entity'
    | 'chat_message'
    | 'template'
    | 'macro';
  entityId?: string;
  studyId?: string;
  patientId?: string;
  outcome?: 'SUCCESS' | 'FAILURE';
  /** Facts that help to understand the entry; never clinical text, names or secrets. */
  detail?: Record<string, string | number | boolean>;
};

/**
 * Writes down who did what, in the caller's own transaction: what is not written down has not happened.
 * `action` reads "noun.verb", such as "report.finalize" (IHE ATNA, DICOM PS3.15 A.5).
 */
export const audit = async ({ db, session }: Scope, action: string, subject: Subject): Promise<void> => {
  await db
    .insertInto('audit_entries')
    .values({
      user_id: session.userId === '' ? null : session.userId,
      username: session.username,
      // Without a user the server acts, or somebody who is not signed in.
      user_type: session.userId === '' ? null : session.userType,
      action,
      entity: subject.entity,
      entity_id: subject.entityId ?? '',
      study_id: subject.studyId ?? null,
      patient_id: subject.patientId ?? null,
      outcome: subject.outcome ?? 'SUCCESS',
      address: session.address,
      detail: subject.detail ? sql`${JSON.stringify(subject.detail)}::jsonb` : null,
    })
    .modifyEnd(prepared)
    .execute();
};

/** Writes down who did what with a study, under the patient whose it is at that moment. */
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
