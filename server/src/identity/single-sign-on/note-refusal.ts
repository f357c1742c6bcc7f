import type { SsoFailure } from '@radwork/contract/identity/single-sign-on-failures';
import { audit } from '#core/audit/audit.ts';
import type { Context } from '#core/context.ts';
import type { Tenant } from './provider.ts';
import { visitorSession } from './tenant.ts';

type RefusedSignIn = { tenant: Tenant; address: string; failure: SsoFailure; username?: string | undefined };

/** Audits a refused single sign-on and its reason. */
export const auditRefusal = (
  { scopes }: Pick<Context, 'scopes'>,
  { tenant, address, failure, username }: RefusedSignIn,
): Promise<void> =>
  scopes.inTenant(visitorSession(tenant, address, username), (scope) =>
    audit(scope, 'session.refuse', {
      entity: 'session',
      outcome: 'FAILURE',
      detail: { how: 'single sign-on', reason: failure },
    }),
  );
