import { type RawBuilder, sql } from 'kysely';
import type { Scope, Session } from './scope.ts';

type Caller = Pick<Session, 'userId' | 'userType' | 'seesAllStudies' | 'studyGroups'>;

/** SQL condition on a row "sp" of study_participants: the user has any role in the study, and so may know of it. */
const anyPart = sql<boolean>`true`;

/**
 * SQL condition on a row "sp" of study_participants: its user takes part in the chat of the study. Assignees take part,
 * and so do users with whom the study was shared. Users who only requested the study need an invitation.
 */
export const partInChat = sql<boolean>`(sp.role in ('ASSIGNEE', 'SHARED') or exists (
  select from chat_invitations invited where invited.study_id = sp.study_id and invited.user_id = sp.user_id))`;

type Pair = { studyId: RawBuilder<unknown>; userId: RawBuilder<unknown> };

const hasPart = ({ studyId, userId }: Pair, part: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`exists (select from study_participants sp where sp.study_id = ${studyId} and sp.user_id = ${userId} and ${part})`;

const callerHasPart = ({ userId, userType }: Caller, idColumn: string, part: RawBuilder<boolean>) => {
  switch (userType) {
    case 'PATIENT':
      return sql<boolean>`false`;
    case 'REFERRING_PHYSICIAN':
      return hasPart({ studyId: sql.ref(idColumn), userId: sql`${userId}` }, part);
    default:
      return sql<boolean>`true`;
  }
};

/** SQL condition on a row of studies with this alias: it belongs to one of these groups. */
const isOfGroups = (alias: string, groups: readonly string[]): RawBuilder<boolean> =>
  sql`${sql.ref(`${alias}.group_ids`)} && ${[...groups]}::uuid[]`;

/**
 * SQL condition that the groups of the caller do not hide a study, given the column of the study id. Row-level security
 * has the same rule (migration 0117). The store runs without it.
 */
const isWithinGroups = ({ studyGroups }: Caller, idColumn: string): RawBuilder<boolean> =>
  studyGroups === null
    ? sql`true`
    : sql`exists (select from studies grouped
        where grouped.id = ${sql.ref(idColumn)} and ${isOfGroups('grouped', studyGroups)})`;

/**
 * SQL condition that the caller may know of a study, given the column of the study id. Referring physicians know of the
 * studies that concern them. If their tenant allows it, they know of all studies. Patients know of none, whatever their
 * roles. All other users know of every study of the tenant. Of these studies, users who are limited to groups know those
 * of their groups only. A study that fails the condition is treated as missing.
 */
export const mayKnowStudy = (caller: Caller, idColumn: string): RawBuilder<boolean> => {
  if (knowsAllStudies(caller)) return sql`true`;
  const part = knowsByType(caller) ? sql<boolean>`true` : callerHasPart(caller, idColumn, anyPart);
  return sql`(${part} and ${isWithinGroups(caller, idColumn)})`;
};

/**
 * Returns the condition of `mayKnowStudy` for a row of studies with this alias. Lists check many rows, and this form
 * looks up no row twice. `isFoundByText` keeps the planner from listing all studies of the groups for a text search.
 */
export const mayKnowStudyRow = (caller: Caller, alias: string, { isFoundByText = false } = {}): RawBuilder<boolean> => {
  if (knowsAllStudies(caller)) return sql`true`;
  const part = knowsByType(caller) ? sql<boolean>`true` : callerHasPart(caller, `${alias}.id`, anyPart);
  if (caller.studyGroups === null) return part;
  const ofGroups = isFoundByText
    ? sql`(${sql.ref(`${alias}.group_ids`)} || '{}'::uuid[]) && ${[...caller.studyGroups]}::uuid[]`
    : isOfGroups(alias, caller.studyGroups);
  return sql`(${part} and ${ofGroups})`;
};

/** SQL condition that the caller may read and write the chat of a study, given the column of the study id. */
export const mayChatAbout = (caller: Caller, idColumn: string): RawBuilder<boolean> =>
  sql`(${callerHasPart(caller, idColumn, partInChat)} and ${isWithinGroups(caller, idColumn)})`;

const userHasPart = (
  studyId: RawBuilder<unknown>,
  part: RawBuilder<boolean>,
  otherwise: RawBuilder<boolean>,
): RawBuilder<boolean> =>
  sql`(u.user_type <> 'PATIENT' and (u.user_type <> 'REFERRING_PHYSICIAN' or ${otherwise}
    or ${hasPart({ studyId, userId: sql`u.id` }, part)}) and ${userIsWithinGroups(studyId)})`;

/** SQL condition for a row "u" of users: it is not limited to groups. Must match is_limited (migration 0117). */
export const userSeesAllGroups = sql<boolean>`(not u.sees_own_groups_only or u.user_type in ('SUPER_ADMIN', 'ADMIN'))`;

/** SQL condition for a row "u" of users: its groups do not hide the study. */
export const userIsWithinGroups = (studyId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${userSeesAllGroups} or exists (
    select from group_members member join studies grouped on member.group_id = any(grouped.group_ids)
    where member.user_id = u.id and grouped.id = ${studyId}))`;

/**
 * Whether the caller's tenant lets referring physicians see all studies. Row-level security shows only the row of that
 * tenant.
 */
const isWidened = sql<boolean>`exists (select from tenants where tenants.do_referrers_see_all)`;

/** Returns the condition of `mayKnowStudy` for a row "u" of users and one study: its id, or SQL for it. */
export const userMayKnowStudySql = (studyId: string | RawBuilder<unknown>): RawBuilder<boolean> =>
  userHasPart(typeof studyId === 'string' ? sql`${studyId}::uuid` : studyId, anyPart, isWidened);

/** Returns the condition of `mayChatAbout` for a row "u" of users and one study: its id, or SQL for it. */
export const userChatsAbout = (studyId: string | RawBuilder<unknown>): RawBuilder<boolean> =>
  userHasPart(typeof studyId === 'string' ? sql`${studyId}::uuid` : studyId, partInChat, sql<boolean>`false`);

const isOfStaff = ({ userType }: Caller): boolean => userType !== 'PATIENT' && userType !== 'REFERRING_PHYSICIAN';

/** True when the type of the caller does not restrict the caller to some studies. */
const knowsByType = (caller: Caller): boolean =>
  isOfStaff(caller) || (caller.userType === 'REFERRING_PHYSICIAN' && caller.seesAllStudies === true);

/** True when the caller may know of every study of the tenant. */
export const knowsAllStudies = (caller: Caller): boolean => knowsByType(caller) && caller.studyGroups === null;

/**
 * True when the caller may join every chat. The right to see all studies does not include the right to join all chats.
 */
export const chatsAboutAllStudies = (caller: Caller): boolean => isOfStaff(caller) && caller.studyGroups === null;

/** True when the caller sees only studies in which the caller has a role. They are few, even in a large tenant. */
export const seesFewStudies = (caller: Caller): boolean => !knowsByType(caller);

/** True when the caller is limited to the studies of groups. */
export const isLimitedToGroups = ({ studyGroups }: Pick<Caller, 'studyGroups'>): boolean => studyGroups !== null;

/**
 * True when the caller is a user who sees only some studies. Server and devices are not users: they act for the whole
 * tenant.
 */
export const isLimitedToOwnStudies = (caller: Caller): boolean => caller.userId !== '' && !knowsAllStudies(caller);

/** True when the caller sees a study only by a role in it. False for patients, who see no study, and for the server. */
export const isReferringPhysician = ({ userType }: Caller): boolean => userType === 'REFERRING_PHYSICIAN';

/** Gives a referring physician access to the studies that this physician created. */
export const admitCreator = async ({ db, session }: Scope, studyIds: readonly string[]): Promise<void> => {
  if (!isReferringPhysician(session) || studyIds.length === 0) return;
  await db
    .insertInto('study_participants')
    .values(studyIds.map((id) => ({ study_id: id, user_id: session.userId, role: 'REFERRER' as const })))
    .execute();
};

/**
 * SQL condition that the caller may know of a patient. Referring physicians know of the patients of their studies. Users
 * who are limited to groups know of the patients of visible studies, and of new patients whom their groups created.
 */
export const mayKnowPatient = (caller: Caller, idColumn: string): RawBuilder<boolean> => {
  if (knowsAllStudies(caller)) return sql`true`;
  const { userId, userType, studyGroups } = caller;
  const id = sql.ref(idColumn);
  if (userType === 'PATIENT') return sql`false`;
  const ofGroups = studyGroups === null ? sql`true` : isOfGroups('studies', studyGroups);
  if (!knowsByType(caller)) {
    return sql`exists (
      select from study_participants sp join studies on studies.id = sp.study_id
      where studies.patient_id = ${id} and sp.user_id = ${userId} and studies.deleted_at is null and ${ofGroups})`;
  }
  return sql`(exists (select from studies where studies.patient_id = ${id} and studies.deleted_at is null and ${ofGroups})
    or exists (select from patients made where made.id = ${id} and ${isOfGroups('made', studyGroups ?? [])}))`;
};
