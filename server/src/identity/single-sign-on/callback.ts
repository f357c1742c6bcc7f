import type { SsoFailure } from '@radwork/contract/identity/single-sign-on-failures';
import * as client from 'openid-client';
import type { Visitor } from '#core/http/http.ts';
import { pageWithFailure, pageWithTicket, type SignInTarget } from './addresses.ts';
import { type Attempt, attemptOf, makeTicket, type Secrets, subdomainIn, redeemReturn } from './attempts.ts';
import { type Claims, readClaims, refuseWeak } from './claims.ts';
import { auditRefusal } from './note-refusal.ts';
import { withProviderErrors, openProvider, type Provider, type Tenant } from './provider.ts';
import { recognise, identifyUser } from './identify-user.ts';
import { SsoRefusal } from './sso-refusal.ts';
import type { Journeys } from './start-sign-in.ts';
import { openClientSecret, settingsOfTenant, type StoredSettings } from './stored-settings.ts';
import { findTenant, visitorSession } from './tenant.ts';

/**
 * Handles a user who returns from the provider. `search` is the query that the provider sends. Returns the next URL of
 * the browser: the sign-in page with a ticket, or with the reason why there is no ticket.
 */
export const callback = async (context: Journeys, search: URLSearchParams, visitor: Visitor): Promise<string> => {
  const state = search.get('state') ?? '';
  const tenant = await findTenant(context.scopes, subdomainIn(state));
  if (!tenant) return pageWithFailure(nowhere, 'not_known');
  const attempt = await context.scopes.inTenant(visitorSession(tenant, visitor.address), (scope) =>
    attemptOf(scope, state),
  );
  // Does not audit an unknown state. A caller could invent such states and fill the organization's audit log.
  if (!attempt) return pageWithFailure(nowhere, 'not_known');
  const journey = { tenant, attempt, search, visitor };
  return arrive(context, journey).catch(async (error: unknown) => {
    if (!(error instanceof SsoRefusal)) throw error;
    return turnAway(context, journey, error.failure);
  });
};

const nowhere: SignInTarget = { path: '', isAgain: false };
const wayOf = ({ path, is_again }: Attempt): SignInTarget => ({ path, isAgain: is_again });

type Journey = { tenant: Tenant; attempt: Attempt; search: URLSearchParams; visitor: Visitor };

const turnAway = async (
  context: Journeys,
  { tenant, attempt, visitor }: Journey,
  failure: SsoFailure,
  username?: string,
): Promise<string> => {
  await auditRefusal(context, { tenant, address: visitor.address, failure, username });
  return pageWithFailure(wayOf(attempt), failure);
};

const arrive = async (context: Journeys, journey: Journey): Promise<string> => {
  const { scopes, outgoing, vault } = context;
  const { tenant, attempt, visitor } = journey;
  const session = visitorSession(tenant, visitor.address);
  const { settings, secrets } = await scopes.inTenant(session, async (scope) => ({
    secrets: await redeemReturn(scope, vault, attempt, visitor.cookies),
    settings: await settingsOfTenant(scope),
  }));
  // If the settings changed in the meantime, a reply to the request to the old provider is refused.
  if (!settings.is_on || settings.revision !== attempt.revision) throw new SsoRefusal('not_known');
  const provider = await openProvider(outgoing, tenant, {
    issuer: settings.issuer,
    clientId: settings.client_id,
    clientSecret: openClientSecret(vault, settings),
  });
  const { claims, shownAt } = await redeem(provider, settings, journey, secrets);
  const settled = await scopes.inTenant(visitorSession(tenant, visitor.address, claims.username), async (scope) => {
    const outcome = attempt.is_again
      ? await recognise(scope, claims)
      : await identifyUser(scope, context, claims, attempt.revision);
    if ('failure' in outcome) return outcome;
    return { ticket: await makeTicket(scope, { id: attempt.id, ...outcome, subdomain: tenant.subdomain, shownAt }) };
  });
  return 'failure' in settled
    ? turnAway(context, journey, settled.failure, claims.username)
    : pageWithTicket(wayOf(attempt), settled.ticket);
};

/** Exchanges the code for claims. Checks signature, issuer, audience, nonce and time. */
const redeem = async (
  provider: Provider,
  settings: StoredSettings,
  { attempt, search }: Journey,
  { nonce, verifier }: Secrets,
): Promise<{ claims: Claims; shownAt: Date | undefined }> => {
  const address = new URL(attempt.redirect_address);
  address.search = search.toString();
  const tokens = await withProviderErrors(
    client.authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: verifier,
      expectedState: search.get('state') ?? '',
      expectedNonce: nonce,
      idTokenExpected: true,
    }),
  );
  const token = tokens.claims();
  if (!token) throw new SsoRefusal('provider_wrong');
  refuseWeak(settings, token);
  const shownAt = token.auth_time === undefined ? undefined : new Date(token.auth_time * 1000);
  if (attempt.is_again) refuseEarlier(attempt, shownAt);
  const hasMore = provider.serverMetadata().userinfo_endpoint !== undefined;
  const info = hasMore
    ? await withProviderErrors(client.fetchUserInfo(provider, tokens.access_token, token.sub))
    : undefined;
  return { claims: readClaims(settings, token, info), shownAt };
};

/** Milliseconds by which the clock of the provider may be behind. */
const clockTolerance = 60_000;

/**
 * Requires a sign-in after the request. Users can remove "prompt=login" from the URL and return with a sign-in from
 * hours ago. The ID token contains the time of the sign-in.
 */
const refuseEarlier = ({ created_at }: Attempt, shownAt: Date | undefined): void => {
  const isSince = shownAt !== undefined && shownAt.getTime() > Date.parse(created_at) - clockTolerance;
  if (!isSince) throw new SsoRefusal('not_again');
};
