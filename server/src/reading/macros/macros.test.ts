import { macros } from '@radwork/contract/reading/macros';
import { expect, test } from 'vitest';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const form = (differences: object = {}) => ({
  abbreviation: 'nad',
  name: 'No acute disease',
  text: 'No acute disease.\nCompared with {{comparison.date}}: [change].',
  ...differences,
});

const add = async ({ send }: Person, differences: object = {}) =>
  (await send(macros.create, { body: form(differences) })).data;

const seenBy = async ({ send }: Person) => (await send(macros.list)).data;

test('report writers have their own macros, which other users cannot see, change or delete', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const admin = await world.signIn('ADMIN', reader.tenant);

  const created = await add(reader);
  const params = { id: created.id };
  const answers = await Promise.all(
    [colleague, admin].flatMap(({ send }) => [
      send(macros.update, { params, body: form({ revision: 1 }) }),
      send(macros.remove, { params }),
    ]),
  );

  expect(created).toMatchObject({ ...form(), isShared: false, revision: 1, updatedBy: reader.session.name });
  expect(await seenBy(reader)).toEqual([created]);
  expect(await seenBy(colleague)).toEqual([]);
  expect(answers.map(({ code }) => code)).toEqual([404, 404, 404, 404]);
});

test('only managers of templates share macros with the organization', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const elsewhere = await world.signIn('RADIOLOGIST');

  const shared = await add(admin, { isShared: true });
  const params = { id: shared.id };
  const refused = await Promise.all([
    reader.send(macros.create, { body: form({ isShared: true }) }),
    reader.send(macros.update, { params, body: form({ revision: 1 }) }),
    reader.send(macros.remove, { params }),
    admin.send(macros.create, { body: form() }),
  ]);

  expect(refused.map(({ code }) => code)).toEqual([403, 403, 403, 403]);
  expect(await seenBy(reader)).toEqual([shared]);
  expect(await seenBy(elsewhere)).toEqual([]);
});

test('a macro abbreviation is unique per user and among shared macros, ignoring case', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  await add(admin, { isShared: true });
  await add(reader);

  const [shared, own] = await Promise.all([
    admin.send(macros.create, { body: form({ abbreviation: 'NAD', isShared: true }) }),
    reader.send(macros.create, { body: form({ abbreviation: 'Nad' }) }),
  ]);

  expect(shared).toMatchObject({ code: 409, message: 'A shared macro with this abbreviation already exists' });
  expect(own).toMatchObject({ code: 409, message: 'You already have a macro with this abbreviation' });
});

test('refuses a change of a macro from an older revision, and shows who changed it and its text', async () => {
  const admin = await world.signIn('ADMIN');
  const other = await world.signIn('ADMIN', admin.tenant);
  const { id } = await add(admin, { isShared: true });

  const changed = await other.send(macros.update, { params: { id }, body: form({ text: 'Theirs', revision: 1 }) });
  const late = await admin.send(macros.update, { params: { id }, body: form({ text: 'Mine', revision: 1 }) });
  await admin.send(macros.remove, { params: { id } });

  expect(changed.data).toMatchObject({ text: 'Theirs', revision: 2, updatedBy: other.session.name });
  expect(late).toMatchObject({
    code: 409,
    message: `${other.session.name} changed the macro. Its text is now "Theirs".`,
  });
  expect(await seenBy(admin)).toEqual([]);
});

test.each([
  ['an abbreviation of one letter', { abbreviation: 'x' }, 'Use at least 2 characters'],
  ['a space in the abbreviation', { abbreviation: 'no change' }, 'Use letters, digits, "-", "_" and "." only'],
  [
    'a slash in the abbreviation, because a slash opens the macro list',
    { abbreviation: '/nad' },
    'Use letters, digits, "-", "_" and "." only',
  ],
  ['an abbreviation of 25 letters', { abbreviation: 'x'.repeat(25) }, 'The abbreviation is longer than 24 characters'],
  ['no name', { name: ' ' }, 'Name is required'],
  ['no text', { text: ' ' }, 'Text is required'],
  ['a text that is too long', { text: 'x'.repeat(5001) }, 'The text is longer than 5,000 characters'],
  ['an unknown merge field', { text: '{{shoe.size}}' }, 'Unknown merge field {{shoe.size}}'],
])('refuses a macro with %s', async (_, differences, message) => {
  const reader = await world.signIn('RADIOLOGIST');

  const reply = await reader.send(macros.create, { body: form(differences) });

  expect(reply).toMatchObject({ code: 422, message });
});

test('a macro abbreviation may use any script', async () => {
  const reader = await world.signIn('RADIOLOGIST');

  const created = await add(reader, { abbreviation: 'нет-п' });

  expect(created.abbreviation).toBe('нет-п');
});
