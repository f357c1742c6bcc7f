import type { NotificationType } from '@radwork/contract/notifications';
import { sql } from 'kysely';
import { announce } from './announce.ts';
import { newId } from './ids.ts';
import { found } from './problem.ts';
import type { Scope } from './scope.ts';

/**
 * Something that people are to hear of. No word of it names a patient: who reads it later may by then not be allowed
 * to know them. The inbox names the patient of `studyId` to readers who may know the study, and the link leads to where
 * that is asked again (docs/decisions/0016-notifications.md).
 */
export type Notice = {
  /** Ids of users. Those who are not active users of the tenant are passed over. */
  to: readonly string[];
  type: NotificationType;
  title: string;
  message: string;
  /** A page of the application, such as "/studies/…". */
  link: string | null;
  /** The study that the notice is about; undefined where it is about none, or about several. */
  studyId?: string | undefined;
  /** Whoever does what the notice is about knows of it, unless it is about something that took its time. */
  isForActorToo?: boolean;
  /** Also for those who want to hear of nothing else of its type: a patient may be in danger. */
  isForAll?: boolean;
};

/**
 * Puts a notice into the inbox of each of those it is for who want to hear of such things, once, in the transaction in
 * which the thing happens; and tells their browsers when it commits.
 */
export const notify = async (scope: Scope, notice: Notice): Promise<void> => {
  const { db, session } = scope;
  const { type, title, message, link, studyId = null, isForActorToo = false, isForAll = false } = notice;
  const asked = [...new Set(notice.to)].filter((id) => isForActorToo || id !== session.userId);
  if (asked.length === 0) return;
  const { rows } = await sql<{ user_id: string }>`
    insert into notifications (id, user_id, type, title, message, link, study_id)
    select asked.id, asked.user_id, ${type}, ${title}, ${message}, ${link}, ${studyId}::uuid
    from unnest(${asked.map(newId)}::uuid[], ${asked}::uuid[]) as asked (id, user_id)
    join users on users.id = asked.user_id and users.is_active
    where ${isForAll} or not exists (
      select from unwanted_notifications unwanted where unwanted.user_id = asked.user_id and unwanted.type = ${type})
    returning user_id`.execute(db);
  const told = rows.map((row) => row.user_id);
  await announce(scope, { kind: 'notifications' }, told);
};

/**
 * What a notice says of a study and where it leads: "CT · Chest with contrast". Nothing of it tells whose study it is.
 */
export const aboutStudy = async (
  { db }: Scope,
  studyId: string,
): Promise<Pick<Notice, 'message' | 'link' | 'studyId'>> => {
  const study = await db
    .selectFrom('studies')
    .select(['modality', 'description', 'study_description'])
    .where('id', '=', studyId)
    .executeTakeFirst();
  const { modality, description, study_description } = found(study, 'study');
  const words = description || study_description;
  // Many descriptions begin with the modality.
  const message = words.startsWith(`${modality} `) ? words : [modality, words].filter(Boolean).join(' · ');
  return { message, link: `/studies/${studyId}`, studyId };
};
