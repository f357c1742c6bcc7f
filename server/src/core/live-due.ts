import type { Access } from '@radwork/contract/access';
import { chat } from '@radwork/contract/chat';
import { importJobs } from '@radwork/contract/import-jobs';
import type { LiveEvent } from '@radwork/contract/live';
import { patients } from '@radwork/contract/patients';
import { studies } from '@radwork/contract/studies';
import { templates } from '@radwork/contract/templates';
import { sql } from 'kysely';
import type { Announcement } from './announce.ts';
import { holds, type ReadingScope, type Session } from './scope.ts';
import { knowsAllStudies, partInChat } from './study-access.ts';

/** What one needs in order to ask about what an event says has changed; nobody is told of anything else. */
const needed: Record<LiveEvent['kind'], Access> = {
  study: studies.list.can,
  patient: patients.list.can,
  chat: chat.conversation.can,
  job: importJobs.list.can,
  templates: templates.list.can,
  notifications: 'authenticated',
  everything: 'authenticated',
};

const isOfNoStudy: ReadonlySet<LiveEvent['kind']> = new Set(['templates', 'notifications', 'everything']);

/** Whether somebody is told of an event. The third answer is for who sees only studies that concern them (C78). */
export type Due = 'yes' | 'no' | 'if they may know';

export const dueOf = (session: Session, { event, to }: Announcement): Due => {
  const need = needed[event.kind];
  if (session.userType === 'PATIENT' || (to && !to.includes(session.userId))) return 'no';
  if (need !== 'authenticated' && need !== 'public' && !holds(session, need)) return 'no';
  if (knowsAllStudies(session) || isOfNoStudy.has(event.kind)) return 'yes';
  // Of imports they know those that they have asked for, and then they are named.
  if (event.kind === 'job') return to ? 'yes' : 'no';
  return 'if they may know';
};

/** What an event is about, by which it is found out who may know of it. */
export type Subject = { kind: 'study' | 'patient' | 'chat'; id: string };

export const subjectOf = (event: LiveEvent): Subject | undefined => {
  if (event.kind === 'study' || event.kind === 'chat') return { kind: event.kind, id: event.studyId };
  return event.kind === 'patient' ? { kind: 'patient', id: event.patientId } : undefined;
};

/** A user and a subject, as one of `whoMayKnow`. */
export const knowing = (userId: string, { kind, id }: Subject): string => `${userId} ${kind} ${id}`;

/** Which of these referring physicians may know of which of these subjects: the rules of study-access.ts, for many at once. */
export const whoMayKnow = async (
  { db }: ReadingScope,
  users: readonly string[],
  subjects: readonly Subject[],
): Promise<ReadonlySet<string>> => {
  const idsOf = (asked: Subject['kind']) => subjects.flatMap(({ kind, id }) => (kind === asked ? id : []));
  const { rows } = await sql<Subject & { userId: string }>`
    select sp.user_id as "userId", 'study' as kind, sp.study_id as id from study_participants sp
    where sp.user_id = any(${users}::uuid[]) and sp.study_id = any(${idsOf('study')}::uuid[])
    union
    select sp.user_id, 'chat', sp.study_id from study_participants sp
    where sp.user_id = any(${users}::uuid[]) and sp.study_id = any(${idsOf('chat')}::uuid[]) and ${partInChat}
    union
    select sp.user_id, 'patient', s.patient_id from study_participants sp join studies s on s.id = sp.study_id
    where sp.user_id = any(${users}::uuid[]) and s.patient_id = any(${idsOf('patient')}::uuid[])
      and s.deleted_at is null
  `.execute(db);
  return new Set(rows.map((row) => knowing(row.userId, row)));
};
