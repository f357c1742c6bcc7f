import { t } from '../core/translate.ts';
import { z } from 'zod';
import { del, get, patch, post, put, notAudited, asReading } from '../core/endpoint.ts';
import type { Noun } from '../core/noun.ts';
import { issuerOfWay } from '../core/patient-issuer.ts';
import { aeTitle } from '../core/ae-title.ts';
import { connectionTest } from '../core/connection-test.ts';

export const remoteProtocols = ['DICOMWEB', 'FHIR', 'DIMSE'] as const;
export type RemoteProtocol = (typeof remoteProtocols)[number];

export const authTypes = ['NONE', 'BASIC', 'BEARER', 'API'] as const;
export type AuthType = (typeof authTypes)[number];

const webUrl = z.url({ protocol: /^https?$/, hostname: /./ });
const dimseUrl = z.url({ protocol: /^dicoms?$/, hostname: /./ });

/** Path below `baseUrl`, or a full address. */
const endpointAddress = z.string().trim().max(2000);
const secret = z.string().max(4096);

const fields = {
  aeTitle,
  protocol: z.enum(remoteProtocols, { error: () => t`Choose a protocol` }),
  /** Address https://… or http://…. For DIMSE, dicom://CALLED_AE@host:port, or dicoms:// for TLS. */
  baseUrl: z.string().trim().max(2000),
  /** For FHIR: path of the search for imaging studies. Empty for "ImagingStudy". */
  resourcesUri: z.string().trim().max(500),
  /** Addresses of DICOMweb for queries and retrieval. Empty if `baseUrl` serves both. */
  qidoEndpoint: endpointAddress,
  wadoEndpoint: endpointAddress,
  /** Issuer of the Patient IDs in files that name no issuer. */
  issuer: issuerOfWay,
  authType: z.enum(authTypes, { error: () => t`Choose an authentication method` }),
  username: z.string().max(200),
  password: secret,
  token: secret,
  apiKey: secret,
  apiSecret: secret,
};

/**
 * Input of the form. If the secret is empty, the stored secret stays, unless `authType` changes or the secret would be
 * sent to another origin.
 */
export const remoteConfigurationInput = z
  .object({
    ...fields,
    resourcesUri: fields.resourcesUri.default(''),
    qidoEndpoint: fields.qidoEndpoint.default(''),
    wadoEndpoint: fields.wadoEndpoint.default(''),
    issuer: fields.issuer.default(''),
    username: fields.username.default(''),
    password: secret.default(''),
    token: secret.default(''),
    apiKey: secret.default(''),
    apiSecret: secret.default(''),
  })
  .superRefine((form, context) => {
    const objections = addressObjections(form);
    for (const [field, message] of Object.entries(objections))
      context.addIssue({ code: 'custom', path: [field], message });
  });
export type RemoteConfigurationInput = z.input<typeof remoteConfigurationInput>;
/** A configuration including its secrets, for connections of the server. */
export type RemoteSettings = z.output<typeof remoteConfigurationInput>;

export type ArchiveAddresses = Pick<RemoteSettings, 'protocol' | 'baseUrl' | 'qidoEndpoint' | 'wadoEndpoint'>;

const notAnAddress = () => t`Please enter a valid URL`;

const addressObjections = ({
  protocol,
  baseUrl,
  qidoEndpoint,
  wadoEndpoint,
}: ArchiveAddresses): Record<string, string> => {
  const base = protocol === 'DIMSE' ? objectionToDimse(baseUrl) : objectionToWeb(baseUrl);
  if (base) return { baseUrl: base };
  const endpoints = Object.entries({ qidoEndpoint, wadoEndpoint }).map(([field, text]) => [
    field,
    protocol === 'DIMSE' || text === '' ? undefined : objectionToWeb(endpointUrl(baseUrl, text)),
  ]);
  return Object.fromEntries(endpoints.filter(([, objection]) => objection));
};

const objectionToDimse = (text: string): string | undefined =>
  dimseUrl.safeParse(text).success ? undefined : notAnAddress();

const objectionToWeb = (text: string): string | undefined => {
  if (!webUrl.safeParse(text).success) return notAnAddress();
  if (/^https?:\/\/[^/]*@/i.test(text)) return t`Enter the username and password in their fields, not in the address`;
  return /[?#\\]/.test(text) ? notAnAddress() : undefined;
};

/**
 * Returns the full address of an endpoint, without a trailing slash. Never throws; returns invalid addresses unchanged.
 */
export const endpointUrl = (baseUrl: string, endpoint: string): string => {
  const url = /^[a-z]+:\/\//i.test(endpoint)
    ? endpoint
    : `${baseUrl.replace(/(?<!\/)\/+$/, '')}/${endpoint.replace(/^\/+/, '')}`;
  return url.replace(/(?<!\/)\/+$/, '');
};

type Credentials = Pick<RemoteSettings, 'authType' | 'username' | 'password' | 'token' | 'apiKey' | 'apiSecret'>;

/** Removes credentials that the chosen sign-in method does not use. */
export const usedCredentials = (credentials: Credentials): Credentials => {
  const { authType, username, password, token, apiKey, apiSecret } = credentials;
  return {
    authType,
    username: authType === 'BASIC' ? username : '',
    password: authType === 'BASIC' ? password : '',
    token: authType === 'BEARER' ? token : '',
    apiKey: authType === 'API' ? apiKey : '',
    apiSecret: authType === 'API' ? apiSecret : '',
  };
};

/** Returns errors for missing credentials, by field. */
export const missingCredentials = ({
  authType,
  username,
  password,
  token,
  apiKey,
}: Credentials): Record<string, string> => {
  const needed = {
    NONE: {},
    BASIC: { username: !username && t`Username is required`, password: !password && t`Password is required` },
    BEARER: { token: !token && t`Token is required` },
    API: { apiKey: !apiKey && t`API Key is required` },
  }[authType];
  return Object.fromEntries(Object.entries(needed).filter((entry): entry is [string, string] => entry[1] !== false));
};

/** A configuration for administrators. Shows which secrets exist, but not their values. */
export const remoteConfiguration = z.object({
  id: z.string(),
  revision: z.number(),
  aeTitle: z.string(),
  protocol: z.enum(remoteProtocols),
  baseUrl: z.string(),
  resourcesUri: z.string(),
  qidoEndpoint: z.string(),
  wadoEndpoint: z.string(),
  issuer: z.string(),
  authType: z.enum(authTypes),
  username: z.string(),
  hasPassword: z.boolean(),
  hasToken: z.boolean(),
  hasApiKey: z.boolean(),
  hasApiSecret: z.boolean(),
  updatedDate: z.string(),
});
export type RemoteConfiguration = z.infer<typeof remoteConfiguration>;

/** Fields that all users with the import permission get. Administrators get all fields. */
export const listedConfiguration = remoteConfiguration.partial().required({ id: true, aeTitle: true, protocol: true });
export type ListedConfiguration = z.infer<typeof listedConfiguration>;

const revision = z.number().int().min(1);

export const remoteConfigurations = {
  list: get('/configurations', {
    can: 'study.import',
    audited: notAudited.noPatient,
    reply: z.array(listedConfiguration),
  }),
  read: get('/configurations/:id', { can: 'config.manage', audited: notAudited.noPatient, reply: remoteConfiguration }),
  create: post('/configurations', {
    can: 'config.manage',
    audited: 'configuration.create',
    body: remoteConfigurationInput,
    reply: remoteConfiguration,
  }),
  replace: put('/configurations/:id', {
    can: 'config.manage',
    audited: 'configuration.update',
    body: remoteConfigurationInput.safeExtend({ revision: revision.optional() }),
    reply: remoteConfiguration,
  }),
  change: patch('/configurations/:id', {
    can: 'config.manage',
    audited: 'configuration.update',
    body: z.object(fields).partial().extend({ revision: revision.optional() }),
    reply: remoteConfiguration,
  }),
  remove: del('/configurations/:id', { can: 'config.manage', audited: 'configuration.delete' }),
  test: post('/configurations/:id/test', {
    can: 'config.manage',
    audited: asReading('configuration.test', 'remote_configuration', 'remote_configuration'),
    reply: connectionTest,
  }),
  /**
   * Tests a form before saving. With `id`, empty secrets are taken from the stored configuration if the origin is the
   * same.
   */
  testUnsaved: post('/configurations/test', {
    can: 'config.manage',
    audited: asReading('configuration.test', 'remote_configuration'),
    body: remoteConfigurationInput.safeExtend({ id: z.string().optional() }),
    reply: connectionTest,
  }),
};

export const noun = {
  calls: [remoteConfigurations],
  entities: ['remote_configuration'],
  actions: {
    Configuration: {
      'configuration.create': 'Created remote configuration',
      'configuration.update': 'Edited remote configuration',
      'configuration.delete': 'Deleted remote configuration',
      'configuration.test': 'Tested remote configuration',
    },
  },
} as const satisfies Noun;
