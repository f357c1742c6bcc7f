import { z } from 'zod';
import { stream } from './endpoint.ts';

/**
 * What the server tells browsers that something has changed: only what, never how. Whoever hears it asks for what they
 * show, with their own rights; so an event may be heard twice or late, and nothing is told by it to whom it is not due.
 */
export const liveEvent = z.discriminatedUnion('kind', [
  /** A study's row, page or work: new images, an edit, its status, its assignments, its report. */
  z.object({ kind: z.literal('study'), studyId: z.string() }),
  z.object({ kind: z.literal('patient'), patientId: z.string() }),
  z.object({ kind: z.literal('chat'), studyId: z.string() }),
  /** What is drawn on the images of a study, and which of them are key images. */
  z.object({ kind: z.literal('measurements'), studyId: z.string() }),
  /** Something in the inbox of whoever hears it. */
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
  /** A template of the organisation, or a macro: a shared one, or one of whoever hears it. */
  z.object({ kind: z.literal('templates') }),
  z.object({ kind: z.literal('atlas') }),
  z.object({ kind: z.literal('guidelines') }),
  /** Somebody of the organisation, or what its people may do. */
  z.object({ kind: z.literal('users') }),
  z.object({ kind: z.literal('roles') }),
  /** An organisation of the installation. */
  z.object({ kind: z.literal('tenants') }),
  /** Events may have been missed: whatever is shown is asked for again. */
  z.object({ kind: z.literal('everything') }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** How long nothing may come over the stream before it is taken for broken, in milliseconds: two comments are late then. */
export const silentAtMost = 50_000;

/**
 * Server-sent events, each a `liveEvent` as JSON (D-20); every 20 s a comment says that the stream stands. It ends with
 * the session. Whoever can never hear of anything, such as a patient, is answered 204 and need not ask again.
 */
export const live = stream('GET', '/api/live', 'authenticated');
