import { z } from 'zod';
import { get, stream, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Conditions under which a server can do all its work. */
export const readinessChecks = ['running', 'database', 'migrations', 'store', 'space'] as const;

/**
 * Conditions that only uploads need. If one of them fails, the server rejects uploads and otherwise continues. All
 * servers share the storage. If a full disk made them "not ready", the load balancer would remove all servers, and no
 * user could open an image.
 */
export const checksOfUploads: readonly (typeof readinessChecks)[number][] = ['store', 'space'];

export const readiness = z.object({
  status: z.enum(['ready', 'takes no images', 'not ready']),
  checks: z.array(z.object({ name: z.enum(readinessChecks), isOk: z.boolean(), message: z.string() })),
});

export type Readiness = z.infer<typeof readiness>;

export const health = {
  /** Product name and version, and the public URL if configured. */
  about: get('/about', {
    can: 'public',
    audited: notAudited.noPatient,
    reply: z.object({ name: z.string(), version: z.string(), publicUrl: z.string().nullable() }),
  }),
};

/** Probes for the operator, called every few seconds. They return 200 or 503 without the envelope. */
export const probes = {
  /** Whether the process is alive. Restart a process that does not respond. Does not use the database. */
  live: stream('GET', '/health/live', 'public', notAudited.noPatient),
  /** Whether the server can work (`readiness`). "not ready" is status 503; then send this server no requests. */
  ready: stream('GET', '/health/ready', 'public', notAudited.noPatient),
};

export const noun = {
  calls: [health],
  streams: [probes.live, probes.ready],
} as const satisfies Noun;
