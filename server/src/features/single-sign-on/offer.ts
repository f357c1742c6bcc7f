import type { Reply } from '@radwork/contract/endpoint';
import type { singleSignOn } from '@radwork/contract/single-sign-on';
import { sql } from 'kysely';
import type { Scopes } from '#core/scope.ts';

type Offer = Reply<typeof singleSignOn.offer>;

/** What the sign-in page may offer. Of an organisation that does not exist it says the same as of one without it. */
export const offer = async (scopes: Scopes, organisation: string | undefined): Promise<Offer> => {
  const { rows } = await scopes.withoutTenant((db) =>
    sql<{ subdomain: string; label: string }>`select * from find_sso_offer(${organisation ?? null})`.execute(db),
  );
  const [found] = rows;
  return found ? { isOn: true, ...found } : { isOn: false, subdomain: '', label: '' };
};
