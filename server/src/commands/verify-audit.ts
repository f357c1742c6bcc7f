import { parseArgs } from 'node:util';
import { partVerified } from '@radwork/contract/identity/audit';
import { storedTenants } from '#imaging/archive/upkeep/stored-tenants.ts';
import { currentAnchors } from '#core/audit/audit-chain.ts';
import { readConfig } from '#core/config/config.ts';
import { type Scopes, systemSession } from '#core/access/scope.ts';
import { verifyWholeChain } from '#identity/audit/verify-chain.ts';
import { createProgressPrinter } from './print-progress.ts';
import { print, withArchive } from './run-command.ts';

const usage = `Checks the audit log of every tenant for entries that were changed, removed, swapped or inserted, and names them.

  npm run verify-audit [-- --tenant <subdomain>]

  --tenant   only this tenant

Reports the progress every second. Compares with DATA_DIR/audit-anchors.ndjson and prints the heads of the chains: store
them elsewhere. Exits with 0 when all entries are intact, 1 when some are not, and 2 when the check failed.`;

const subdomainOf = (scopes: Scopes, id: number): Promise<string> =>
  scopes.reading(systemSession(id), async ({ db }) => {
    const { subdomain } = await db.selectFrom('tenants').select('subdomain').executeTakeFirstOrThrow();
    return subdomain;
  });

const verifyTenant = async (scopes: Scopes, id: number, subdomain: string): Promise<boolean> => {
  const printProgress = createProgressPrinter();
  const verdict = await verifyWholeChain(scopes, systemSession(id), readConfig().dataDir, (progress) =>
    printProgress(`tenant ${subdomain}: ${Math.floor(partVerified(progress) * 100)} % verified`),
  );
  print(`tenant ${subdomain}: ${verdict.words} Compared with ${verdict.anchors} heads stored outside the database.`);
  for (const { position, entryId, words } of verdict.faults) {
    print(
      `tenant ${subdomain}, ${[...(position ? [`position ${position}`] : []), ...(entryId ? [`entry ${entryId}`] : [])].join(', ')}: ${words}`,
    );
  }
  return verdict.isIntact;
};

const { values } = parseArgs({ options: { tenant: { type: 'string' }, help: { type: 'boolean' } } });
if (values.help) print(usage);
else
  await withArchive(async ({ scopes }) => {
    const ids = await storedTenants(scopes);
    const all = await Promise.all(ids.map(async (id) => ({ id, subdomain: await subdomainOf(scopes, id) })));
    const tenants = all.filter(({ subdomain }) => values.tenant === undefined || subdomain === values.tenant);
    if (values.tenant !== undefined && tenants.length === 0) throw new Error(`Tenant "${values.tenant}" not found`);
    let isIntact = true;
    for (const { id, subdomain } of tenants) isIntact = (await verifyTenant(scopes, id, subdomain)) && isIntact;
    for (const anchor of await currentAnchors(scopes)) print(JSON.stringify(anchor));
    return isIntact ? 0 : 1;
  });
