import * as client from 'openid-client';
import type { Context } from '#core/context.ts';
import type { Visitor } from '#core/http/http.ts';
import { journeysEnd, localPath, pageWithFailure, type SignInTarget } from './addresses.ts';
import { beginAttempt } from './attempts.ts';
import { wordsOf } from './claims.ts';
import { auditRefusal } from './note-refusal.ts';
import { openProvider, type Provider, type Tenant } from './provider.ts';
import { SsoRefusal } from './sso-refusal.ts';
import { openClientSecret, settingsOfTenant, type StoredSettings } from './stored-settings.ts';
import { findTenant, visitorSession } from './tenant.ts';

export type Journeys = Pick<Context, 'config' | 'outgoing' | 'scopes' | 'sessions' | 'vault'>;

/** The next URL of the browser, and its cookie. */
export type Departure = { location: string; cookie?: { name: string; value: string } };

type SignInRequest = { subdomain: string; redirect: string; isAgain: boolean; origin: string };

/**
 * Redirects a user to the provider of the organization. After a refusal, redirects to the sign-in page with the reason.
 */
export const startSignIn = async (context: Journeys, request: SignInRequest, visitor: Visitor): Promise<Departure> => {
  const way = { path: localPath(request.redirect), isAgain: request.isAgain };
  const tenant = await findTenant(context.scopes, request.subdomain);
  if (!tenant) return { location: pageWithFailure(way, 'off') };
  try {
    return await depart(context, tenant, { way, origin: request.origin }, visitor);
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    await auditRefusal(context, { tenant, address: visitor.address, failure: error.failure });
    return { location: pageWithFailure(way, error.failure) };
  }
};

const depart = async (
  { scopes, outgoing, vault }: Journeys,
  tenant: Tenant,
  { way, origin }: { way: SignInTarget; origin: string },
  { address }: Visitor,
): Promise<Departure> => {
  const session = visitorSession(tenant, address);
  const settings = await scopes.inTenant(session, settingsOfTenant);
  if (!settings.is_on) return { location: pageWithFailure(way, 'off') };
  const provider = await openProvider(outgoing, tenant, {
    issuer: settings.issuer,
    clientId: settings.client_id,
    clientSecret: openClientSecret(vault, settings),
  });
  const secrets = { nonce: client.randomNonce(), verifier: client.randomPKCECodeVerifier() };
  const redirectAddress = journeysEnd(origin);
  const { state, cookie } = await scopes.inTenant(session, (scope) =>
    beginAttempt(scope, vault, {
      subdomain: tenant.subdomain,
      revision: settings.revision,
      redirectAddress,
      ...way,
      secrets,
    }),
  );
  return { location: await addressOf(provider, settings, { ...way, state, redirectAddress, ...secrets }), cookie };
};

type Parameters = Pick<SignInTarget, 'isAgain'> & {
  state: string;
  redirectAddress: string;
  nonce: string;
  verifier: string;
};

const addressOf = async (provider: Provider, settings: StoredSettings, parameters: Parameters): Promise<string> => {
  const { isAgain, state, redirectAddress, nonce, verifier } = parameters;
  const classes = wordsOf(settings.required_acr);
  return client.buildAuthorizationUrl(provider, {
    redirect_uri: redirectAddress,
    scope: wordsOf(settings.scopes).join(' '),
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // Requires a new sign-in at the provider. Its time is in the ID token (OpenID Connect Core §3.1.2.1).
    ...(isAgain && { prompt: 'login', max_age: '0' }),
    ...(classes.length > 0 && { acr_values: classes.join(' ') }),
  }).href;
};
