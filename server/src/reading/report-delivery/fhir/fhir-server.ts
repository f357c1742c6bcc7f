import { endpointUrl, type RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import type { Outgoing, OutgoingRequest } from '#core/outgoing/open-outgoing.ts';
import { credentialHeaders } from '#imaging/remote-archives/archive-client.ts';
import { hideSecrets } from '#imaging/remote-archives/hide-secrets.ts';
import { asFhirError, FhirError, type Hide, refusalOf } from './fhir-error.ts';

type Tenant = { id: number; subdomain: string };
type RequestOptions = Pick<OutgoingRequest, 'method' | 'headers'> & { resource?: object };

/** Answer of a FHIR server with a 2xx status. `location`: URL of the created resource. */
export type FhirAnswer = { status: number; body: unknown; location: string };

/**
 * Calls one FHIR server. All functions throw a FhirError. Before storing parts of an answer, apply `hide` to these
 * parts.
 */
export type FhirServer = { ask: (path: string, options?: RequestOptions) => Promise<FhirAnswer>; hide: Hide };

const fhirJson = 'application/fhir+json';
const largestAnswer = 4 << 20;

/** Returns the FHIR server of a configuration, with its credentials. Redirects are not followed (core/outgoing). */
export const openFhirServer = (
  outgoing: Outgoing,
  tenant: Tenant,
  settings: RemoteSettings,
  signal: AbortSignal,
): FhirServer => {
  const base = endpointUrl(settings.baseUrl, '');
  const hide = hideSecrets(settings);
  return {
    hide,
    ask: async (path, { method = 'GET', headers = {}, resource } = {}) => {
      const answer = await outgoing
        .fetch(tenant, path === '' ? base : `${base}/${path}`, {
          method,
          headers: {
            accept: fhirJson,
            ...(resource && { 'content-type': `${fhirJson}; charset=utf-8`, prefer: 'return=minimal' }),
            ...headers,
            ...credentialHeaders(settings),
          },
          ...(resource && { body: JSON.stringify(resource) }),
          signal,
          mostBytes: largestAnswer,
          // A server may check the data for a while before it sends the first byte.
          mayThink: true,
        })
        .catch((error: unknown) => {
          throw asFhirError(error);
        });
      const text = await textOf(answer.body).catch((error: unknown) => {
        throw asFhirError(error);
      });
      const body = parsed(text);
      if (answer.status < 200 || answer.status >= 300) throw refusalOf(answer.status, body, hide);
      return { status: answer.status, body, location: answer.headers['location'] ?? '' };
    },
  };
};

const textOf = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const noFhir = (why: string): FhirError =>
  new FhirError(`This does not seem to be a FHIR server. ${why}. Check the address and path.`, false);
