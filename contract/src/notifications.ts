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
] as const;
export type NotificationType = (typeof notificationTypes)[number];

export const notificationTypeLabels: Record<NotificationType, string> = {
  ASSIGNMENT: 'Assignments',
  STUDY_STATUS: 'Status of my studies',
  REVIEW_REQUEST: 'Reports to review',
  REVIEW_RESULT: 'Results of my reviews',
  CRITICAL_FINDING: 'Critical findings',
  MENTION: 'Mentions in chat',
  IMPORT: 'Imports',
  OVERDUE: 'Overdue assignments',
};

/** What a notification leads to: a page of the application, without its origin. */
const link = z.string().regex(/^\/(?!\/)/);

export const notification = z.object({
  id: z.string(),
  type: z.enum(notificationTypes),
  title: z.string(),
  message: z.string(),
  link: link.nullable(),
  createdAt: z.string(),
  seen: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

/** Whether somebody wants each type. Critical findings cannot be turned off. */
export const notificationPreferences = z.object({
  types: z.record(z.enum(notificationTypes), z.boolean()),
});

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
  /** Answers plain text, "All notifications marked as read", unless JSON is asked for (C12). */
  markAllRead: put('/notifications/mark-all-read', { can: 'authenticated' }),
  clearAll: del('/notifications/clear-all', { can: 'authenticated' }),
  remove: del('/notifications/:id', { can: 'authenticated' }),
  preferences: get('/notifications/preferences', { can: 'authenticated', reply: notificationPreferences }),
  savePreferences: put('/notifications/preferences', {
    can: 'authenticated',
    body: notificationPreferences,
    reply: notificationPreferences,
  }),
};
