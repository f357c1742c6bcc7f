import { z } from 'zod';
import { del, get, post, put } from './endpoint.ts';
import { issuerOfWay } from './identities.ts';
import { aeTitle } from './remote-configurations.ts';

/**
 * A device of the tenant that may speak DIMSE with us. The title it calls (ours) and its own, together, say which
 * tenant an association belongs to; nobody else is let in (PS3.8 §9.3.2).
 */
export const applicationEntityInput = z.object({
  calledAeTitle: aeTitle,
  callingAeTitle: aeTitle,
  /** The only IP address it may call from; empty for any. */
  host: z.union([z.literal(''), z.ipv4(), z.ipv6()], 'Use an IP address such as 192.0.2.10').default(''),
  /** Where it listens itself, if it does: a device with an address and a port can be sent to (C-MOVE). */
  port: z.number('Use a port from 1 to 65535').int().min(1).max(65_535).nullable().default(null),
  description: z.string().trim().max(200).default(''),
  /** Issuer of the patient IDs in its files that name none. */
  issuer: issuerOfWay.default(''),
  mayStore: z.boolean().default(true),
  mayReadWorklist: z.boolean().default(false),
  /** Whether it may look for the tenant's studies and have them sent to itself (C-FIND, C-GET, C-MOVE). */
  mayQuery: z.boolean().default(false),
  /**
   * An administrator's word that it may do the latter two without an address. AE titles are no secret: without an
   * address or a certificate every caller in the network may pass for it.
   */
  mayAskFromAnywhere: z.boolean().default(false),
  isActive: z.boolean().default(true),
});

export const applicationEntity = z.object({
  id: z.string(),
  revision: z.number(),
  calledAeTitle: z.string(),
  callingAeTitle: z.string(),
  host: z.string(),
  port: z.number().nullable(),
  description: z.string(),
  issuer: z.string(),
  mayStore: z.boolean(),
  mayReadWorklist: z.boolean(),
  mayQuery: z.boolean(),
  mayAskFromAnywhere: z.boolean(),
  isActive: z.boolean(),
  lastSeenDate: z.string().nullable(),
});
export type ApplicationEntity = z.infer<typeof applicationEntity>;

type Door = Pick<ApplicationEntity, 'host' | 'mayReadWorklist' | 'mayQuery'>;

/** Whether a device may read names from any address: only an administrator's word or its certificate lets it. */
export const readsFromAnywhere = ({ host, mayReadWorklist, mayQuery }: Door): boolean =>
  host === '' && (mayReadWorklist || mayQuery);

export const applicationEntities = {
  /**
   * `port` is null while the server does not listen for DIMSE (setting DIMSE_PORT). `areCertificatesNeeded`: each device
   * shows a certificate of the authority of the installation (DIMSE_TLS_CA_FILE).
   */
  list: get('/application-entities', {
    can: 'config.manage',
    reply: z.object({
      port: z.number().nullable(),
      areCertificatesNeeded: z.boolean(),
      entities: z.array(applicationEntity),
    }),
  }),
  create: post('/application-entities', {
    can: 'config.manage',
    body: applicationEntityInput,
    reply: applicationEntity,
  }),
  update: put('/application-entities/:id', {
    can: 'config.manage',
    body: applicationEntityInput.extend({ revision: z.number().int().min(1) }),
    reply: applicationEntity,
  }),
  remove: del('/application-entities/:id', { can: 'config.manage' }),
};
