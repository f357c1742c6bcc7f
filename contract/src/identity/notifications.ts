import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, put, unaudited, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { page, pageQuery, sortQuery } from '../core/paging.ts';

export const notificationTypes = [
  'ASSIGNMENT',
  'STUDY_STATUS',
  'REVIEW_REQUEST',
  'REVIEW_RESULT',
  'CRITICAL_FINDING',
  'MENTION',
  'IMPORT',
  'OVERDUE',
  'ACCOUNT',
  'IDENTITY',
  'FOLLOW_UP',
] as const;
export type NotificationType = (typeof notificationTypes)[number];

export const notificationTypeLabels: Record<NotificationType, string> = translated({
  ASSIGNMENT: 'Assignments',
  STUDY_STATUS: 'Status of my studies',
  REVIEW_REQUEST: 'Reports to review',
  REVIEW_RESULT: 'Reviews of my reports',
  CRITICAL_FINDING: 'Critical findings',
  MENTION: 'Chat mentions',
  IMPORT: 'Imports',
  OVERDUE: 'Overdue assignments',
  ACCOUNT: 'My account',
  IDENTITY: 'Identity questions',
  FOLLOW_UP: 'Recommended examinations',
});

/** Path of the page to open in the application, without origin. */
const link = z.string().regex(/^\/(?![/\\])/);

/** Study of a notification, as long as the recipient may see it. */
const aboutStudy = z.object({
  id: z.string(),
  patientName: z.string(),
  patientId: z.string(),
  studyDate: z.string().nullable(),
});

export const notification = z.object({
  id: z.string(),
  type: z.enum(notificationTypes),
  title: z.string(),
  message: z.string(),
  link: link.nullable(),
  study: aboutStudy.nullable(),
  createdAt: z.string(),
  seen: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/**
 * Types that a user can turn off. Notifications about patient safety or the user's own account cannot be turned off.
 */
const optionalType = z.enum(notificationTypes).exclude(['CRITICAL_FINDING', 'ACCOUNT']);
export const optionalNotificationTypes = optionalType.options;
export type OptionalNotificationType = z.infer<typeof optionalType>;

/** Types that the user has turned off. A type added in a later release is on. */
export const notificationPreferences = z.object({ unwanted: z.array(optionalType).max(optionalType.options.length) });
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

/** Number of removed notifications, and the ID with which to undo the removal. */
export const removal = z.object({ removed: z.number(), removalId: z.string() });
export type Removal = z.infer<typeof removal>;

/**
 * Time of the newest notification on the screen. Later notifications stay unread, because the user has not seen them.
 * Default: all notifications.
 */
const shownQuery = z.object({
  until: z.iso.datetime({ offset: true, error: () => t`Use a date and time in UTC` }).optional(),
});

export const notifications = {
  list: get('/notifications', {
    can: 'authenticated',
    audited: unaudited("polls the caller's own notifications; opening their records is audited"),
    query: z.object({
      ...pageQuery,
      filter: z.enum(['unread']).optional(),
      sort: sortQuery(['createdAt'], 'createdAt,desc'),
    }),
    reply: page(notification),
  }),
  markRead: put('/notifications/:id/mark-read', { can: 'authenticated', audited: notAudited.own }),
  /** Returns "All notifications marked as read" as plain text, unless the caller asks for JSON. */
  markAllRead: put('/notifications/mark-all-read', {
    can: 'authenticated',
    audited: notAudited.own,
    query: shownQuery,
    reply: z.string(),
    isPlainText: true,
  }),
  clearAll: del('/notifications/clear-all', {
    can: 'authenticated',
    audited: notAudited.own,
    query: shownQuery,
    reply: removal,
  }),
  remove: del('/notifications/:id', { can: 'authenticated', audited: notAudited.own, reply: removal }),
  /**
   * Restores the notifications of one removal. 404 if they were already restored, or if they were purged after a day.
   */
  restore: put('/notifications/removals/:id/restore', {
    can: 'authenticated',
    audited: notAudited.own,
    reply: z.object({ restored: z.number() }),
  }),
  preferences: get('/notifications/preferences', {
    can: 'authenticated',
    audited: notAudited.own,
    reply: notificationPreferences,
  }),
  savePreferences: put('/notifications/preferences', {
    can: 'authenticated',
    audited: notAudited.own,
    body: notificationPreferences,
    reply: notificationPreferences,
  }),
};

export const noun = {
  calls: [notifications],
  actions: {
    Conversation: {
      'notification.view': 'Viewed notifications',
    },
  },
} as const satisfies Noun;
