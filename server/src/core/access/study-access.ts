import { type RawBuilder, sql } from 'kysely';
import type { Scope, Session } from './scope.ts';

type Caller = Pick<Session, 'userId' | 'userType' | 'seesAllStudies'>;

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

/**
 * SQL condition that the caller may know of a study, given the column of the study id. Referring physicians know of the
 * studies that concern them. If their tenant allows it, they know of all studies. Patients know of none, whatever their
 * roles. All other users know of every study of the tenant. A study that fails the condition is treated as missing.
 */
export const mayKnowStudy = (caller: Caller, idColumn: string): RawBuilder<boolean> =>
  knowsAllStudies(caller) ? sql`true` : callerHasPart(caller, idColumn, anyPart);

/** SQL condition that the caller may read and write the chat of a study, given the column of the study id. */
export const mayChatAbout = (caller: Caller, idColumn: string): RawBuilder<boolean> =>
  callerHasPart(caller, idColumn, partInChat);

const userHasPart = (studyId: string, part: RawBuilder<boolean>, otherwise: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`(u.user_type <> 'PATIENT' and (u.user_type <> 'REFERRING_PHYSICIAN' or ${otherwise}
    or ${hasPart({ studyId: sql`${studyId}`, userId: sql`u.id` }, part)}))`;

/**
 * Whether the caller's tenant lets referring physicians see all studies. Row-level security shows only the row of that
 * tenant.
 */
const isWidened = sql<boolean>`exists (select from tenants where tenants.do_referrers_see_all)`;

/** Returns the condition of `mayKnowStudy` for a row "u" of users and one study. */
export const userMayKnowStudySql = (studyId: string): RawBuilder<boolean> => userHasPart(studyId, anyPart, isWidened);

/** Returns the condition of `mayChatAbout` for a row "u" of users and one study. */
export const userChatsAbout = (studyId: string): RawBuilder<boolean> =>
  userHasPart(studyId, partInChat, sql<boolean>`false`);

/** True when the caller may know of every study of the tenant. */
export const knowsAllStudies = (caller: Caller): boolean =>
  chatsAboutAllStudies(caller) || (caller.userType === 'REFERRING_PHYSICIAN' && caller.seesAllStudies === true);

/**
 * True when the caller may join every chat. The right to see all studies does not include the right to join all chats.
 */
export const chatsAboutAllStudies = ({ userType }: Caller): boolean =>
  userType !== 'PATIENT' && userType !== 'REFERRING_PHYSICIAN';

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

/** SQL condition that the caller may know of a patient. Referring physicians know of the patients of their studies. */
export const mayKnowPatient = (caller: Caller, idColumn: string): RawBuilder<boolean> => {
  if (knowsAllStudies(caller)) return sql`true`;
  const { userId, userType } = caller;
  switch (userType) {
    case 'PATIENT':
      return sql`false`;
    case 'REFERRING_PHYSICIAN':
      return sql`exists (
        select from study_participants sp join studies on studies.id = sp.study_id
        where studies.patient_id = ${sql.ref(idColumn)} and sp.user_id = ${userId} and studies.deleted_at is null)`;
    default:
      return sql`true`;
  }
};
