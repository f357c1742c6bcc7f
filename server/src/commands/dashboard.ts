import { parseArgs } from 'node:util';
import { systemSession } from '#core/access/scope.ts';
import { type Difference, differences, repair } from '#insight/dashboard/update-sums.ts';
import { sql } from 'kysely';
import { print, withArchive } from './run-command.ts';

const usage = `Compares the dashboard figures with a count of all studies and reports, as the server does daily.

  npm run figures [-- --repair]

  --repair   correct wrong figures

Exits with 0 when all figures are right, and 1 when some are or were wrong.`;

const line = (tenant: number, { kind, day, key, bucket, stored, counted }: Difference): string =>
  `tenant ${tenant}, ${kind} ${key}${kind === 'TURNAROUND' ? ` bucket ${bucket}` : ''} on ${day}: ${stored} stored, ${counted} counted`;

const { values } = parseArgs({ options: { repair: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help) print(usage);
else
  await withArchive(async ({ scopes }) => {
    const { rows: tenants } = await scopes.withoutTenant((db) =>
      sql<{ id: number }>`select id from tenants_with_dashboard() id`.execute(db),
    );
    let wrong = 0;
    for (const { id } of tenants) {
      const wrongSums = (await scopes.inTenant(systemSession(id), values.repair ? repair : differences)) ?? [];
      for (const wrongSum of wrongSums) print(line(id, wrongSum));
      wrong += wrongSums.length;
    }
    print(`Tenants: ${tenants.length}, differences: ${wrong}${values.repair && wrong > 0 ? ', corrected' : ''}`);
    return wrong === 0 ? 0 : 1;
  });
