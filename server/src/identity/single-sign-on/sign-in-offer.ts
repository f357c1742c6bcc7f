import type { Reply } from '@radwork/contract/core/endpoint';
import type { singleSignOn } from '@radwork/contract/identity/single-sign-on';
import { sql } from 'kysely';
import type { Scopes } from '#core/access/scope.ts';

type Offer = Reply<typeof singleSignOn.offer>;

/**
 * Returns the single sign-on of an organization for the sign-in page. For an unknown organization, the answer is the
 * same as for an organization without single sign-on.
 */
export const offer = async (scopes: Scopes, organization: string | undefined): Promise<Offer> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ subdomain: string; label: string }>`select * from find_sso_offer(${organization ?? null})`.execute(db),
  );
  const [row] = rows;
  return row ? { isOn: true, ...row } : { isOn: false, subdomain: '', label: '' };
};
