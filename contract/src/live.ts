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
  /** Something in the inbox of whoever hears it. */
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('job'), jobId: z.string() }),
]);
export type LiveEvent = z.infer<typeof liveEvent>;

/** Server-sent events, each a `liveEvent` as JSON (D-20). A comment comes when there is nothing to tell. */
export const live = stream('GET', '/api/live', 'authenticated');
