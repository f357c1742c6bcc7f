import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { migrate } from './migrate.ts';
import { connect, databaseBefore } from '#test/earlier-database.ts';

/** Adds a study with a report and with a finding created some days ago. Returns the id of the finding. */
const addOld = async (client: pg.Client, days: number, isFinal: boolean): Promise<string> => {
  const [user, patient, study, report, finding] = Array.from({ length: 5 }, () => randomUUID());
  const { rows } = await client.query<{ id: number }>(
    `insert into tenants (name, subdomain) values ($1, $1) returning id`,
    [`t${randomUUID().slice(0, 8)}`],
  );
  await client.query(`select set_config('app.tenant_id', $1, false)`, [String(rows[0]?.id)]);
  await client.query(
    `insert into users (id, username, name, email, user_type, password_hash) values ($1, 'reader', 'Reader', '', 'RADIOLOGIST', '')`,
    [user],
  );
  await client.query(`insert into patients (id, patient_id, patient_name) values ($1, 'P-1', 'Doe^Jane')`, [patient]);
  await client.query(
    `insert into studies (id, patient_id, study_instance_uid, modality) values ($1, $2, '1.2.3', 'CT')`,
    [study, patient],
  );
  await client.query(`insert into reports (id, study_id, author_id, content) values ($1, $2, $3, '<p>Text</p>')`, [
    report,
    study,
    user,
  ]);
  await client.query(
    `insert into critical_findings (id, report_id, finding, severity, identified_by, identified_at)
     values ($1, $2, 'Free air', 'URGENT', $3, now() - make_interval(days => $4))`,
    [finding, report, user, days],
  );
  if (isFinal) {
    await client.query(
      `update reports set status = 'FINALIZED', finalized_at = now(), finalized_by = $2, content_hash = sha256(content::bytea)
       where id = $1`,
      [report, user],
    );
  }
  return finding ?? '';
};

test('the migration to time limits raises no alarm for old findings; findings of signed reports stay on the board', async () => {
  const url = await databaseBefore('0027');
  const client = await connect(url);
  const longSigned = await addOld(client, 900, true);
  const unsigned = await addOld(client, 900, false);
  const justSigned = await addOld(client, 0, true);
  await client.end();

  await migrate(url);

  const after = await connect(url);
  const { rows } = await after.query(`select id, state, escalate_at is not null as rises from critical_findings`);
  const { rows: tenants } = await after.query(`select tenants_with_critical_findings_to_escalate()`);
  await after.end();
  expect(new Map(rows.map(({ id, state, rises }) => [id, [state, rises]]))).toEqual(
    new Map([
      [longSigned, ['OPEN', false]],
      [unsigned, ['OPEN', true]],
      [justSigned, ['OPEN', true]],
    ]),
  );
  expect(tenants).toHaveLength(1);
});
