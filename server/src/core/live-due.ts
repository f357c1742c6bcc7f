import type { Access } from '@radwork/contract/access';
import { chat } from '@radwork/contract/chat';
import { importJobs } from '@radwork/contract/import-jobs';
import type { LiveEvent } from '@radwork/contract/live';
import { patients } from '@radwork/contract/patients';
import { studies } from '@radwork/contract/studies';
import { sql } from 'kysely';
import type { Announcement } from './announce.ts';
import { holds, type ReadingScope, type Session } from './scope.ts';
import { knowsAllStudies } from './study-access.ts';

/** What one needs in order to ask about what an event says has changed; nobody is told of anything else. */
const needed: Record<LiveEvent['kind'], Access> = {
  study: studies.list.can,
  patient: patients.list.can,
  chat: chat.conversation.can,
  job: importJobs.list.can,
  notifications: 'authenticated',
  everything: 'authenticated',
};

/** Whether somebody is told of an event. The third answer is for who sees only studies that concern them (C78). */
export type Due = 'yes' | 'no' | 'if they may know';

export const dueOf = (session: Session, { event, to }: Announcement): Due => {
  const need = needed[event.kind];
  if (session.userType === 'PATIENT' || (to && !to.includes(session.userId))) return 'no';
  if (need !== 'authenticated' && need !== 'public' && !holds(session, need)) return 'no';
  if (knowsAllStudies(session) || event.kind === 'notifications' || event.kind === 'everything') return 'yes';
  // Of imports they know those that they have asked for, and then they are named.
  if (event.kind === 'job') return to ? 'yes' : 'no';
  return 'if they may know';
};

/** What an event is about, by which it is found out who may know of it. */
export const subjectOf = (event: LiveEvent): { studyId: string } | { patientId: string } | undefined => {
  if (event.kind === 'study' || event.kind === 'chat') return { studyId: event.studyId };
  return event.kind === 'patient' ? { patientId: event.patientId } : undefined;
};

/**
 * Which of these referring physicians may know of which of these studies and patients, as "user id": the rule of
 * study-access.ts, for many at once.
 */
export const whoMayKnow = async (
  { db }: ReadingScope,
  users: readonly string[],
  { studyIds, patientIds }: { studyIds: readonly string[]; patientIds: readonly string[] },
): Promise<ReadonlySet<string>> => {
  const { rows } = await sql<{ user_id: string; id: string }>`
    select sp.user_id, sp.study_id as id from study_participants sp
    where sp.user_id = any(${users}::uuid[]) and sp.study_id = any(${studyIds}::uuid[])
    union
    select sp.user_id, s.patient_id as id from study_participants sp join studies s on s.id = sp.study_id
    where sp.user_id = any(${users}::uuid[]) and s.patient_id = any(${patientIds}::uuid[]) and s.deleted_at is null
  `.execute(db);
  return new Set(rows.map(({ user_id, id }) => `${user_id} ${id}`));
};
