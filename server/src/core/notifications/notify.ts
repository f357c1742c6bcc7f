import { literal, type Sentence, translatedSentence } from '@radwork/contract/core/translate';
import type { NotificationType } from '@radwork/contract/identity/notifications';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { userIsWithinGroups } from '#core/access/study-access.ts';

/**
 * A notification to create. Its text must not name a patient, because its reader may later lose access. The inbox adds
 * the patient of `studyId` for readers who may see the study. The link leads to a page that checks the access again
 * (docs/decisions/0016-one-notification-per-recipient.md).
 */
export type Notice = {
  /**
   * User ids. Inactive users, users of other tenants, and users whose groups hide the study are skipped.
   */
  to: readonly string[];
  type: NotificationType;
  title: Sentence;
  message: Sentence;
  /** A page of the application, such as "/studies/…". */
  link: string | null;
  /** The study of the notification; undefined for none or several. */
  studyId?: string | undefined;
  /** True to notify the acting user too, for example when the act took some time. */
  isForActorToo?: boolean;
  /**
   * True to notify also users who muted this type or do not see the study, because a patient may be in danger.
   */
  isForAll?: boolean;
  /** True to skip recipients who have the same notification about the same study and have not read it. */
  isOnceUntilRead?: boolean;
};

/**
 * Adds one notification to the inbox of each recipient who wants its type, in the current transaction. At the commit,
 * sends an event to the recipients' browsers.
 */
export const notify = async (scope: Scope, notice: Notice): Promise<void> => {
  const { db, session } = scope;
  const { type, title, message, link, studyId = null, isForActorToo = false, isForAll = false } = notice;
  const { isOnceUntilRead = false } = notice;
  const sentences = JSON.stringify({ title, message });
  const recipientIds = [...new Set(notice.to)].filter((id) => isForActorToo || id !== session.userId);
  if (recipientIds.length === 0) return;
  const { rows } = await sql<{ user_id: string }>`
    insert into notifications (id, user_id, type, title, message, sentences, link, study_id)
    select asked.id, asked.user_id, ${type}, ${title.english}, ${message.english},
      ${sentences}::jsonb, ${link}, ${studyId}::uuid
    from unnest(${recipientIds.map(newId)}::uuid[], ${recipientIds}::uuid[]) as asked (id, user_id)
    join users u on u.id = asked.user_id and u.is_active
    where ${isForAll} or ${studyId === null ? sql`true` : userIsWithinGroups(sql`${studyId}::uuid`)} and not exists (
      select from unwanted_notifications unwanted where unwanted.user_id = asked.user_id and unwanted.type = ${type})
    and not (${isOnceUntilRead} and exists (
      select from notifications known where known.user_id = asked.user_id and known.study_id = ${studyId}::uuid
      and known.title = ${title.english} and known.seen_at is null and known.removed_at is null))
    returning user_id`.execute(db);
  const notifiedIds = rows.map((row) => row.user_id);
  await announce(scope, { kind: 'notifications' }, notifiedIds);
};

type Stored = { title: string; message: string; sentences: unknown };

/**
 * Returns title and message of a stored notification in the user's language. Notifications from before migration 0110
 * keep their text.
 */
export const textOfNotice = ({ title, message, sentences }: Stored): { title: string; message: string } => {
  if (sentences === null) return { title, message };
  const stored = sentences as Pick<Notice, 'title' | 'message'>;
  return { title: translatedSentence(stored.title), message: translatedSentence(stored.message) };
};

/** Returns text and link about a study, such as "CT · Chest with contrast". They do not identify the patient. */
export const aboutStudy = async (
  { db }: Scope,
  studyId: string,
): Promise<Pick<Notice, 'message' | 'link' | 'studyId'>> => {
  const study = await db
    .selectFrom('studies')
    .select(['modality', 'description', 'study_description'])
    .where('id', '=', studyId)
    .executeTakeFirst();
  const { modality, description, study_description } = orNotFound(study, 'study');
  const words = description || study_description;
  // Many study descriptions begin with the modality.
  const message = words.startsWith(`${modality} `) ? words : [modality, words].filter(Boolean).join(' · ');
  return { message: literal(message), link: `/studies/${studyId}`, studyId };
};
