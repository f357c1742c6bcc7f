import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { connect, databaseBefore } from '#test/earlier-database.ts';

const oldDevices: [title: string, host: string | null, mayQuery: boolean, mayReadWorklist: boolean][] = [
  ['OPENQUERY', null, true, false],
  ['OPENLIST', null, false, true],
  ['OPENSTORE', null, false, false],
  ['BOUND', '192.0.2.7', true, true],
];

test('after an upgrade, old devices may still query from any address and are marked as such', async () => {
  const url = await databaseBefore('0092');
  const client = await connect(url);
  const { rows } = await client.query<{ id: number }>(
    `insert into tenants (name, subdomain) values ('old', 'old') returning id`,
  );
  await client.query(`select set_config('app.tenant_id', $1, false)`, [String(rows[0]?.id)]);
  for (const [title, host, mayQuery, mayReadWorklist] of oldDevices) {
    await client.query(
      `insert into application_entities (id, called_ae_title, calling_ae_title, host, may_query, may_read_worklist)
       values ($1, 'OURS', $2, $3, $4, $5)`,
      [randomUUID(), title, host, mayQuery, mayReadWorklist],
    );
  }

  await migrate(url);

  const { rows: devices } = await client.query<{ title: string; may: boolean }>(
    `select calling_ae_title as title, may_ask_from_anywhere as may from application_entities`,
  );
  await client.end();
  expect(Object.fromEntries(devices.map(({ title, may }) => [title, may]))).toEqual({
    OPENQUERY: true,
    OPENLIST: true,
    OPENSTORE: false,
    BOUND: false,
  });
});
