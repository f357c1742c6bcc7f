import type pg from 'pg';

/**
 * Fills a tenant with two years of entries and returns its id. There are 200 users, some much more active, and 40
 * actions, some much more frequent. 1 % of the entries are failures. 80 % come from one address and the rest from
 * thousands.
 */
export const generate = async (owner: pg.Client, entries: number): Promise<number> => {
  const { rows } = await owner.query<{ id: number }>(
    `insert into tenants (name, subdomain) values ('Bench', 'bench') returning id`,
  );
  const tenantId = rows[0]?.id ?? 0;
  const { rows: indexes } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = 'audit_entries'::regclass and not indisprimary`,
  );
  await owner.query(`set maintenance_work_mem = '1GB'`);
  await owner.query('alter table audit_entries disable trigger user');
  for (const { name } of indexes) await owner.query(`drop index ${name}`);
  await owner.query('select setseed(0.5)');
  await owner.query(insertEntries, [tenantId, entries, actions]);
  for (const { definition } of indexes) await owner.query(definition);
  await owner.query('alter table audit_entries enable trigger user');
  await owner.query('vacuum analyze audit_entries');
  return tenantId;
};

export const benchTenant = async (owner: pg.Client): Promise<number> => {
  const { rows } = await owner.query<{ id: number }>(`select id from tenants where subdomain = 'bench'`);
  return rows[0]?.id ?? 0;
};

/** Queues up to `most` of the entries that are not in the chain, oldest first. Returns the number of queued entries. */
export const fillUnsealed = async (owner: pg.Client, tenantId: number, most: number): Promise<number> => {
  await owner.query('vacuum audit_unsealed');
  const { rowCount } = await owner.query(
    `insert into audit_unsealed (tenant_id, entry_id, written_at)
     select tenant_id, id, created_at from audit_entries
     where tenant_id = $1 and id > coalesce((select max(entry_id) from audit_chain where tenant_id = $1), 0)
     order by id limit $2`,
    [tenantId, most],
  );
  return rowCount ?? most;
};

/** Actions, the most frequent first. */
export const actions = (
  'study.view study.retrieve study.search report.view patient.view study.viewSeries chat.view report.edit study.store ' +
  'patient.search report.create report.finalize session.begin session.end study.status study.assign study.update ' +
  'report.print report.send report.sent patient.update chat.send study.viewHistory report_link.create ' +
  'report_link.open critical_finding.view critical_finding.communicate session.refuse access.refuse access.miss ' +
  'template.update macro.create configuration.test import.start import.end report.requestReview ' +
  'report.submitReview patient.merge study.delete audit.search'
).split(' ');

const insertEntries = `
  insert into audit_entries (tenant_id, created_at, user_id, username, user_type, action, entity, entity_id, study_id,
                             patient_id, outcome, address)
  select $1, now() - interval '2 years' * (1 - g::float8 / $2),
         ('00000000-0000-4000-8000-' || lpad(u::text, 12, '0'))::uuid, 'user' || u, 'RADIOLOGIST', action,
         split_part(action, '.', 1), case when action like 'report%' then '00000000-0000-4003' else '00000000-0000-4001' end
           || '-8000-' || lpad(s::text, 12, '0'),
         case when s % 10 > 0 then ('00000000-0000-4001-8000-' || lpad(s::text, 12, '0'))::uuid end,
         case when s % 10 > 0 then ('00000000-0000-4002-8000-' || lpad((s / 4)::text, 12, '0'))::uuid end,
         case when f < 0.01 then 'FAILURE' else 'SUCCESS' end,
         case when a < 0.8 then '198.51.100.7' else '10.0.' || (a * 255)::int || '.' || (s % 250) end
  from (
    select g, 1 + floor(power(random(), 2) * 200)::int as u, floor(random() * 500000)::int as s, random() as f, random() as a,
           ($3::text[])[1 + floor(power(random(), 3) * cardinality($3::text[]))::int] as action
    from generate_series(1, $2::int) g offset 0
  ) drawn`;
