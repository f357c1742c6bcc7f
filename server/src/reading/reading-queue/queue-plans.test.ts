import { readConditions } from '@radwork/contract/imaging/study-conditions';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { addStudy } from '#test/stored-study.ts';
import { createWorld } from '#test/world.ts';
import type { QueuePart } from './queue-parts.ts';
import { firstWaiting } from './queue-rows.ts';

const world = await createWorld();
const { tenant } = await world.signIn();
await world.inTenant(tenant, (scope) => addStudy(scope));
await sql`
  insert into studies (tenant_id, id, patient_id, study_instance_uid, status, modality, patient_name, priority,
                       instance_count, created_at)
  select s.tenant_id, gen_random_uuid(), s.patient_id, '1.2.' || n,
         case when n % 4 = 0 then 'PENDING' else 'ARCHIVED' end, 'CT', s.patient_name,
         (array['STAT', 'URGENT', 'ROUTINE'])[1 + n % 3], 1, now() - n * interval '1 minute'
  from studies s, generate_series(1, 12000) n where s.tenant_id = ${tenant.id}`.execute(world.owner);
await sql`vacuum analyze studies`.execute(world.owner);

test.each<[string, QueuePart]>([
  ['unassigned study', { view: 'UNASSIGNED' }],
  ['study of a saved view', { modalities: ['CT'], where: readConditions('arrival.last:30') }],
])('the next %s is found in the order of an index, however many studies wait', async (_, part) => {
  const reader = await world.signIn('RADIOLOGIST', tenant);
  const plan = await reader.inScope(async (scope) => {
    const query = firstWaiting(scope, part, [newId()], 20);
    const { rows } = await sql<Record<'QUERY PLAN', string>>`explain ${query}`.execute(scope.db);
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  });

  expect(plan).toContain('Index Scan using studies_reading_queue');
  expect(plan).not.toContain('Sort');
});
