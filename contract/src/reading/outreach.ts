import { t, translated } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Channels for messages outside the application. */
export const outreachChannels = ['MAIL', 'PUSH', 'WEBHOOK'] as const;
export type OutreachChannel = (typeof outreachChannels)[number];

export const outreachChannelLabels: Record<OutreachChannel, string> = translated({
  MAIL: 'E-mail',
  PUSH: 'Push',
  WEBHOOK: 'Webhook',
});

/** Channels that users choose for themselves. Administrators configure webhooks. */
export const personalChannels = ['MAIL', 'PUSH'] as const;
export type PersonalChannel = (typeof personalChannels)[number];

/** Events about critical findings, including escalation steps. Quiet hours do not delay them. */
export const criticalTopics = [
  'CRITICAL_FOUND',
  'CRITICAL_TOLD',
  'CRITICAL_READER',
  'CRITICAL_ON_CALL',
  'CRITICAL_LEAD',
  'CRITICAL_WITHDRAWN',
] as const;

/** Events that are also sent outside the application. */
export const outreachTopics = [...criticalTopics, 'REPORT_READY', 'ASSIGNMENT', 'OVERDUE', 'MENTION'] as const;
export type OutreachTopic = (typeof outreachTopics)[number];

/** Topics of a message: an event, or the test of a webhook. */
export const outboundTopics = [...outreachTopics, 'TEST'] as const;
export type OutboundTopic = (typeof outboundTopics)[number];

export const isCriticalTopic = (topic: string): boolean => criticalTopics.some((critical) => critical === topic);

export const outreachTopicLabels: Record<OutboundTopic, string> = translated({
  CRITICAL_FOUND: 'Critical finding recorded',
  CRITICAL_TOLD: 'Critical finding communicated to me',
  CRITICAL_READER: 'Critical finding: reader reminded',
  CRITICAL_ON_CALL: 'Critical finding: on-call notified',
  CRITICAL_LEAD: 'Critical finding: lead notified',
  CRITICAL_WITHDRAWN: 'Critical finding withdrawn',
  REPORT_READY: 'Report ready',
  ASSIGNMENT: 'Study assigned to me',
  OVERDUE: 'Assignment overdue',
  MENTION: 'Chat mention',
  TEST: 'Test',
});

export const outboundStates = ['QUEUED', 'SENT', 'FAILED', 'CANCELED'] as const;
export type OutboundState = (typeof outboundStates)[number];

/** A message about a critical finding, shown in the history of the finding. */
export const outboundMessage = z.object({
  id: z.string(),
  channel: z.enum(outreachChannels),
  topic: z.enum(outboundTopics),
  /** Name of a user of the tenant, or of a webhook. */
  recipientName: z.string(),
  state: z.enum(outboundStates),
  attempts: z.number(),
  error: z.string(),
  createdAt: z.string(),
  sentAt: z.string().nullable(),
  /** Time when the recipient first opened the finding after the message. */
  readAt: z.string().nullable(),
});
export type OutboundMessage = z.infer<typeof outboundMessage>;

const choice = z.object({
  topic: z.enum(outreachTopics),
  channel: z.enum(personalChannels),
  isWanted: z.boolean(),
});
export type OutreachChoice = z.infer<typeof choice>;

const timeOfDay = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: () => t`Use a time such as 22:00` });

const quietHours = z.object({ begins: timeOfDay, ends: timeOfDay }).refine(({ begins, ends }) => begins !== ends, {
  path: ['ends'],
  error: () => t`Choose different start and end times`,
});

/** A browser that receives web push messages. */
export const pushDevice = z.object({ id: z.string(), label: z.string(), createdAt: z.string() });
export type PushDevice = z.infer<typeof pushDevice>;

export const outreachSettings = z.object({
  /** Choice for every event and every channel. */
  choices: z.array(choice),
  /** Quiet hours in the time zone of the tenant. They do not apply to critical findings. */
  quietHours: quietHours.nullable(),
  timeZone: z.string(),
  /** E-mail address. Empty if the user has none or this installation sends no mail. */
  mailAddress: z.string(),
  devices: z.array(pushDevice),
  /** VAPID public key with which the browser subscribes, in base64url. */
  pushKey: z.string(),
});
export type OutreachSettings = z.infer<typeof outreachSettings>;

const base64url = z.string().regex(/^[A-Za-z0-9_-]+$/);

export const outreach = {
  settings: get('/outreach', { can: 'authenticated', audited: notAudited.own, reply: outreachSettings }),
  /** Saves the settings. 422 if a critical event has no channel. */
  save: put('/outreach', {
    can: 'authenticated',
    audited: 'outreach.update',
    body: z.object({
      choices: z.array(choice).max(outreachTopics.length * personalChannels.length),
      quietHours: quietHours.nullable(),
    }),
    reply: outreachSettings,
  }),
  /** Adds the caller's browser, even if it belonged to another user of the tenant before. */
  addDevice: post('/outreach/devices', {
    can: 'authenticated',
    audited: 'outreach.add_device',
    body: z.object({
      endpoint: z.url({ protocol: /^https$/ }).max(2000),
      p256dh: base64url.length(87),
      auth: base64url.length(22),
      label: z.string().trim().max(100).default(''),
    }),
    reply: outreachSettings,
  }),
  removeDevice: del('/outreach/devices/:id', {
    can: 'authenticated',
    audited: 'outreach.remove_device',
    reply: outreachSettings,
  }),
};

export const noun = {
  calls: [outreach],
  entities: ['push_subscription'],
  actions: {
    'Sign-in and permissions': {
      'outreach.update': 'Edited notification channels',
      'outreach.add_device': 'Turned on push notifications',
      'outreach.remove_device': 'Turned off push notifications',
    },
  },
} as const satisfies Noun;
