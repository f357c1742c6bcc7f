import { type UserType, userTypes } from '@radwork/contract/core/access';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { orNotFound } from '#core/http/problem.ts';
import { allSamples } from './all-samples.ts';
import { idNames, type RecordIds } from './contract-calls.ts';
import type { Filling, Ids } from './feature-samples.ts';
import type { Person, Tenant, World } from './world.ts';

export type FullTenant = RecordIds & { tenant: Tenant; people: ReadonlyMap<UserType, Person> };

/** Creates a tenant with at least one row in every table. Every text from its users contains `mark`. */
export const fillTenant = async (world: World, mark: string): Promise<FullTenant> => {
  const tenant = await world.newTenant({ name: `Clinic ${mark}` });
  const signedIn = await Promise.all(userTypes.map((type) => world.signIn(type, tenant)));
  const people = new Map(userTypes.map((type, index) => [type, orNotFound(signedIn[index], 'user')]));
  const personOf = (type: UserType) => orNotFound(people.get(type), 'user');
  const author = personOf('RADIOLOGIST');
  const ids: Ids = {};
  const id = (name: string) =>
    String(
      orNotFound(ids[name], { code: 'sample', message: `${name} is missing in the samples that were filled before` }),
    );
  const filling: Filling = { world, tenant, mark, people, author, personOf, id };
  for (const { fill } of allSamples) Object.assign(ids, await fill?.(filling));
  await world.inTenant(tenant, async (scope) => {
    for (const { insert } of allSamples) Object.assign(ids, await insert?.(scope, filling));
  });
  await fillAudit(world, tenant, author);
  const missing = [...idNames].filter((name) => ids[name] === undefined);
  if (missing.length > 0) throw new Error(`Return ${missing.join(', ')} from fill or insert in feature.samples.ts`);
  // Each id that a URL holds is there.
  return { ...(ids as RecordIds), tenant, people };
};

/** Seals all but the last audit entry. */
const fillAudit = async (world: World, { id }: Tenant, { inScope }: Person) => {
  await world.context.auditReads.flush();
  await sql`select seal_audit_of(${id}, 10000)`.execute(world.owner);
  await inScope((scope) => audit(scope, 'audit.verify', { entity: 'audit' }));
};

/** Returns the names of tables that belong to tenants. */
export const tenantTables = async ({ owner }: World): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
      and a.attname = 'tenant_id' and not a.attisdropped
    order by c.relname`.execute(owner);
  return rows.map(({ name }) => name);
};
