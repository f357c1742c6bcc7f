import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  audit as endpoints,
  auditExport,
  auditExportQuery,
  mostExportedEntries,
} from '@radwork/contract/identity/audit';
import type { Bundle } from 'fhir/r4';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { audit } from '#core/audit/audit.ts';
import { createWorld, type Person } from '#test/world.ts';
import { exportedText } from './export-entries.ts';

const world = await createWorld();

/** Writes `count` entries, numbered from 1. The last one is the newest. */
const writeMany = ({ tenant }: Person, count: number) =>
  sql`insert into audit_entries (tenant_id, created_at, username, action, entity, entity_id, outcome)
      select ${tenant.id}, timestamptz '2026-03-01' + n * interval '1 second', 'x', 'study.many', 'study', n::text, 'SUCCESS'
      from generate_series(1, ${sql.lit(count)}) n`.execute(world.owner);

/** Returns the entity id of each exported line after the heading, newest first. */
const exportedNumbers = (payload: string) =>
  payload
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',')[5]?.replaceAll('"', ''));

const countDown = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => String(from - index));

test('an export contains every entry of the search once, and no other', async () => {
  const person = await world.signIn('ADMIN');
  await person.inScope((scope) => audit(scope, 'study.view', { entity: 'study', entityId: 'another' }));
  await writeMany(person, 450);

  const { payload } = await person.request({
    method: 'GET',
    url: `${auditExport.path}?format=csv&action=study.many&user=&from=&whatever=x`,
  });

  expect(exportedNumbers(payload)).toEqual(countDown(450, 1));
  const [exported] = (await person.send(endpoints.list, { query: { action: 'audit.export' } })).data.content;
  expect(exported?.detail).toEqual({ format: 'csv', filters: 'action' });
});

test('an export ends at its limit and says so, in CSV and FHIR', async () => {
  const person = await world.signIn('ADMIN');
  const most = 1_250;
  await writeMany(person, most);
  const ask = async (format: string) => {
    const query = auditExportQuery.parse({ action: 'study.many', format });
    return text(Readable.from(exportedText(world.context.scopes, person.session, query, most)));
  };
  const words = 'This export ends at 1,250 entries. Older entries are missing. Choose fewer days.';

  const fullExport = await ask('csv');
  await writeMany(person, 1);
  const cut = await ask('csv');
  const bundle: Bundle = JSON.parse(await ask('fhir'));

  expect(mostExportedEntries).toBe(100_000);
  expect(exportedNumbers(fullExport)).toHaveLength(most);
  expect(fullExport).not.toContain('This export ends');
  expect(exportedNumbers(cut)).toHaveLength(most + 1);
  expect(cut.trimEnd().endsWith(`\r\n"${words}"`)).toBe(true);
  expect(bundle.entry).toHaveLength(most + 1);
  expect(bundle.entry?.at(-1)?.resource).toMatchObject({
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'warning', diagnostics: words }],
  });
});
