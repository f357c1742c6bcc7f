import { z } from 'zod';
import { get, stream, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';

/** Conditions for a server to do all its work. */
export const readinessChecks = ['running', 'database', 'migrations', 'store', 'space'] as const;

/**
 * If one of these fails, a server rejects uploads but does everything else. All servers share the store. If the load
 * balancer removed them because of a full disk, no reader could open an image.
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

/** Probes for the operator, called every few seconds. They return 200 or 503, without an envelope. */
export const probes = {
  /** Tells whether the process is alive. Restart a process that does not answer. Does not use the database. */
  live: stream('GET', '/health/live', 'public', notAudited.noPatient),
  /** Tells whether the server can work, as a `readiness`. "not ready" is 503: send it no requests. */
  ready: stream('GET', '/health/ready', 'public', notAudited.noPatient),
};

export const noun = {
  calls: [health],
  streams: [probes.live, probes.ready],
} as const satisfies Noun;
