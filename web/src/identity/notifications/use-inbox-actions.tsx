import { plural, t } from '@lingui/core/macro';
import { type Notification, notifications, type Removal } from '@radwork/contract/identity/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { confirm } from '#ui/dialogs/confirm.tsx';
import { offerUndo } from '#ui/feedback/undo-toast.tsx';

/** Actions on notifications. Each action shows its success or failure with the texts of the specification. */
export const useInboxActions = () => {
  const navigate = useNavigate();
  const { mutate: markRead } = useAction(notifications.markRead, { failed: t`Failed to mark notification as read` });
  const markAll = useAction(notifications.markAllRead, { failed: t`Failed to mark all notifications as read` });
  const { mutate: remove } = useAction(notifications.remove, { failed: t`Failed to delete notification` });
  const clearing = useAction(notifications.clearAll, { failed: t`Failed to clear notifications` });
  const { mutate: restore } = useAction(notifications.restore, { failed: t`Failed to restore the notifications` });

  const offerBack = ({ removed, removalId }: Removal) =>
    offerUndo(t`${plural(removed, { one: 'Notification deleted', other: '# notifications cleared' })}`, () =>
      restore({ params: { id: removalId } }),
    );
  const markSeen = ({ id, seen }: Notification) => {
    if (!seen) markRead({ params: { id } });
  };

  return {
    markSeen,
    /** Opens the link of a notification and marks the notification as read. */
    open: (notification: Notification) => {
      markSeen(notification);
      if (notification.link) void navigate({ href: notification.link });
    },
    /** Marks the given notification and all older notifications as read. */
    markAllRead: (newest: Notification | undefined) =>
      markAll.mutate({ query: until(newest) }, { onSuccess: (words) => toast.success(words) }),
    /** Deletes a notification. Asks for confirmation if it is unread. */
    remove: async (notification: Notification) => {
      if (!notification.seen && !(await confirm(deletesUnread(notification)))) return;
      remove({ params: { id: notification.id } }, { onSuccess: offerBack });
    },
    clearAll: async (newest: Notification | undefined, count: number, unread: number) => {
      if (!(await confirm(clearsAll(count, unread)))) return;
      clearing.mutate({ query: until(newest) }, { onSuccess: offerBack });
    },
  };
};
export type InboxActions = ReturnType<typeof useInboxActions>;

const until = (newest: Notification | undefined) => ({ until: newest?.createdAt });

const deletesUnread = ({ title, message }: Notification) => ({
  question: t`Delete an unread notification?`,
  consequence: (
    <p>
      <strong>{title}</strong>
      <br />
      {message}
    </p>
  ),
  verb: t`Delete notification`,
});

const clearsAll = (count: number, unread: number) => ({
  question: t`Clear all notifications?`,
  consequence: (
    <p>
      {t`${plural(count, { one: '# notification will be removed from your inbox.', other: '# notifications will be removed from your inbox.' })}`}{' '}
      {t`Unread: ${unread}. You can undo this for 10 seconds.`}
    </p>
  ),
  verb: t`Clear all`,
});
