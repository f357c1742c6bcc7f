import { globalTemplates, templates } from '@radwork/contract/reading/templates';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId } from '#core/values/ids.ts';
import { orNotFound } from '#core/http/problem.ts';
import { createWorld, type Person } from '#test/world.ts';
import { textOf } from './template-rows.ts';

const world = await createWorld();

const form = (differences: object = {}) => ({
  name: `House style ${newId()}`,
  modality: 'CT',
  content: '<p>[text]</p>',
  ...differences,
});

const globalOf = async ({ send }: Person, id: string) =>
  (await send(globalTemplates.list)).data.find((template) => template.id === id);

test('every tenant can read a global template of a super administrator but not change it', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const [admin, reader] = [await world.signIn('ADMIN'), await world.signIn('RADIOLOGIST')];
  const newTemplate = form();

  const { data: created } = await superAdmin.send(globalTemplates.create, { body: newTemplate });
  const params = { id: created.id };
  const refused = await Promise.all([
    admin.send(globalTemplates.create, { body: form() }),
    admin.send(globalTemplates.update, { params, body: form({ revision: 1 }) }),
    admin.send(globalTemplates.remove, { params }),
    admin.send(templates.update, { params, body: form({ revision: 1 }) }),
    admin.send(templates.remove, { params }),
  ]);

  expect(created).toMatchObject({ ...newTemplate, version: 1, isStarter: false, updatedBy: superAdmin.session.name });
  expect(await globalOf(admin, created.id)).toEqual(created);
  expect(await globalOf(reader, created.id)).toEqual(created);
  expect(refused.map(({ code }) => code)).toEqual([403, 403, 403, 404, 404]);
});

test('a global template can be changed only from its current version, and can be deleted', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const { data: created } = await superAdmin.send(globalTemplates.create, { body: form() });
  const params = { id: created.id };

  const changed = await superAdmin.send(globalTemplates.update, {
    params,
    body: { ...created, content: '<p>New</p>' },
  });
  const late = await superAdmin.send(globalTemplates.update, { params, body: { ...created, content: '<p>Late</p>' } });
  const removed = await superAdmin.send(globalTemplates.remove, { params });

  expect(changed.data).toMatchObject({ version: 2, content: '<p>New</p>' });
  expect(late).toMatchObject({
    code: 409,
    message: `${superAdmin.session.name} changed the template (version 2). Reload it.`,
  });
  expect(removed.code).toBe(200);
  expect(await globalOf(superAdmin, created.id)).toBeUndefined();
});

test('the database allows only active super administrators to write global templates', async () => {
  const admin = await world.signIn('ADMIN');
  const body = JSON.stringify(form());

  const insertBy = (writer: string) =>
    admin.inScope(({ db }) =>
      sql`select write_global_template(${newId()}, 0, ${body}::jsonb, ${writer}::uuid)`.execute(db),
    );

  await expect(insertBy(admin.userId)).rejects.toThrow('only a super administrator changes global templates');
  await expect(insertBy(newId())).rejects.toThrow('only a super administrator changes global templates');
  const dismissed = await world.signIn('SUPER_ADMIN', admin.tenant);
  await world.owner.updateTable('users').set({ is_active: false }).where('id', '=', dismissed.userId).execute();
  await expect(insertBy(dismissed.userId)).rejects.toThrow('only a super administrator changes global templates');
  await expect(
    admin.inScope(({ db }) => sql`insert into global_templates values (${newId()}, '{}')`.execute(db)),
  ).rejects.toThrow('permission denied');
  await expect(admin.inScope(({ db }) => sql`select * from global_templates`.execute(db))).rejects.toThrow(
    'permission denied',
  );
});

test('users who manage templates can copy a global template into their organization', async () => {
  const [admin, elsewhere] = [await world.signIn('ADMIN'), await world.signIn('ADMIN')];
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const starter = orNotFound(
    (await admin.send(globalTemplates.list)).data.find(({ name }) => name === 'CT chest'),
    'template',
  );
  const params = { id: starter.id };

  const refused = await reader.send(globalTemplates.copy, { params });
  const { data: copy } = await admin.send(globalTemplates.copy, { params });
  const again = await admin.send(globalTemplates.copy, { params });
  const changed = await admin.send(templates.update, {
    params: { id: copy.id },
    body: { ...copy, description: 'Ours' },
  });

  expect(refused.code).toBe(403);
  expect(copy).toMatchObject({ ...textOf(starter), version: 1, copiedFrom: starter.id, updatedBy: admin.session.name });
  expect(again).toMatchObject({ code: 409, message: 'A template with this name already exists for this modality' });
  expect(changed.data).toMatchObject({ description: 'Ours', version: 2 });
  expect(await globalOf(admin, starter.id)).toEqual(starter);
  expect((await elsewhere.send(templates.list)).data.content).toEqual([]);
});

test('a starter template of the product cannot be changed', async () => {
  const superAdmin = await world.signIn('SUPER_ADMIN');
  const starter = orNotFound(
    (await superAdmin.send(globalTemplates.list)).data.find(({ isStarter }) => isStarter),
    'template',
  );
  const params = { id: starter.id };

  const changed = await superAdmin.send(globalTemplates.update, { params, body: { ...starter, name: 'Mine' } });
  const removed = await superAdmin.send(globalTemplates.remove, { params });

  const words = 'Built-in templates cannot be changed. Copy the template and edit the copy.';
  expect([changed, removed]).toMatchObject([
    { code: 409, message: words },
    { code: 409, message: words },
  ]);
});
