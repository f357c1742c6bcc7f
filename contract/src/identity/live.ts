import { z } from 'zod';
import { stream, unaudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/**
 * Events that tell browsers which data changed, but not how. Browsers then fetch the data with their own permissions.
 * So an event does no harm if it arrives twice or late, and it discloses no content.
 */
export const liveEvent = z.discriminatedUnion('kind', [
  /** The list row, page or workflow of a study has changed: images, data, status, assignments or report. */
  z.object({ kind: z.literal('study'), studyId: z.string() }),
  z.object({ kind: z.literal('patient'), patientId: z.string() }),
  z.object({ kind: z.literal('chat'), studyId: z.string() }),
  /** Measurements or key images of a study have changed. */
  z.object({ kind: z.literal('measurements'), studyId: z.string() }),
  /** The recipient's notifications have changed. */
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
  /** Templates, shared macros or review phrases of the organization, or those of the recipient, have changed. */
  z.object({ kind: z.literal('templates') }),
  /** Hanging rules of the organization or of the recipient have changed. */
  z.object({ kind: z.literal('hanging-rules') }),
  /** Saved views of the organization or of the recipient have changed. */
  z.object({ kind: z.literal('saved-views') }),
  /** Many studies have changed in one act. */
  z.object({ kind: z.literal('studies') }),
  z.object({ kind: z.literal('atlas') }),
  z.object({ kind: z.literal('guidelines') }),
  /** Users of the organization or their permissions have changed. */
  z.object({ kind: z.literal('users') }),
  z.object({ kind: z.literal('roles') }),
  /** An organization of the installation has changed. */
  z.object({ kind: z.literal('tenants') }),
  /** Events may be lost, so browsers fetch all visible data again. */
  z.object({ kind: z.literal('everything') }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/**
 * Time without data in milliseconds after which the stream counts as broken. By then, two keep-alive comments (one
 * every 20 s) are overdue.
 */
export const silentAtMost = 50_000;

/**
 * Server-sent events, each a `liveEvent` as JSON. A comment every 20 s keeps the stream open. The stream ends with the
 * session. Callers who never get events, such as patients, receive 204 and do not retry.
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
