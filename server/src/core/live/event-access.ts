import { type Access, hasAccess } from '@radwork/contract/core/access';
import { atlas } from '@radwork/contract/knowledge/atlas';
import { chat } from '@radwork/contract/reading/chat';
import { hangingRules } from '@radwork/contract/reading/hanging-rules';
import { guidelines } from '@radwork/contract/knowledge/guidelines';
import { importJobs } from '@radwork/contract/imaging/import-jobs';
import type { LiveEvent } from '@radwork/contract/identity/live';
import { measurements } from '@radwork/contract/reading/measurements';
import { patients } from '@radwork/contract/imaging/patients';
import { roles } from '@radwork/contract/identity/roles';
import { savedViews } from '@radwork/contract/imaging/saved-views';
import { studies } from '@radwork/contract/imaging/studies';
import { templates } from '@radwork/contract/reading/templates';
import { tenants } from '@radwork/contract/identity/tenants';
import { users } from '@radwork/contract/identity/users';
import { sql } from 'kysely';
import type { Announcement } from './announce.ts';
import { hasPermission, type ReadingScope, type Session } from '#core/access/scope.ts';
import {
  chatsAboutAllStudies,
  knowsAllStudies,
  userChatsAbout,
  userMayKnowStudySql,
} from '#core/access/study-access.ts';

/** The access that a user needs to receive events of this kind. */
const needed: Record<LiveEvent['kind'], Access> = {
  study: studies.list.can,
  studies: studies.list.can,
  'saved-views': savedViews.list.can,
  patient: patients.list.can,
  chat: chat.conversation.can,
  measurements: measurements.ofStudy.can,
  job: importJobs.list.can,
  templates: templates.list.can,
  'hanging-rules': hangingRules.list.can,
  atlas: atlas.list.can,
  guidelines: guidelines.list.can,
  users: users.list.can,
  roles: roles.list.can,
  tenants: tenants.list.can,
  notifications: 'authenticated',
  everything: 'authenticated',
};

const isOfNoStudy: ReadonlySet<LiveEvent['kind']> = new Set([
  'studies',
  'saved-views',
  'templates',
  'hanging-rules',
  'atlas',
  'guidelines',
  'users',
  'roles',
  'tenants',
  'notifications',
  'everything',
]);

/** Whether a user receives an event. 'if they may know' is for users who see only studies that concern them. */
export type Receipt = 'yes' | 'no' | 'if they may know';

export const receives = (session: Session, { event, to }: Announcement): Receipt => {
  const need = needed[event.kind];
  if (session.userType === 'PATIENT' || (to && !to.includes(session.userId))) return 'no';
  if (!hasAccess(need, session.userType, (permission) => hasPermission(session, permission))) return 'no';
  if (chatsAboutAllStudies(session) || isOfNoStudy.has(event.kind)) return 'yes';
  // Users see only their own imports, so events about imports name their user.
  if (event.kind === 'job') return to ? 'yes' : 'no';
  if (event.kind !== 'chat' && knowsAllStudies(session)) return 'yes';
  return 'if they may know';
};

/** The subject of an event decides which users may receive it. */
export type Subject = { kind: 'study' | 'patient' | 'chat'; id: string };

export const subjectOf = (event: LiveEvent): Subject | undefined => {
  if (event.kind === 'study' || event.kind === 'chat') return { kind: event.kind, id: event.studyId };
  if (event.kind === 'measurements') return { kind: 'study', id: event.studyId };
  return event.kind === 'patient' ? { kind: 'patient', id: event.patientId } : undefined;
};

/** The key of a user and a subject in the result of `usersWhoMayKnow`. */
export const userSubjectKey = (userId: string, { kind, id }: Subject): string => `${userId} ${kind} ${id}`;

/** Returns which users may know of which subjects. Applies the rules of study-access.ts in one query. */
export const usersWhoMayKnow = async (
  { db }: ReadingScope,
  users: readonly string[],
  subjects: readonly Subject[],
): Promise<ReadonlySet<string>> => {
  const idsOf = (subjectKind: Subject['kind']) => subjects.flatMap(({ kind, id }) => (kind === subjectKind ? id : []));
  const { rows } = await sql<Subject & { userId: string }>`
    select u.id as "userId", 'study' as kind, s.id from users u cross join unnest(${idsOf('study')}::uuid[]) s (id)
    where u.id = any(${users}::uuid[]) and ${userMayKnowStudySql(sql`s.id`)}
    union
    select u.id, 'chat', s.id from users u cross join unnest(${idsOf('chat')}::uuid[]) s (id)
    where u.id = any(${users}::uuid[]) and ${userChatsAbout(sql`s.id`)}
    union
    select u.id, 'patient', s.patient_id from users u cross join studies s
    where u.id = any(${users}::uuid[]) and s.patient_id = any(${idsOf('patient')}::uuid[])
      and s.deleted_at is null and ${userMayKnowStudySql(sql`s.id`)}
  `.execute(db);
  return new Set(rows.map((row) => userSubjectKey(row.userId, row)));
};
