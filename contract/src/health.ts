import { z } from 'zod';
import { get, stream } from './endpoint.ts';

/** What has to hold for a server to do all of its work. */
export const readinessChecks = ['running', 'database', 'migrations', 'store', 'space'] as const;

/**
 * Without these a server takes no images and does everything else. All servers share the store: a balancer that took
 * them out for it would take every image from every reader, because an upload has filled a disk.
 */
export const checksOfUploads: readonly (typeof readinessChecks)[number][] = ['store', 'space'];

export const readiness = z.object({
  status: z.enum(['ready', 'takes no images', 'not ready']),
  checks: z.array(z.object({ name: z.enum(readinessChecks), isOk: z.boolean(), message: z.string() })),
});

export type Readiness = z.infer<typeof readiness>;

export const health = {
  /** The product's name and version, and the address under which people reach it where one is configured. */
  about: get('/about', {
    can: 'public',
    reply: z.object({ name: z.string(), version: z.string(), publicUrl: z.string().nullable() }),
  }),
};

/** What whoever runs the server has asked every few seconds. They answer without an envelope, 200 or 503. */
export const probes = {
  /** Whether the process lives; a process that does not answer is to be started again. Asks nothing of the database. */
  live: stream('GET', '/health/live', 'public'),
  /** Whether the server can do its work now, as a `readiness`; "not ready" is 503, and it is to be sent none. */
  ready: stream('GET', '/health/ready', 'public'),
};
