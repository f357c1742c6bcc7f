import { z } from 'zod';
import { stream, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/**
 * Events that tell browsers which data changed, but not how. Browsers then read the data with their own permissions. An
 * event may therefore arrive twice or late, and discloses nothing.
 */
export const liveEvent = z.discriminatedUnion('kind', [
  /** Row, page or work of a study: images, data, status, assignments or report changed. */
  z.object({ kind: z.literal('study'), studyId: z.string() }),
  z.object({ kind: z.literal('patient'), patientId: z.string() }),
  z.object({ kind: z.literal('chat'), studyId: z.string() }),
  /** Measurements and key images of a study. */
  z.object({ kind: z.literal('measurements'), studyId: z.string() }),
  /** The inbox of the recipient. */
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
  /** Templates of the organization, and shared macros or macros of the recipient. */
  z.object({ kind: z.literal('templates') }),
  z.object({ kind: z.literal('atlas') }),
  z.object({ kind: z.literal('guidelines') }),
  /** Users of the organization or their permissions. */
  z.object({ kind: z.literal('users') }),
  z.object({ kind: z.literal('roles') }),
  /** An organization of the installation. */
  z.object({ kind: z.literal('tenants') }),
  /** Events may have been lost. Browsers read all visible data again. */
  z.object({ kind: z.literal('everything') }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** Longest silence of the stream in milliseconds before it counts as broken. Two comments are late by then. */
export const silentAtMost = 50_000;

/**
 * Server-sent events, each a `liveEvent` as JSON (D-20). A comment every 20 s keeps the stream alive. It ends with the
 * session. Callers who can never get an event, such as patients, get 204 and do not retry.
 */
export const live = stream(
  'GET',
  '/api/live',
  'authenticated',
  unaudited('announces changes without content; fetching them is audited'),
);

export const noun = {
  streams: [live],
} as const satisfies Noun;
