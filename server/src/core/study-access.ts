import { type RawBuilder, sql } from 'kysely';
import type { Scope, Session } from './scope.ts';

type Caller = Pick<Session, 'userId' | 'userType' | 'seesAllStudies'>;

/** Of a row "sp" of study_participants: any part in a study lets its user know of it. */
const anyPart = sql<boolean>`true`;

/**
 * Of a row "sp" of study_participants: whether its user belongs to the conversation about the study. Who works on it or
 * had it shared with them does; who has only asked for it does not, until somebody there invites them (C78).
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
 * The condition that the caller may know of a study, given the column that holds its id. A referring physician
 * sees the studies that concern them and no others unless their tenant says otherwise (C78), a patient none, whatever
 * their roles allow (C16); everybody else sees all of the tenant. What fails it is answered like what does not exist.
 */
export const mayKnowStudy = (caller: Caller, idColumn: string): RawBuilder<boolean> =>
  knowsAllStudies(caller) ? sql`true` : callerHasPart(caller, idColumn, anyPart);

/** The condition that the caller may read and write what is said about a study, given the column that holds its id. */
export const mayChatAbout = (caller: Caller, idColumn: string): RawBuilder<boolean> =>
  callerHasPart(caller, idColumn, partInChat);

const userHasPart = (studyId: string, part: RawBuilder<boolean>, otherwise: RawBuilder<boolean>): RawBuilder<boolean> =>
  sql`(u.user_type <> 'PATIENT' and (u.user_type <> 'REFERRING_PHYSICIAN' or ${otherwise}
    or ${hasPart({ studyId: sql`${studyId}`, userId: sql`u.id` }, part)}))`;

/** Row-level security shows the tenant's own row and no other. */
const isWidened = sql<boolean>`exists (select from tenants where tenants.do_referrers_see_all)`;

/** The first of these conditions, asked of a row "u" of users about one study. */
export const userKnows = (studyId: string): RawBuilder<boolean> => userHasPart(studyId, anyPart, isWidened);

/** The second of these conditions, asked of a row "u" of users about one study. */
export const userChatsAbout = (studyId: string): RawBuilder<boolean> =>
  userHasPart(studyId, partInChat, sql<boolean>`false`);

/** Whether the first condition holds of every study of the tenant. */
export const knowsAllStudies = (caller: Caller): boolean =>
  chatsAboutAllStudies(caller) || (caller.userType === 'REFERRING_PHYSICIAN' && caller.seesAllStudies === true);

/** Whether the second condition does: being shown more invites nobody into a conversation. */
export const chatsAboutAllStudies = ({ userType }: Caller): boolean =>
  userType !== 'PATIENT' && userType !== 'REFERRING_PHYSICIAN';

/** Whether the caller is a user who sees only some studies. The server and devices act for the tenant and are no users. */
export const seesSomeStudies = (caller: Caller): boolean => caller.userId !== '' && !knowsAllStudies(caller);

/** Whether a part in a study is what makes it known to the caller: a patient sees none, and the server is no user. */
export const knowsByPart = ({ userType }: Caller): boolean => userType === 'REFERRING_PHYSICIAN';

/** Who may see only the studies that concern them is concerned by those that they have brought themselves. */
export const admitCreator = async ({ db, session }: Scope, studyIds: readonly string[]): Promise<void> => {
  if (!knowsByPart(session) || studyIds.length === 0) return;
  await db
    .insertInto('study_participants')
    .values(studyIds.map((id) => ({ study_id: id, user_id: session.userId, role: 'REFERRER' as const })))
    .execute();
};

/** The condition that the caller may know of a patient: for a referring physician, through a study of theirs. */
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
