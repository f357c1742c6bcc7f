import { t } from '@radwork/contract/core/translate';
import { randomUUID } from 'node:crypto';
import type { ConnectionTest } from '@radwork/contract/core/connection-test';
import type { ProviderToTest } from '@radwork/contract/identity/single-sign-on';
import * as client from 'openid-client';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { Session } from '#core/access/scope.ts';
import { journeysEnd } from './addresses.ts';
import { withProviderErrors, openProvider, type Provider, type Tenant } from './provider.ts';
import { SsoRefusal } from './sso-refusal.ts';
import { isOfOneOrigin, openClientSecret, settingsOfTenant, type StoredSettings } from './stored-settings.ts';

type TestContext = Pick<Context, 'config' | 'outgoing' | 'scopes' | 'vault'>;

/**
 * Tests a provider: reads its metadata and keys, and checks the client. Returns the outcome, because an error of the
 * provider is not an error of this server.
 */
export const testProvider = async (
  context: TestContext,
  session: Session,
  testedProvider: ProviderToTest,
): Promise<ConnectionTest> => {
  const { tenant, stored } = await context.scopes.inTenant(session, async (scope) => ({
    tenant: await scope.db.selectFrom('tenants').select(['id', 'subdomain']).executeTakeFirstOrThrow(),
    stored: await settingsOfTenant(scope),
  }));
  const began = performance.now();
  const outcome = await withProviderErrors(testServer(context, tenant, testedProvider, stored)).catch(
    (error: unknown) => {
      if (!(error instanceof SsoRefusal)) throw error;
      return error;
    },
  );
  const isOk = !(outcome instanceof SsoRefusal);
  await context.scopes.inTenant(session, (scope) =>
    audit(scope, 'single_sign_on.test', {
      entity: 'single_sign_on',
      entityId: String(tenant.id),
      outcome: isOk ? 'SUCCESS' : 'FAILURE',
    }),
  );
  return {
    isOk,
    milliseconds: Math.round(performance.now() - began),
    server: isOk ? testedProvider.issuer : '',
    cause: isOk ? null : outcome.remoteCause,
    message: isOk ? outcome : outcome.message,
  };
};

const testServer = async (
  context: TestContext,
  tenant: Tenant,
  testedProvider: ProviderToTest,
  stored: StoredSettings,
): Promise<string> => {
  const { outgoing } = context;
  const { issuer } = testedProvider;
  const provider = await openProvider(outgoing, tenant, { issuer, clientId: 'radwork', clientSecret: undefined });
  const { jwks_uri = '' } = provider.serverMetadata();
  const answer = await outgoing.fetch(tenant, jwks_uri, {
    headers: { accept: 'application/json' },
    signal: AbortSignal.timeout(10_000),
  });
  const chunks: Buffer[] = [];
  for await (const chunk of answer.body) chunks.push(chunk);
  const count = countKeys(Buffer.concat(chunks).toString());
  if (answer.status !== 200 || count === 0) {
    throw new SsoRefusal('provider_wrong', t`The provider does not publish its signing keys (jwks_uri).`);
  }
  const aboutClient = await askAboutClient(context, tenant, testedProvider, stored);
  return count === 1
    ? t`OpenID provider found, 1 key. ${aboutClient}`
    : t`OpenID provider found, ${count} keys. ${aboutClient}`;
};

const askAboutClient = async (
  { config, outgoing, vault }: TestContext,
  tenant: Tenant,
  { issuer, clientId, clientSecret: typedSecret }: ProviderToTest,
  stored: StoredSettings,
): Promise<string> => {
  if (clientId === '') return t`To also test the client, enter the client ID.`;
  const storedSecret = isOfOneOrigin(stored.issuer, issuer) ? openClientSecret(vault, stored) : undefined;
  const clientSecret = typedSecret || storedSecret;
  const asClient = async (client: { clientId: string; clientSecret: string | undefined }) =>
    answerToClient(await openProvider(outgoing, tenant, { issuer, ...client }), config.publicUrl);
  const answer = await asClient({ clientId, clientSecret });
  if (answer === 'REFUSED') {
    throw new SsoRefusal(
      'client_refused',
      clientSecret
        ? t`The provider was found but rejected this client. Check the client ID and client secret.`
        : t`The provider was found but rejected this client without a secret. Check the client ID or enter the secret.`,
    );
  }
  // Tests the provider with a wrong client too, because some providers check the code before the client. The client
  // counts as accepted only if the provider refuses the wrong client.
  const stranger = clientSecret ? { clientId, clientSecret: randomUUID() } : { clientId: randomUUID(), clientSecret };
  if (answer === 'TAKEN' && (await asClient(stranger)) === 'REFUSED') {
    return clientSecret ? t`The client ID and secret are accepted.` : t`The client ID is accepted without a secret.`;
  }
  return t`The client could not be tested. Sign in once to check it.`;
};

/**
 * Redeems an invented code (RFC 6749 §5.2). If the client is unknown, the answer is `invalid_client`. If the client is
 * known, only the code is wrong.
 */
const answerToClient = async (provider: Provider, publicUrl: string | undefined) => {
  const redemption = client.genericGrantRequest(provider, 'authorization_code', {
    code: randomUUID(),
    code_verifier: client.randomPKCECodeVerifier(),
    redirect_uri: journeysEnd(publicUrl ?? 'https://radwork.invalid'),
  });
  return redemption.then(
    () => 'UNKNOWN' as const,
    (error: unknown) => {
      if (error instanceof client.WWWAuthenticateChallengeError) return 'REFUSED';
      if (!(error instanceof client.ResponseBodyError)) throw error;
      const answers: Record<string, 'REFUSED' | 'TAKEN'> = {
        invalid_client: 'REFUSED',
        unauthorized_client: 'REFUSED',
        invalid_grant: 'TAKEN',
      };
      return answers[error.error] ?? 'UNKNOWN';
    },
  );
};

const countKeys = (text: string): number => {
  try {
    const { keys } = JSON.parse(text);
    return Array.isArray(keys) ? keys.length : 0;
  } catch {
    return 0;
  }
};
