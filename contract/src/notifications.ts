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
  REVIEW_RESULT: 'Reviews of my reports',
  CRITICAL_FINDING: 'Critical findings',
  MENTION: 'Mentions in chat',
  IMPORT: 'Imports',
  OVERDUE: 'Overdue assignments',
};

/** What a notification leads to: a page of the application, without its origin. */
const link = z.string().regex(/^\/(?![/\\])/);

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

/** What somebody may decide not to hear of. What endangers a patient is told to everybody it is for. */
const optionalType = z.enum(notificationTypes).exclude(['CRITICAL_FINDING']);
export const optionalNotificationTypes = optionalType.options;
export type OptionalNotificationType = z.infer<typeof optionalType>;

/** What somebody does not want to hear of; a type that comes to be later is wanted until it is turned off. */
export const notificationPreferences = z.object({ unwanted: z.array(optionalType).max(optionalType.options.length) });
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

/** How many notifications an act took out of the inbox, and the id by which it can be undone. */
export const removal = z.object({ removed: z.number(), removalId: z.string() });
export type Removal = z.infer<typeof removal>;

/** Whether the numbers of a snapshot can be those of one: none is zero, and those open lie between the other two. */
const isInOrder = (text: string): boolean => {
  const [first = '', next = '', open = ''] = text.split(':');
  const numbers = [first, ...open.split(',').filter(Boolean)].map(BigInt);
  return numbers.every((number, index) => number >= (numbers[index - 1] ?? 1n) && number <= BigInt(next));
};

/** A snapshot as PostgreSQL writes it: the first transaction that may be open, the first that is to come, those open. */
const snapshot = z
  .string()
  .max(4000)
  .regex(/^\d{1,18}:\d{1,18}:(\d{1,18}(,\d{1,18})*)?$/, { error: 'Use what the inbox came with', abort: true })
  .refine(isInOrder, { error: 'Use what the inbox came with' });

/** One page of the inbox, and as of when, in words that only the server reads. */
export const notificationPage = page(notification).extend({ asOf: z.string() });

/**
 * As of when the inbox was shown: what came since, which nobody can have seen yet, is left as it is. Not given: all that
 * there are.
 */
const shown = z.object({ asOf: snapshot.optional() });

export const notifications = {
  list: get('/notifications', {
    can: 'authenticated',
    query: z.object({
      ...pageQuery,
      filter: z.enum(['unread']).optional(),
      sort: sortQuery(['createdAt'], 'createdAt,desc'),
    }),
    reply: notificationPage,
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
