import { t } from '@radwork/contract/core/translate';
import type { RemoteSettings } from '@radwork/contract/imaging/remote-archives';
import { endpointUrl } from '@radwork/contract/imaging/remote-archives';
import type { Outgoing, OutgoingAnswer } from '#core/outgoing/open-outgoing.ts';
import { hideSecrets } from './hide-secrets.ts';
import { RemoteError, StatusError } from './remote-source.ts';

export type RequestOptions = { accept: string; signal: AbortSignal; mostBytes?: number };

/** Makes HTTP calls to one archive for one tenant. Throws for any status except 2xx. */
export type ArchiveClient = {
  get: (url: string, options: RequestOptions) => Promise<OutgoingAnswer>;
  /** Returns JSON and headers of the answer. Undefined for "no content". */
  json: (
    url: string,
    options: RequestOptions,
  ) => Promise<{ value: unknown; headers: Record<string, string> } | undefined>;
  /** DICOMweb URLs for search and retrieval, without a slash at the end. */
  qido: string;
  wado: string;
};

type Call = { outgoing: Outgoing; tenant: { id: number; subdomain: string } };

export const createArchiveClient = ({ outgoing, tenant }: Call, settings: RemoteSettings): ArchiveClient => {
  const credentials = credentialHeaders(settings);
  const hide = hideSecrets(settings);
  const own = originsOf(settings);

  const get = async (url: string, { accept, signal, mostBytes }: RequestOptions): Promise<OutgoingAnswer> => {
    // Sends credentials only to the configured URLs, not to URLs in answers.
    const isOwn = own.includes(originOf(url));
    const answer = await outgoing.fetch(tenant, url, {
      headers: { accept, ...(isOwn && credentials) },
      signal,
      ...(mostBytes && { mostBytes }),
    });
    if (answer.status >= 200 && answer.status < 300) return answer;
    answer.discard();
    throw new StatusError(answer.status, answer.headers['retry-after']);
  };

  return {
    get,
    json: async (url, options) => {
      const answer = await get(url, options);
      const { status, headers, body } = answer;
      if (status === 204) {
        answer.discard();
        return undefined;
      }
      const [type = ''] = (headers['content-type'] ?? '').split(';');
      if (!/^application\/([\w.-]+\+)?json$/i.test(type.trim())) {
        answer.discard();
        const shownType = hide(type).slice(0, 80);
        throw wrongService(
          shownType === '' ? t`The answer has no content type` : t`The content type of the answer is ${shownType}`,
        );
      }
      return { value: parse(await textOf(body)), headers };
    },
    qido: endpointUrl(settings.baseUrl, settings.qidoEndpoint),
    wado: endpointUrl(settings.baseUrl, settings.wadoEndpoint),
  };
};

/** Returns scheme, host and port of a URL. Returns an invalid URL unchanged, so that it matches no other origin. */
export const originOf = (address: string): string => {
  if (!URL.canParse(address)) return address;
  const { protocol, host } = new URL(address);
  return `${protocol}//${host}`.toLowerCase();
};

/** Returns all origins to which the credentials of a configuration are sent. */
export const originsOf = ({
  baseUrl,
  qidoEndpoint,
  wadoEndpoint,
}: Pick<RemoteSettings, 'baseUrl' | 'qidoEndpoint' | 'wadoEndpoint'>): string[] => [
  ...new Set(['', qidoEndpoint, wadoEndpoint].map((endpoint) => originOf(endpointUrl(baseUrl, endpoint)))),
];

/** Returns the authentication headers of a configuration. */
export const credentialHeaders = ({ authType, ...settings }: RemoteSettings): Record<string, string> => {
  switch (authType) {
    case 'BASIC':
      return { authorization: `Basic ${Buffer.from(`${settings.username}:${settings.password}`).toString('base64')}` };
    case 'BEARER':
      return { authorization: `Bearer ${settings.token}` };
    case 'API':
      return { 'x-api-key': settings.apiKey, ...(settings.apiSecret && { 'x-api-secret': settings.apiSecret }) };
    case 'NONE':
      return {};
  }
};

export const wrongService = (why: string): RemoteError =>
  new RemoteError('WRONG_SERVICE', t`Unexpected service. ${why}. Check the address and path.`);

const textOf = async (body: AsyncIterable<Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Maximum number of objects in an answer, more than a useful answer contains. */
const mostObjects = 400_000;

/** Throws for an answer with too many brackets, because parsing it would block other requests. */
const refuseBrackets = (text: string, bracket: '{' | '[') => {
  let count = 0;
  for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1)) count += 1;
  if (count > mostObjects) throw wrongService(t`The answer has too many values`);
};

const parse = (text: string): unknown => {
  refuseBrackets(text, '{');
  refuseBrackets(text, '[');
  try {
    return JSON.parse(text);
  } catch {
    throw wrongService(t`The answer is not JSON`);
  }
};
