import { remoteConfigurations, type RemoteConfigurationInput } from '@radwork/contract/imaging/remote-archives';
import type { Failure } from '@radwork/contract/core/failure';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { secretKeyOf } from '#core/installation/secret-key.ts';
import { createVault } from '#core/installation/vault.ts';
import { createWorld, type Person } from '#test/world.ts';
import { resealSecrets } from './reseal-secrets.ts';

const world = await createWorld();

const form: RemoteConfigurationInput = {
  aeTitle: 'NORTH PACS',
  protocol: 'DICOMWEB',
  baseUrl: 'https://pacs.example.org/dicom-web',
  authType: 'NONE',
};
const basic: RemoteConfigurationInput = { ...form, authType: 'BASIC', username: 'reader', password: 'SECRET-1' };

const create = (person: Person, body: object = form) => person.send(remoteConfigurations.create, { body });
const created = async (person: Person, body: object = form) => (await create(person, body)).data;
const replace = (person: Person, id: string, body: object) =>
  person.send(remoteConfigurations.replace, { params: { id }, body });
const change = (person: Person, id: string, body: object) =>
  person.send(remoteConfigurations.change, { params: { id }, body });
const read = async (person: Person, id: string) =>
  (await person.send(remoteConfigurations.read, { params: { id } })).data;

/** Returns the password that the archive would receive now. Empty when there is none. */
const storedPassword = (person: Person, id: string) =>
  world.inTenant(person.tenant, async ({ db, session }) => {
    const { password } = await db
      .selectFrom('remote_configurations')
      .select('password')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const place = { tenantId: session.tenantId, table: 'remote_configurations', row: id, column: 'password' };
    return password === null ? '' : world.context.vault.open(password, place);
  });

const messages = ({ errors = [] }: Partial<Failure>) =>
  Object.fromEntries(errors.map(({ field, message }) => [field, message]));

test('an administrator creates, reads, changes and deletes a configuration', async () => {
  const admin = await world.signIn('ADMIN');

  const { data, status } = await create(admin, { ...form, baseUrl: `${form.baseUrl}/` });

  expect(status).toBe(200);
  expect(data).toEqual({
    id: expect.any(String),
    revision: 1,
    aeTitle: 'NORTH PACS',
    protocol: 'DICOMWEB',
    baseUrl: 'https://pacs.example.org/dicom-web',
    resourcesUri: '',
    qidoEndpoint: '',
    wadoEndpoint: '',
    issuer: '',
    authType: 'NONE',
    username: '',
    hasPassword: false,
    hasToken: false,
    hasApiKey: false,
    hasApiSecret: false,
    updatedDate: expect.any(String),
  });
  expect(await read(admin, data.id)).toEqual(data);
  const changed = await replace(admin, data.id, { ...form, aeTitle: 'SOUTH', revision: 1 });
  expect(changed.data).toMatchObject({ aeTitle: 'SOUTH', revision: 2 });
  await admin.send(remoteConfigurations.remove, { params: { id: data.id } });
  const gone = await admin.send(remoteConfigurations.read, { params: { id: data.id } });
  expect(gone).toMatchObject({ code: 404, message: 'Configuration not found' });
});

test.each([
  ['aeTitle', { aeTitle: ' ' }, 'AE Title is required'],
  ['aeTitle', { aeTitle: 'A'.repeat(17) }, 'Use 1 to 16 printable characters without a backslash'],
  ['aeTitle', { aeTitle: String.raw`A\B` }, 'Use 1 to 16 printable characters without a backslash'],
  ['baseUrl', { baseUrl: '' }, 'Please enter a valid URL'],
  ['baseUrl', { baseUrl: 'pacs' }, 'Please enter a valid URL'],
  ['protocol', { protocol: 'FTP' }, 'Choose a protocol'],
  ['authType', { authType: 'DIGEST' }, 'Choose an authentication method'],
  ['username', { authType: 'BASIC', password: 'p' }, 'Username is required'],
  ['password', { authType: 'BASIC', username: 'u' }, 'Password is required'],
  ['token', { authType: 'BEARER' }, 'Token is required'],
  ['apiKey', { authType: 'API' }, 'API Key is required'],
])('refuses an invalid %s at its field (%j)', async (field, wrong, message) => {
  const admin = await world.signIn('ADMIN');

  const answer = await create(admin, { ...form, ...wrong });

  expect(answer.status).toBe(422);
  expect(messages(answer)).toMatchObject({ [field]: message });
});

test('the same AE title and address can exist only once, even after a change', async () => {
  const admin = await world.signIn('ADMIN');
  await create(admin);
  const { id } = await created(admin, { ...form, aeTitle: 'OTHER' });
  const exists = { code: 409, message: 'Configuration already exists' };

  expect(await create(admin, { ...form, baseUrl: `${form.baseUrl}/` })).toMatchObject(exists);
  expect(await change(admin, id, { aeTitle: form.aeTitle })).toMatchObject(exists);
  expect((await create(await world.signIn('ADMIN'))).status).toBe(200);
});

test('users who import see the list of archives; only administrators see the details', async () => {
  const admin = await world.signIn('ADMIN');
  const radiologist = await world.signIn('RADIOLOGIST', admin.tenant);
  const { id } = await created(admin, basic);

  const { data: choices } = await radiologist.send(remoteConfigurations.list);
  const { data: all } = await admin.send(remoteConfigurations.list);

  expect(choices).toEqual([{ id, aeTitle: 'NORTH PACS', protocol: 'DICOMWEB' }]);
  expect(all).toEqual([expect.objectContaining({ id, baseUrl: form.baseUrl, username: 'reader', hasPassword: true })]);
});

test('secrets are never in responses, in the database or in the audit log', async () => {
  const admin = await world.signIn('ADMIN');
  const secrets = { password: 'SECRET-1', token: 'SECRET-2', apiKey: 'SECRET-3', apiSecret: 'SECRET-4' };
  const answers: unknown[] = [];
  for (const authType of ['BASIC', 'BEARER', 'API'] as const) {
    const body = { ...form, aeTitle: authType, authType, username: 'reader', ...secrets };
    const { data } = await create(admin, body);
    answers.push(data, await read(admin, data.id), await replace(admin, data.id, body));
    answers.push(await change(admin, data.id, { ...secrets, resourcesUri: 'x' }), await create(admin, body));
    answers.push(await create(admin, { ...body, baseUrl: 'https://user:SECRET-5@pacs.example.org' }));
  }
  answers.push(await admin.send(remoteConfigurations.list));

  const stored = await world.inTenant(admin.tenant, ({ db }) =>
    sql`select (select string_agg(c::text, '') from remote_configurations c) as configurations,
               (select string_agg(a::text, '') from audit_entries a) as audit`.execute(db),
  );

  expect(JSON.stringify(stored)).toContain('configuration.create');
  expect(JSON.stringify([answers, stored])).not.toContain('SECRET-');
});

test('stores no credentials that belong to another authentication type', async () => {
  const admin = await world.signIn('ADMIN');

  const { id, ...saved } = await created(admin, { ...basic, authType: 'BEARER', token: 't', apiKey: 'k' });

  expect(saved).toMatchObject({ username: '', hasPassword: false, hasToken: true, hasApiKey: false });
  const none = await replace(admin, id, form);
  expect(none.data).toMatchObject({ hasToken: false });
});

test('an empty secret keeps the stored secret, and a typed secret replaces it', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin, basic);

  await replace(admin, id, { ...basic, password: '', aeTitle: 'RENAMED', baseUrl: 'https://pacs.example.org/other' });
  expect(await storedPassword(admin, id)).toBe('SECRET-1');
  await change(admin, id, { aeTitle: 'AGAIN' });
  expect(await storedPassword(admin, id)).toBe('SECRET-1');
  await change(admin, id, { password: 'SECRET-2' });
  expect(await storedPassword(admin, id)).toBe('SECRET-2');
});

test('a change without an issuer keeps the stored issuer', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin, { ...form, issuer: 'NORTH' });

  await change(admin, id, { aeTitle: 'RENAMED' });
  const { data: unchanged } = await admin.send(remoteConfigurations.read, { params: { id } });
  await change(admin, id, { issuer: 'SOUTH' });
  const { data: changed } = await admin.send(remoteConfigurations.read, { params: { id } });

  expect([unchanged, changed]).toMatchObject([
    { aeTitle: 'RENAMED', issuer: 'NORTH' },
    { aeTitle: 'RENAMED', issuer: 'SOUTH' },
  ]);
});

test.each([
  ['another host', { baseUrl: 'https://pacs.example.com/dicom-web' }],
  ['another port', { baseUrl: 'https://pacs.example.org:8443/dicom-web' }],
  ['an address without encryption', { baseUrl: 'http://pacs.example.org/dicom-web' }],
  ['another search address', { qidoEndpoint: 'https://elsewhere.example.org/qido' }],
  ['another retrieval address', { wadoEndpoint: 'https://elsewhere.example.org/wado' }],
])('does not send a stored password to %s until the password is typed again', async (_, moved) => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin, basic);

  const replaced = await replace(admin, id, { ...basic, password: '', ...moved });
  const changed = await change(admin, id, moved);

  expect([replaced, changed].map(({ status }) => status)).toEqual([422, 422]);
  expect(messages(replaced)).toEqual({ password: 'Password is required' });
  expect(await read(admin, id)).toMatchObject({ revision: 1, baseUrl: form.baseUrl });
});

test('changing the authentication type deletes the old secret for good', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin, basic);

  await change(admin, id, { authType: 'NONE' });
  const back = await change(admin, id, { authType: 'BASIC', username: 'reader' });

  expect(messages(back)).toEqual({ password: 'Password is required' });
  expect(await storedPassword(admin, id)).toBe('');
});

test('refuses a change that makes the configuration invalid, and names the field', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin);

  const answer = await change(admin, id, { protocol: 'DIMSE' });

  expect(answer.status).toBe(422);
  expect(messages(answer)).toEqual({ baseUrl: 'Please enter a valid URL' });
});

test('refuses a change of an outdated revision', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin);
  await change(admin, id, { aeTitle: 'SOUTH' });

  const late = await replace(admin, id, { ...form, revision: 1 });

  expect(late).toMatchObject({ code: 409, message: 'Another user changed the configuration. Reload it.' });
});

test('refuses to delete a configuration while an import from it is active', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin);
  const importing = { id: newId(), remote_config_id: id, remote_name: 'x', protocol: 'DICOMWEB' as const };
  await world.inTenant(admin.tenant, ({ db, session }) =>
    db
      .insertInto('import_jobs')
      .values({
        ...importing,
        study_instance_uid: '1.2.3',
        requested_by: admin.userId,
        requested_by_tenant_id: session.tenantId,
        requested_by_name: 'x',
      })
      .execute(),
  );

  const early = await admin.send(remoteConfigurations.remove, { params: { id } });
  await world.inTenant(admin.tenant, ({ db }) =>
    sql`update import_jobs set state = 'DONE', finished_at = now()`.execute(db),
  );
  const later = await admin.send(remoteConfigurations.remove, { params: { id } });

  expect(early).toMatchObject({ code: 409, error: 'configuration.busy' });
  expect(later.status).toBe(200);
});

test('audits actions on configurations', async () => {
  const admin = await world.signIn('ADMIN');
  const { id } = await created(admin, basic);
  await change(admin, id, { aeTitle: 'SOUTH' });
  await admin.send(remoteConfigurations.remove, { params: { id } });

  const entries = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('audit_entries').select(['action', 'entity_id', 'user_id']).orderBy('id').execute(),
  );

  expect(entries.filter(({ entity_id }) => entity_id === id)).toEqual(
    ['configuration.create', 'configuration.update', 'configuration.delete'].map((action) => ({
      action,
      entity_id: id,
      user_id: admin.userId,
    })),
  );
});

test('after a change of SECRET_KEY the start re-seals all secrets and skips damaged secrets', async () => {
  const admin = await world.signIn('ADMIN');
  const [good, damaged] = [await created(admin, basic), await created(admin, { ...basic, aeTitle: 'DAMAGED' })];
  await world.inTenant(admin.tenant, ({ db }) =>
    sql`update remote_configurations set password = 'v1.x.y.z' where id = ${damaged.id}`.execute(db),
  );
  const newKey = secretKeyOf('a new secret of this installation');
  const vault = createVault(newKey, [world.context.secretKey]);

  const first = await resealSecrets(world.owner, vault);
  const second = await resealSecrets(world.owner, vault);

  expect(first).toBeGreaterThan(0);
  expect(second).toBe(0);
  const rows = await world.inTenant(admin.tenant, ({ db }) =>
    db.selectFrom('remote_configurations').select(['id', 'password', 'tenant_id']).execute(),
  );
  const passwords = new Map(rows.map(({ id, password }) => [id, password ?? '']));
  const place = { tenantId: admin.tenant.id, table: 'remote_configurations', row: good.id, column: 'password' };
  expect(createVault(newKey).open(passwords.get(good.id) ?? '', place)).toBe('SECRET-1');
  expect(passwords.get(damaged.id)).toBe('v1.x.y.z');
  const test = await admin.send(remoteConfigurations.test, { params: { id: damaged.id } });
  expect(test.data).toMatchObject({
    isOk: false,
    cause: 'UNAUTHORIZED',
    message: expect.stringContaining('Enter them again'),
  });
});
