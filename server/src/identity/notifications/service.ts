import { t } from '@radwork/contract/core/translate';
import type { Query, Reply } from '@radwork/contract/core/endpoint';
import type { Notification, notifications as endpoints, Removal } from '@radwork/contract/identity/notifications';
import { pageOf } from '@radwork/contract/core/paging';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { prepared } from '#core/database/database.ts';
import { textOfNotice } from '#core/notifications/notify.ts';
import { newId } from '#core/values/ids.ts';
import { localStudyTime } from '#core/values/local-time.ts';
import { notFound } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';

/** The inbox of the caller. For the notification of another user, throws 404 as for an unknown one. */

/** The latest time that PostgreSQL can store. */
const allTime = 'infinity';

/** Returns one page of the inbox, by default newest first. */
export const list = async (
  { db, session }: Scope,
  { filter, sort, ...paging }: Query<typeof endpoints.list>,
): Promise<Reply<typeof endpoints.list>> => {
  const inbox = db
    .selectFrom('notifications as n')
    .where('n.user_id', '=', session.userId)
    .where('n.removed_at', 'is', null)
    .$if(filter === 'unread', (all) => all.where('n.seen_at', 'is', null));
  const counted = inbox
    .select(sql<number>`count(*)`.as('count'))
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  const rowsQuery = inbox
    .leftJoin('studies as s', (join) =>
      join
        .onRef('s.id', '=', 'n.study_id')
        .on('s.deleted_at', 'is', null)
        .on(hasPermission(session, 'study.view') ? mayKnowStudy(session, 's.id') : sql<boolean>`false`),
    )
    .select(['n.id', 'n.type', 'n.title', 'n.message', 'n.sentences', 'n.link', 'n.created_at as createdAt'])
    .select(sql<boolean>`n.seen_at is not null`.as('seen'))
    .select(['s.id as studyId', 's.patient_name', 's.patient_identifier', 's.study_date'])
    .select('s.is_study_time_known')
    .orderBy('n.created_at', sort.direction)
    .orderBy('n.id', sort.direction)
    .limit(paging.size)
    .offset(paging.page * paging.size)
    .modifyEnd(prepared)
    .execute();
  const [total, rows] = await Promise.all([counted, rowsQuery]);
  return pageOf(rows.map(toNotification), total.count, paging);
};

type Row = Omit<Notification, 'study'> & {
  sentences: unknown;
  studyId: string | null;
  patient_name: string | null;
  patient_identifier: string | null;
  study_date: string | null;
  is_study_time_known: boolean | null;
};

/** Converts a notification for display, with patient and study if the reader may know of them now. */
const toNotification = ({
  studyId,
  patient_name,
  patient_identifier,
  study_date,
  is_study_time_known,
  sentences,
  ...notice
}: Row): Notification => ({
  ...notice,
  ...textOfNotice({ ...notice, sentences }),
  study:
    studyId === null
      ? null
      : {
          id: studyId,
          patientName: displayName(patient_name ?? ''),
          patientId: patient_identifier ?? '',
          studyDate: localStudyTime({ study_date, is_study_time_known }),
        },
});

/** Marks a notification as read. The time of the first read stays. */
export const markRead = async (scope: Scope, id: string): Promise<void> => {
  const known = await inboxToChange(scope)
    .set({ seen_at: sql`coalesce(seen_at, now())` })
    .where('id', '=', id)
    .executeTakeFirst();
  if (known.numUpdatedRows === 0n) throw notFound('notification');
  await announceInbox(scope);
};

/** Marks all notifications as read, or those created up to a given time. Returns the message for the client. */
export const markAllRead = async (scope: Scope, until = allTime): Promise<string> => {
  await inboxToChange(scope)
    .set({ seen_at: sql`now()` })
    .where('seen_at', 'is', null)
    .where('created_at', '<=', until)
    .execute();
  await announceInbox(scope);
  return t`All notifications marked as read`;
};

/** Removes a notification from the inbox. For a while it can be restored. */
export const remove = async (scope: Scope, id: string): Promise<Removal> => {
  const removalId = newId();
  const removed = await inboxToChange(scope).set(removedBy(removalId)).where('id', '=', id).executeTakeFirst();
  if (removed.numUpdatedRows === 0n) throw notFound('notification');
  await announceInbox(scope);
  return { removed: 1, removalId };
};

/** Removes all notifications from the inbox, or those created up to a given time. They can be restored together. */
export const clearAll = async (scope: Scope, until = allTime): Promise<Removal> => {
  const removalId = newId();
  const { numUpdatedRows } = await inboxToChange(scope)
    .set(removedBy(removalId))
    .where('created_at', '<=', until)
    .executeTakeFirst();
  await announceInbox(scope);
  return { removed: Number(numUpdatedRows), removalId };
};

/** Restores the notifications of one removal. Notifications that were unread before are unread again. */
export const restore = async (scope: Scope, removalId: string): Promise<{ restored: number }> => {
  const { numUpdatedRows } = await scope.db
    .updateTable('notifications')
    .set({ removal_id: null, removed_at: null })
    .where('user_id', '=', scope.session.userId)
    .where('removal_id', '=', removalId)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw notFound('removal');
  await announceInbox(scope);
  return { restored: Number(numUpdatedRows) };
};

const inboxToChange = ({ db, session }: Scope) =>
  db.updateTable('notifications').where('user_id', '=', session.userId).where('removed_at', 'is', null);

const removedBy = (removalId: string) => ({ removal_id: removalId, removed_at: sql<string>`now()` });

/** Updates the inbox in the other browsers of the user. */
const announceInbox = (scope: Scope) => announce(scope, { kind: 'notifications' }, [scope.session.userId]);
