import { z } from 'zod';
import { del, get, post, put } from './endpoint.ts';

/** Ways by which a message leaves the application. */
export const outreachChannels = ['MAIL', 'PUSH', 'WEBHOOK'] as const;
export type OutreachChannel = (typeof outreachChannels)[number];

export const outreachChannelLabels: Record<OutreachChannel, string> = {
  MAIL: 'Mail',
  PUSH: 'Push',
  WEBHOOK: 'Webhook',
};

/** Channels that a person chooses; webhooks are for the administrator. */
export const personalChannels = ['MAIL', 'PUSH'] as const;
export type PersonalChannel = (typeof personalChannels)[number];

/** Events about a critical finding, the rungs of its ladder among them. No quiet hours hold them back. */
export const criticalTopics = [
  'CRITICAL_FOUND',
  'CRITICAL_TOLD',
  'CRITICAL_READER',
  'CRITICAL_ON_CALL',
  'CRITICAL_LEAD',
  'CRITICAL_WITHDRAWN',
] as const;

/** Events that leave the application. */
export const outreachTopics = [...criticalTopics, 'REPORT_READY', 'ASSIGNMENT', 'OVERDUE', 'MENTION'] as const;
export type OutreachTopic = (typeof outreachTopics)[number];

/** Subjects of a message: an event, or an administrator's trial of a webhook. */
export const outboundTopics = [...outreachTopics, 'TEST'] as const;
export type OutboundTopic = (typeof outboundTopics)[number];

export const isCriticalTopic = (topic: string): boolean => criticalTopics.some((critical) => critical === topic);

export const outreachTopicLabels: Record<OutboundTopic, string> = {
  CRITICAL_FOUND: 'Critical finding recorded',
  CRITICAL_TOLD: 'Critical finding communicated to me',
  CRITICAL_READER: 'Critical finding: reader reminded',
  CRITICAL_ON_CALL: 'Critical finding: on-call told',
  CRITICAL_LEAD: 'Critical finding: lead told',
  CRITICAL_WITHDRAWN: 'Critical finding withdrawn',
  REPORT_READY: 'Report ready',
  ASSIGNMENT: 'Study assigned to me',
  OVERDUE: 'Assignment overdue',
  MENTION: 'Mention in chat',
  TEST: 'Test',
};

export const outboundStates = ['QUEUED', 'SENT', 'FAILED', 'CANCELED'] as const;
export type OutboundState = (typeof outboundStates)[number];

/** A message about a critical finding, as the finding's history shows it. */
export const outboundMessage = z.object({
  id: z.string(),
  channel: z.enum(outreachChannels),
  topic: z.enum(outboundTopics),
  /** A member of the tenant, or the name of a webhook. */
  recipientName: z.string(),
  state: z.enum(outboundStates),
  attempts: z.number(),
  error: z.string(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  /** When the recipient opened the finding after the message was sent. */
  readAt: z.string().nullable(),
});
export type OutboundMessage = z.infer<typeof outboundMessage>;

const choice = z.object({
  topic: z.enum(outreachTopics),
  channel: z.enum(personalChannels),
  isWanted: z.boolean(),
});
export type OutreachChoice = z.infer<typeof choice>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Use a time such as 22:00');

const quietHours = z
  .object({ begins: timeOfDay, ends: timeOfDay })
  .refine(({ begins, ends }) => begins !== ends, { path: ['ends'], message: 'Quiet hours must end at another time' });

/** A browser that takes web push. */
export const pushDevice = z.object({ id: z.string(), label: z.string(), createdAt: z.string() });
export type PushDevice = z.infer<typeof pushDevice>;

export const outreachSettings = z.object({
  /** Each event with each channel. */
  choices: z.array(choice),
  /** In the tenant's time zone. Critical findings ignore them. */
  quietHours: quietHours.nullable(),
  timeZone: z.string(),
  /** The address for mail; empty where the person has no address or this installation sends no mail. */
  mailAddress: z.string(),
  devices: z.array(pushDevice),
  /** The VAPID key that a browser subscribes with, in base64url. */
  pushKey: z.string(),
});
export type OutreachSettings = z.infer<typeof outreachSettings>;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);

export const outreach = {
  settings: get('/outreach', { can: 'authenticated', reply: outreachSettings }),
  /** 422 where a critical event is left without a channel. */
  save: put('/outreach', {
    can: 'authenticated',
    body: z.object({
      choices: z.array(choice).max(outreachTopics.length * personalChannels.length),
      quietHours: quietHours.nullable(),
    }),
    reply: outreachSettings,
  }),
  /** Adds the caller's browser, or takes it over from another person of the tenant. */
  addDevice: post('/outreach/devices', {
    can: 'authenticated',
    body: z.object({
      endpoint: z.url({ protocol: /^https$/ }).max(2000),
      p256dh: base64url.length(87),
      auth: base64url.length(22),
      label: z.string().trim().max(100).default(''),
    }),
    reply: outreachSettings,
  }),
  removeDevice: del('/outreach/devices/:id', { can: 'authenticated', reply: outreachSettings }),
};
