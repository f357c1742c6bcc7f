import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomUUID, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';

/** The address of the tested servers as browsers see it. */
export const radworkAddress = 'https://radwork.test';

type Claims = Record<string, unknown>;
type Login = { acr?: string; amr?: string[] };

/** Changes that a faulty provider makes to an ID token before signing, or to the whole reply with it. */
type Tamper = {
  token?: (claims: Claims) => Claims;
  answer?: (body: Claims) => Claims;
  /** Work that runs before the token is returned. */
  meanwhile?: () => Promise<unknown>;
  /** Changes the refusal of a token. */
  refusal?: (body: Claims) => Claims;
  /** Changes the address to which the browser returns. */
  changeRedirect?: (address: string) => string;
  /** Changes the discovery document. */
  discovery?: (body: Claims) => Claims;
};

const newKey = (): JsonWebKey => ({
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  kid: randomUUID(),
  alg: 'RS256',
  use: 'sig',
});

/**
 * Starts a certified OpenID provider (oidc-provider). It signs in any named user without a password, with the claims
 * in `people`. With `isForBrowsers` it asks for the user on a page and remembers them in a cookie, as providers do.
 * Call `stop` at the end.
 */
export const startOidcProvider = async ({ sendsTo = radworkAddress, isForBrowsers = false } = {}) => {
  const people = new Map<string, Claims>();
  const [clientId, clientSecret] = [`radwork-${randomUUID()}`, randomUUID()];
  const requests: string[] = [];
  let [provider, key]: [Provider | undefined, JsonWebKey] = [undefined, newKey()];
  let login: Login & { accountId: string } = { accountId: '' };
  let tamper: Tamper = {};

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    if (!provider) return void response.writeHead(503).end();
    if (!request.url?.startsWith('/sign-in/')) return void provider.callback()(request, response);
    if (!isForBrowsers) return provider.interactionFinished(request, response, { login });
    if (request.method === 'GET') return void response.writeHead(200, { 'content-type': 'text/html' }).end(signInPage);
    const accountId = new URLSearchParams(await textOf(request)).get('name') ?? '';
    await provider.interactionFinished(request, response, { login: { accountId } });
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;

  const change = (body: Claims): Claims => {
    const changed = tamper.answer?.(body) ?? body;
    const { id_token: token } = changed;
    if (!tamper.token || typeof token !== 'string') return changed;
    const payload: Claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return { ...changed, id_token: signed(tamper.token(payload), key) };
  };

  const create = () => {
    const created = new Provider(issuer, configurationOf({ clientId, clientSecret, key, people, sendsTo }));
    created.use(async (context, next) => {
      await next();
      if (context.path === '/token') await tamper.meanwhile?.();
      if (context.path === '/token' && context.status === 200) context.body = change(context.body as Claims);
      if (context.path === '/token' && context.status >= 400 && tamper.refusal) {
        context.status = 400;
        context.remove('www-authenticate');
        context.body = tamper.refusal(context.body as Claims);
      }
      const way = context.response.get('location') ?? '';
      if (tamper.changeRedirect && way.startsWith(sendsTo)) context.set('location', tamper.changeRedirect(way));
      if (context.path.startsWith('/.well-known/'))
        context.body = tamper.discovery?.(context.body as Claims) ?? context.body;
    });
    return created;
  };
  provider = create();

  return {
    issuer,
    clientId,
    clientSecret,
    people,
    /** The requests so far, such as "GET /jwks". */
    asked: requests,
    /** Enables a fault from now on. */
    tamper: (wrong: Tamper) => {
      tamper = wrong;
    },
    rotateKeys: () => {
      key = newKey();
      provider = create();
    },
    /** Signs in a user who comes from `address`. Returns the address to which the browser is sent back. */
    signIn: async (from: string, accountId: string, how: Login = {}): Promise<string> => {
      login = { accountId, ...how };
      return follow(from, new Map());
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;

type Parts = { clientId: string; clientSecret: string; key: JsonWebKey; people: Map<string, Claims>; sendsTo: string };

const configurationOf = ({ clientId, clientSecret, key, people, sendsTo }: Parts): Configuration => ({
  clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [`${sendsTo}/api/auth/sso/callback`] }],
  jwks: { keys: [key as never] },
  ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  cookies: { keys: ['of these tests'] },
  claims: {
    openid: ['sub', 'acr', 'amr'],
    profile: ['name', 'preferred_username', 'groups', 'realm_access'],
    email: ['email', 'email_verified'],
  },
  acrValues: ['urn:one-factor', 'urn:two-factors'],
  features: { devInteractions: { enabled: false } },
  interactions: { url: (_context, { uid }) => `/sign-in/${uid}` },
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id, ...people.get(id) }) }),
  // Grants access without asking the user for consent.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' });
    grant.addOIDCScope('openid profile email');
    await grant.save();
    return grant;
  },
});

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

const signed = (payload: Claims, key: JsonWebKey): string => {
  const text = `${encoded({ alg: 'RS256', kid: key['kid'] })}.${encoded(payload)}`;
  return `${text}.${sign('sha256', Buffer.from(text), createPrivateKey({ key, format: 'jwk' })).toString('base64url')}`;
};

const signInPage = `<!doctype html><html lang="en"><title>Clinic account</title>
<form method="post"><label>Who are you? <input name="name"></label><button>Continue</button></form></html>`;

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
};

/** Follows redirects as a browser would, until a redirect leaves the provider. */
const follow = async (from: string, cookies: Map<string, string>): Promise<string> => {
  const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(from, { redirect: 'manual', headers: { cookie } });
  for (const set of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
    cookies.set(name, value);
  }
  const location = response.headers.get('location');
  if (!location) throw new Error(`The provider shows a page: ${(await response.text()).slice(0, 2000)}`);
  const next = new URL(location, from);
  return next.origin === new URL(from).origin ? follow(next.href, cookies) : next.href;
};
