import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, post, put, notAudited } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { issuerOfWay } from '../core/patient-issuer.ts';
import { aeTitle } from '../core/ae-title.ts';

/**
 * An application entity of the tenant. The called AE title (ours) and the calling AE title together identify the tenant
 * of an association. Associations with other pairs are rejected (PS3.8 §9.3.2).
 */
export const applicationEntityInput = z.object({
  calledAeTitle: aeTitle,
  callingAeTitle: aeTitle,
  /** The only IP address from which it may connect; empty for any address. */
  host: z
    .union([z.literal(''), z.ipv4(), z.ipv6()], { error: () => t`Use an IP address such as 192.0.2.10` })
    .default(''),
  /**
   * Port on which it accepts associations; null if it accepts none. C-MOVE can send only to an application entity with
   * address and port.
   */
  port: z
    .number({ error: () => t`Use a port from 1 to 65535` })
    .int()
    .min(1)
    .max(65_535)
    .nullable()
    .default(null),
  description: z.string().trim().max(200).default(''),
  /** Issuer of the Patient IDs in files that name no issuer. */
  issuer: issuerOfWay.default(''),
  mayStore: z.boolean().default(true),
  mayReadWorklist: z.boolean().default(false),
  /** Whether it may query and retrieve the studies of the tenant (C-FIND, C-GET, C-MOVE). */
  mayQuery: z.boolean().default(false),
  /**
   * Whether it may query studies and worklist without a fixed address. An administrator must agree: AE titles are not
   * secret, so any host on the network could use them without an address or a certificate.
   */
  mayAskFromAnywhere: z.boolean().default(false),
  /**
   * ID of the group of its studies. Studies that it sends get the group, and it finds only studies of the group. Default:
   * no group and all studies.
   */
  groupId: z
    .uuid({ error: () => t`Choose a group` })
    .nullable()
    .default(null),
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
  groupId: z.string().nullable(),
  isActive: z.boolean(),
  lastSeenDate: z.string().nullable(),
});
export type ApplicationEntity = z.infer<typeof applicationEntity>;

type Door = Pick<ApplicationEntity, 'host' | 'mayReadWorklist' | 'mayQuery'>;

/**
 * Whether patient names can be read from any address. If so, an administrator must agree, or the application entity
 * must present a certificate.
 */
export const readsFromAnywhere = ({ host, mayReadWorklist, mayQuery }: Door): boolean =>
  host === '' && (mayReadWorklist || mayQuery);

export const applicationEntities = {
  /**
   * Returns the application entities. `port` is null while the server accepts no DIMSE associations (setting
   * DIMSE_PORT). `areCertificatesNeeded`: each application entity must present a certificate from the authority in
   * DIMSE_TLS_CA_FILE.
   */
  list: get('/application-entities', {
    can: 'config.manage',
    audited: notAudited.noPatient,
    reply: z.object({
      port: z.number().nullable(),
      areCertificatesNeeded: z.boolean(),
      entities: z.array(applicationEntity),
    }),
  }),
  create: post('/application-entities', {
    can: 'config.manage',
    audited: 'application_entity.create',
    body: applicationEntityInput,
    reply: applicationEntity,
  }),
  update: put('/application-entities/:id', {
    can: 'config.manage',
    audited: 'application_entity.update',
    body: applicationEntityInput.extend({ revision: z.number().int().min(1) }),
    reply: applicationEntity,
  }),
  remove: del('/application-entities/:id', { can: 'config.manage', audited: 'application_entity.delete' }),
};

export const noun = {
  calls: [applicationEntities],
  entities: ['application_entity'],
  actions: {
    Configuration: {
      'application_entity.create': 'Created device',
      'application_entity.update': 'Edited device',
      'application_entity.delete': 'Deleted device',
    },
  },
} as const satisfies Noun;
