import { applicationEntities } from '@radwork/contract/identity/application-entities';
import { remoteConfigurations } from '@radwork/contract/imaging/remote-archives';
import { webhooks } from '@radwork/contract/reading/webhooks';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { limitToNewGroup } from '#test/limited-user.ts';
import { createWorld } from '#test/world.ts';
import { create } from './service.ts';

const world = await createWorld();

const title = () => newId().slice(-12).toUpperCase();

const device = (differences: object = {}) => ({
  calledAeTitle: title(),
  callingAeTitle: 'CT1',
  host: '192.0.2.10',
  port: 104,
  description: 'CT in room 2',
  issuer: 'NORTH',
  mayStore: true,
  mayReadWorklist: true,
  mayQuery: false,
  mayAskFromAnywhere: false,
  groupId: null,
  isActive: true,
  ...differences,
});

test('an administrator registers, changes and deletes a device', async () => {
  const { send } = await world.signIn('ADMIN');
  const form = device();

  const { data: created } = await send(applicationEntities.create, { body: form });
  const params = { id: created.id };
  const { data: changed } = await send(applicationEntities.update, {
    params,
    body: { ...form, host: '', mayAskFromAnywhere: true, isActive: false, revision: 1 },
  });
  const { data: deviceList } = await send(applicationEntities.list);
  await send(applicationEntities.remove, { params });
  const { data: remaining } = await send(applicationEntities.list);

  expect(created).toEqual({ ...form, id: created.id, revision: 1, lastSeenDate: null });
  expect(changed).toEqual({ ...created, host: '', mayAskFromAnywhere: true, isActive: false, revision: 2 });
  expect(deviceList).toEqual({ port: null, areCertificatesNeeded: false, entities: [changed] });
  expect(remaining.entities).toEqual([]);
});

test('the audit log records each change of the issuer, and an issuer with a backslash is refused', async () => {
  const { send, inScope } = await world.signIn('ADMIN');
  const form = device();
  const { data: created } = await send(applicationEntities.create, { body: form });
  const params = { id: created.id };

  const wrong = await send(applicationEntities.update, { params, body: { ...form, issuer: 'A\\B', revision: 1 } });
  const { data: cleared } = await send(applicationEntities.update, {
    params,
    body: { ...form, issuer: '', revision: 1 },
  });

  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'issuer' }] });
  expect(cleared.issuer).toBe('');
  const entries = await inScope(({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('entity_id', '=', created.id).orderBy('id').execute(),
  );
  expect(entries).toMatchObject([{ detail: { issuer: 'NORTH' } }, { detail: { issuer: '' } }]);
});

test('a refused device form has one message per field', async () => {
  const { send } = await world.signIn('ADMIN');

  const reply = await send(applicationEntities.create, {
    body: device({ calledAeTitle: ' ', callingAeTitle: 'A\\B', host: 'ct1.lan' }),
  });

  expect(reply.status).toBe(422);
  expect(reply.errors).toEqual([
    { field: 'calledAeTitle', message: 'AE Title is required' },
    { field: 'callingAeTitle', message: 'Use 1 to 16 printable characters without a backslash' },
    { field: 'host', message: 'Use an IP address such as 192.0.2.10' },
  ]);
});

test('refuses a second entry for the same device, even if its address is spelled differently', async () => {
  const { send } = await world.signIn('ADMIN');
  const form = device({ host: '2001:db8::1' });

  const first = await send(applicationEntities.create, { body: form });
  const second = await send(applicationEntities.create, { body: { ...form, host: '2001:0DB8:0:0::1' } });
  const elsewhere = await send(applicationEntities.create, { body: { ...form, host: '', mayReadWorklist: false } });

  expect([first.status, second.status, elsewhere.status]).toEqual([200, 409, 200]);
});

test('one tenant owns an AE title of the server, and other tenants learn only that it is taken', async () => {
  const [one, other] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const form = device();
  const { data: created } = await one.send(applicationEntities.create, { body: form });

  const again = await one.send(applicationEntities.create, { body: form });
  const another = await other.send(applicationEntities.create, { body: { ...form, callingAeTitle: 'MR7' } });
  const othersDevice = await other.send(applicationEntities.create, { body: device() });
  const moved = await other.send(applicationEntities.update, {
    params: { id: othersDevice.data.id },
    body: { ...form, revision: 1 },
  });

  expect(created.calledAeTitle).toBe(form.calledAeTitle);
  expect([again.status, another.status, moved.status]).toEqual([409, 409, 409]);
  expect({ ...another, traceId: '' }).toEqual({ ...again, traceId: '' });
});

test('only one of two tenants that request an AE title at the same moment gets it', async () => {
  const people = await Promise.all([1, 2, 3].map(() => world.signIn('ADMIN')));
  const form = device({ host: '', mayReadWorklist: false });

  const replies = await Promise.all(
    people.map(({ send }, index) =>
      send(applicationEntities.create, { body: { ...form, callingAeTitle: `DEVICE${index}` } }),
    ),
  );

  expect(replies.map(({ status }) => String(status)).toSorted()).toEqual(['200', '409', '409']);
});

test('refuses to overwrite a device that another user has changed', async () => {
  const { send } = await world.signIn('ADMIN');
  const form = device();
  const { data: created } = await send(applicationEntities.create, { body: form });
  const params = { id: created.id };

  const first = await send(applicationEntities.update, { params, body: { ...form, mayStore: false, revision: 1 } });
  const second = await send(applicationEntities.update, { params, body: { ...form, description: '', revision: 1 } });

  expect([first.status, second.status]).toEqual([200, 409]);
  expect(second.message).toBe('Another user changed the device (revision 2). Reload it.');
});

test('the audit log records the user who registers or deletes a device', async () => {
  const { send, inScope } = await world.signIn('ADMIN');
  const form = device({ host: '192.0.2.7', port: 11112 });

  const { data: created } = await send(applicationEntities.create, { body: form });
  await send(applicationEntities.remove, { params: { id: created.id } });

  const entries = await inScope(({ db }) =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'detail'])
      .where('entity_id', '=', created.id)
      .orderBy('id')
      .execute(),
  );
  expect(entries.map(({ action }) => action)).toEqual(['application_entity.create', 'application_entity.delete']);
  expect(entries[0]?.detail).toMatchObject({
    calledAeTitle: form.calledAeTitle,
    callingAeTitle: 'CT1',
    host: '192.0.2.7',
    port: 11112,
    mayStore: true,
  });
});

test('a device that can read patient names requires an address, a certificate or explicit permission', async () => {
  const { send, inScope, tenant } = await world.signIn('ADMIN');
  const open = (rights: object) => device({ host: '', mayReadWorklist: false, mayQuery: false, ...rights });
  const createWith = async (rights: object) => send(applicationEntities.create, { body: open(rights) });

  const refused = [await createWith({ mayQuery: true }), await createWith({ mayReadWorklist: true })];
  const sends = await createWith({});
  const raised = await send(applicationEntities.update, {
    params: { id: sends.data.id },
    body: { ...open({ mayQuery: true }), revision: 1 },
  });
  const allowed = await createWith({ mayQuery: true, mayAskFromAnywhere: true });
  const bound = await createWith({ mayQuery: true, host: '192.0.2.9', mayAskFromAnywhere: true });

  for (const { status, errors } of [...refused, raised]) {
    expect(status).toBe(422);
    expect(errors).toEqual([{ field: 'host', message: 'Enter the IP address, or allow reading from any address' }]);
  }
  expect([sends.status, allowed.data.mayAskFromAnywhere, bound.data.mayAskFromAnywhere]).toEqual([200, true, false]);
  const { config } = world.context;
  const dimseTls = { certFile: 'gateway.pem', keyFile: 'gateway.key', caFile: 'authority.pem' };
  const certified = await inScope((scope) => create(scope, { ...config, dimseTls }, open({ mayQuery: true })));
  expect(certified.mayAskFromAnywhere).toBe(false);
  const notes = await world.inTenant(tenant, ({ db }) =>
    db.selectFrom('audit_entries').select('detail').where('entity_id', '=', allowed.data.id).execute(),
  );
  expect(notes[0]?.detail).toMatchObject({ mayAskFromAnywhere: true });
});

test('a limited user cannot leave the limit through a device, an archive or a webhook', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await limitToNewGroup(world, reader);
  await world.inTenant(admin.tenant, ({ db }) =>
    db
      .updateTable('roles')
      .set({ permissions: ['study.view', 'config.manage'] })
      .where('built_in_for', '=', 'RADIOLOGIST')
      .execute(),
  );
  world.context.sessions.forget();
  const form = device();
  const { data: known } = await admin.send(applicationEntities.create, { body: form });
  const params = { id: known.id };
  const webhook = { name: 'Pager', url: 'https://example.org', topics: ['CRITICAL_FOUND'], isPlainHttp: false };
  const archive = { aeTitle: 'REMOTE', protocol: 'DICOMWEB', baseUrl: 'https://archive.invalid', authType: 'NONE' };

  const answers = [
    await reader.send(applicationEntities.create, { body: device() }),
    await reader.send(applicationEntities.update, { params, body: { ...form, isActive: false, revision: 1 } }),
    await reader.send(applicationEntities.remove, { params }),
    await reader.send(webhooks.create, { body: webhook }),
    await reader.send(remoteConfigurations.create, { body: archive }),
  ];

  expect(answers.map(({ status, message }) => [status, message])).toEqual(
    answers.map(() => [403, 'You see only the studies of your groups. Ask an administrator to do this.']),
  );
  expect((await admin.send(applicationEntities.list)).data.entities).toEqual([known]);
});
