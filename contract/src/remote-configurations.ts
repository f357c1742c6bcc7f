import { z } from 'zod';
import { del, get, patch, post, put } from './endpoint.ts';

export const remoteProtocols = ['DICOMWEB', 'FHIR', 'DIMSE'] as const;
export type RemoteProtocol = (typeof remoteProtocols)[number];

export const authTypes = ['NONE', 'BASIC', 'BEARER', 'API'] as const;
export type AuthType = (typeof authTypes)[number];

/** AE titles are 1 to 16 printable characters without a backslash; blanks at either end mean nothing (PS3.5 §6.2, AE). */
export const aeTitle = z
  .string()
  .trim()
  .min(1, 'AE Title is required')
  .regex(/^[\x20-\x5b\x5d-\x7e]{1,16}$/, 'Use 1 to 16 letters, digits or signs, and no backslash');

const webUrl = z.url({ protocol: /^https?$/, hostname: /./ });
const dimseUrl = z.url({ protocol: /^dicom$/, hostname: /./ });

const secret = z.string().max(4096).default('');

/** What is typed. An empty secret keeps the stored one, unless the origin of `baseUrl` or `authType` changes (C60). */
export const remoteConfigurationInput = z
  .object({
    aeTitle,
    protocol: z.enum(remoteProtocols, 'Choose a protocol'),
    /** https://… or http://…; of a DIMSE peer, dicom://CALLED_AE@host:port. */
    baseUrl: z.string().trim().max(2000),
    /** Of a FHIR server: the search that finds imaging studies, such as "ImagingStudy". */
    resourcesUri: z.string().trim().max(500).default(''),
    /** Paths below `baseUrl` or whole addresses of the same origin; empty where the base itself serves them. */
    qidoEndpoint: z.string().trim().max(2000).default(''),
    wadoEndpoint: z.string().trim().max(2000).default(''),
    authType: z.enum(authTypes, 'Choose how to sign in'),
    username: z.string().max(200).default(''),
    password: secret,
    token: secret,
    apiKey: secret,
    apiSecret: secret,
  })
  .superRefine(({ protocol, baseUrl }, context) => {
    if ((protocol === 'DIMSE' ? dimseUrl : webUrl).safeParse(baseUrl).success) return;
    context.addIssue({ code: 'custom', path: ['baseUrl'], message: 'Please enter a valid URL' });
  });
export type RemoteConfigurationInput = z.input<typeof remoteConfigurationInput>;

/** A configuration as administrators see it: which secrets there are, never what they are. */
export const remoteConfiguration = z.object({
  id: z.string(),
  revision: z.number(),
  aeTitle: z.string(),
  protocol: z.enum(remoteProtocols),
  baseUrl: z.string(),
  resourcesUri: z.string(),
  qidoEndpoint: z.string(),
  wadoEndpoint: z.string(),
  authType: z.enum(authTypes),
  username: z.string(),
  hasPassword: z.boolean(),
  hasToken: z.boolean(),
  hasApiKey: z.boolean(),
  hasApiSecret: z.boolean(),
  updatedDate: z.string(),
});
export type RemoteConfiguration = z.infer<typeof remoteConfiguration>;

/** What everybody who may import needs to choose one. Administrators get the rest as well (C60). */
export const listedConfiguration = remoteConfiguration.partial().required({ id: true, aeTitle: true, protocol: true });
export type ListedConfiguration = z.infer<typeof listedConfiguration>;

export const testCauses = [
  'REFUSED_BY_POLICY',
  'DNS',
  'CONNECTION_REFUSED',
  'TIMEOUT',
  'TLS',
  'UNAUTHORIZED',
  'FORBIDDEN',
  'NOT_FOUND',
  'WRONG_SERVICE',
  'SERVER_ERROR',
  'ASSOCIATION_REJECTED',
  'OTHER',
] as const;
export type TestCause = (typeof testCauses)[number];

/** How a connection test ended, after at most ten seconds (D-01). `message` says in words what is wrong and what to do. */
export const connectionTest = z.object({
  isOk: z.boolean(),
  milliseconds: z.number(),
  /** What the other side says it is, where it does. */
  server: z.string(),
  cause: z.enum(testCauses).nullable(),
  message: z.string(),
});
export type ConnectionTest = z.infer<typeof connectionTest>;

const revision = z.number().int().min(1);

export const remoteConfigurations = {
  list: get('/configurations', { can: 'study.import', reply: z.array(listedConfiguration) }),
  read: get('/configurations/:id', { can: 'config.manage', reply: remoteConfiguration }),
  create: post('/configurations', {
    can: 'config.manage',
    body: remoteConfigurationInput,
    reply: remoteConfiguration,
  }),
  replace: put('/configurations/:id', {
    can: 'config.manage',
    body: remoteConfigurationInput.safeExtend({ revision: revision.optional() }),
    reply: remoteConfiguration,
  }),
  change: patch('/configurations/:id', {
    can: 'config.manage',
    body: z.object(remoteConfigurationInput.shape).partial().extend({ revision: revision.optional() }),
    reply: remoteConfiguration,
  }),
  remove: del('/configurations/:id', { can: 'config.manage' }),
  test: post('/configurations/:id/test', { can: 'config.manage', reply: connectionTest }),
  /** Tests a form that is not saved. With `id`, its empty secrets are those of the stored one, if its origin is the same. */
  testUnsaved: post('/configurations/test', {
    can: 'config.manage',
    body: remoteConfigurationInput.safeExtend({ id: z.string().optional() }),
    reply: connectionTest,
  }),
};
