import { z } from 'zod';
import { del, get, put } from './endpoint.ts';
import { page, pageQuery, sortQuery } from './paging.ts';

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
] as const;
export type NotificationType = (typeof notificationTypes)[number];

export const notificationTypeLabels: Record<NotificationType, string> = {
  ASSIGNMENT: 'Assignments',
  STUDY_STATUS: 'Status of my studies',
  REVIEW_REQUEST: 'Reports to review',
  REVIEW_RESULT: 'Reviews of my reports',
  CRITICAL_FINDING: 'Critical findings',
  MENTION: 'Mentions in chat',
  IMPORT: 'Imports',
  OVERDUE: 'Overdue assignments',
  ACCOUNT: 'My account',
};

/** What a notification leads to: a page of the application, without its origin. */
const link = z.string().regex(/^\/(?![/\\])/);

/** The study that a notification is about, while its reader may know of it. */
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

/** What somebody may decide not to hear of. What endangers a patient, or their own account, is told to everybody it is for. */
const optionalType = z.enum(notificationTypes).exclude(['CRITICAL_FINDING', 'ACCOUNT']);
export const optionalNotificationTypes = optionalType.options;
export type OptionalNotificationType = z.infer<typeof optionalType>;

/** What somebody does not want to hear of; a type that comes to be later is wanted until it is turned off. */
export const notificationPreferences = z.object({ unwanted: z.array(optionalType).max(optionalType.options.length) });
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

/** How many notifications an act took out of the inbox, and the id by which it can be undone. */
export const removal = z.object({ removed: z.number(), removalId: z.string() });
export type Removal = z.infer<typeof removal>;

/**
 * The moment of the newest notification that the inbox was showing: later ones, which nobody can have seen yet, are
 * left as they are. Not given: all that there are.
 */
const shown = z.object({ until: z.iso.datetime({ offset: true, error: 'Use a date and time in UTC' }).optional() });

export const notifications = {
  list: get('/notifications', {
    can: 'authenticated',
    query: z.object({
      ...pageQuery,
      filter: z.enum(['unread']).optional(),
      sort: sortQuery(['createdAt'], 'createdAt,desc'),
    }),
    reply: page(notification),
  }),
  markRead: put('/notifications/:id/mark-read', { can: 'authenticated' }),
  /** Answers "All notifications marked as read", as plain text unless JSON is asked for (C12). */
  markAllRead: put('/notifications/mark-all-read', {
    can: 'authenticated',
    query: shown,
    reply: z.string(),
    isPlainText: true,
  }),
  clearAll: del('/notifications/clear-all', { can: 'authenticated', query: shown, reply: removal }),
  remove: del('/notifications/:id', { can: 'authenticated', reply: removal }),
  /** Brings back what one act removed. 404 when it was undone already, or is forgotten, a day later. */
  restore: put('/notifications/removals/:id/restore', {
    can: 'authenticated',
    reply: z.object({ restored: z.number() }),
  }),
  preferences: get('/notifications/preferences', { can: 'authenticated', reply: notificationPreferences }),
  savePreferences: put('/notifications/preferences', {
    can: 'authenticated',
    body: notificationPreferences,
    reply: notificationPreferences,
  }),
};
