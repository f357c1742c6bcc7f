import { t } from '@radwork/contract/core/translate';
import * as client from 'openid-client';
import type { Outgoing } from '#core/outgoing/open-outgoing.ts';
import { outgoingFetch } from '#core/outgoing/outgoing-fetch.ts';
import { asRefusal } from './provider-failure.ts';
import { SsoRefusal } from './sso-refusal.ts';

export type Tenant = { id: number; subdomain: string };

/** A client of a provider whose metadata were just read. */
export type Provider = client.Configuration;

type Client = { issuer: string; clientId: string; clientSecret: string | undefined };

/** Maximum number of seconds that a user waits at the sign-in page. */
const seconds = 10;

/** Seconds by which the clocks of two servers may differ. */
const clockTolerance = 60;

/**
 * Finds a provider by its issuer (OpenID Connect Discovery 1.0). Every call uses the guarded client, which also decides
 * whether http:// is allowed. Nothing is stored, so new keys and URLs apply at once.
 */
export const openProvider = async (
  outgoing: Outgoing,
  tenant: Tenant,
  { issuer, clientId, clientSecret }: Client,
): Promise<Provider> => {
  const isPlain = issuer.startsWith('http:');
  const metadata = { ...(clientSecret && { client_secret: clientSecret }), [client.clockTolerance]: clockTolerance };
  const provider = await withProviderErrors(
    client.discovery(new URL(issuer), clientId, metadata, authentication(clientSecret), {
      [client.customFetch]: outgoingFetch(outgoing, tenant, { mayThink: false }),
      timeout: seconds,
      // Checks the signature of every ID token, although a token that comes directly from the provider would be
      // protected by TLS.
      // oxlint-disable-next-line typescript/no-deprecated
      execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
    }),
  );
  refuseUnfit(provider, issuer);
  return provider;
};

/** Runs a call to the provider and converts its errors to SsoRefusal. */
export const withProviderErrors = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw asRefusal(error);
  });

/** Sends the secret by HTTP Basic, the default in the standard, unless the provider accepts it only in the body. */
const authentication = (clientSecret: string | undefined): client.ClientAuth => {
  if (clientSecret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(clientSecret), client.ClientSecretPost(clientSecret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
};

const refuseUnfit = (provider: Provider, issuer: string): void => {
  const server = provider.serverMetadata();
  // For some vendors, the library accepts one issuer URL for all their customers. Here, a tenant has exactly one
  // provider.
  if (server.issuer.replace(/\/$/, '') !== issuer.replace(/\/$/, '')) {
    throw new SsoRefusal(
      'provider_wrong',
      t`The provider reports another issuer. Enter the issuer exactly as the provider reports it.`,
    );
  }
  if (!server.authorization_endpoint || !server.token_endpoint || !server.jwks_uri) {
    throw new SsoRefusal('provider_wrong', t`The provider does not publish its sign-in address or its keys.`);
  }
  if (!provider.serverMetadata().supportsPKCE('S256')) {
    throw new SsoRefusal(
      'provider_wrong',
      t`The provider does not announce PKCE with S256 (code_challenge_methods_supported). It is required.`,
    );
  }
};
