import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { outboundStates, outboundTopics, outreachTopics } from './outreach.ts';

export const webhookForm = z
  .object({
    name: z
      .string()
      .trim()
      .min(1, { error: () => t`Name is required` })
      .max(100, { error: () => t`The name is longer than 100 characters` }),
    url: z.url({ protocol: /^https?$/, error: () => t`Use an address that begins with https://` }).max(2000),
    topics: z.array(z.enum(outreachTopics)).min(1, { error: () => t`Choose at least one event` }),
    /** Whether the administrator allows an address without encryption. */
    isPlainHttp: z.boolean().default(false),
    isActive: z.boolean().default(true),
  })
  .refine(({ url, isPlainHttp }) => isPlainHttp || !url.startsWith('http:'), {
    path: ['url'],
    error: () => t`Use https://, or allow an unencrypted address`,
  });

/** Result of the latest message to a webhook. */
const latest = z.object({
  topic: z.enum(outboundTopics),
  state: z.enum(outboundStates),
  attempts: z.number(),
  error: z.string(),
  at: z.string(),
});

export const webhook = z.object({
  id: z.string(),
  revision: z.number(),
  name: z.string(),
  url: z.string(),
  topics: z.array(z.enum(outreachTopics)),
  isPlainHttp: z.boolean(),
  isActive: z.boolean(),
  latest: latest.nullable(),
  /** Number of failed messages, which can be sent again. */
  failed: z.number(),
});
export type Webhook = z.infer<typeof webhook>;

export const webhooks = {
  list: get('/webhooks', { can: 'config.manage', audited: notAudited.noPatient, reply: z.array(webhook) }),
  /** Creates a webhook. Only this response contains the secret for verifying signatures. */
  create: post('/webhooks', {
    can: 'config.manage',
    audited: 'webhook.create',
    body: webhookForm,
    reply: webhook.extend({ secret: z.string() }),
  }),
  update: put('/webhooks/:id', {
    can: 'config.manage',
    audited: 'webhook.update',
    body: z.intersection(webhookForm, z.object({ revision: z.int().min(1) })),
    reply: webhook,
  }),
  remove: del('/webhooks/:id', { can: 'config.manage', audited: 'webhook.delete' }),
  /** Queues a test message. */
  test: post('/webhooks/:id/test', { can: 'config.manage', audited: 'webhook.test', reply: webhook }),
  /** Queues the failed messages again. */
  retry: post('/webhooks/:id/retry', { can: 'config.manage', audited: 'webhook.retry', reply: webhook }),
};

export const noun = {
  calls: [webhooks],
  entities: ['webhook'],
  actions: {
    Configuration: {
      'webhook.create': 'Created webhook',
      'webhook.update': 'Edited webhook',
      'webhook.delete': 'Deleted webhook',
      'webhook.test': 'Tested webhook',
      'webhook.retry': 'Retried webhook messages',
    },
  },
} as const satisfies Noun;
