import { type KeptLayout, keptLayouts } from '@radwork/contract/reading/kept-layouts';
import { expect, test } from 'vitest';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const knee: KeptLayout = { kind: 'MR knee', layout: '2x2', roles: ['PD sagittal', '', 'T1'] };
const head: KeptLayout = { kind: 'MR head', layout: '1x2', roles: ['T2 axial', 'FLAIR'] };

const layoutsOf = async (person: Person) => (await person.send(keptLayouts.mine)).data;
const keep = (person: Person, body: KeptLayout) => person.send(keptLayouts.keep, { body });

test("saves the reader's last layout for each kind of study", async () => {
  const reader = await world.signIn();

  await keep(reader, { ...knee, layout: '4x2' });
  await Promise.all([keep(reader, knee), keep(reader, knee)]);
  await keep(reader, head);

  expect(await layoutsOf(reader)).toEqual([head, knee]);
});

test("a reader cannot see or change a colleague's layouts", async () => {
  const reader = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  await keep(reader, knee);

  await keep(colleague, { ...knee, layout: '1x1' });
  await colleague.send(keptLayouts.forget, { query: { kind: knee.kind } });

  expect(await layoutsOf(colleague)).toEqual([]);
  expect(await layoutsOf(reader)).toEqual([knee]);
});

test('deletes a layout, and deleting it again is no error', async () => {
  const reader = await world.signIn();
  await keep(reader, knee);
  await keep(reader, head);

  const forget = () => reader.send(keptLayouts.forget, { query: { kind: knee.kind } });

  expect([(await forget()).status, (await forget()).status]).toEqual([200, 200]);
  expect(await layoutsOf(reader)).toEqual([head]);
});

test('refuses an invalid layout', async () => {
  const reader = await world.signIn();

  const unknown = await reader.send(keptLayouts.keep, { body: { ...knee, layout: '9x9' as '3x3' } });
  const long = await keep(reader, { ...knee, roles: ['x'.repeat(41)] });

  expect([unknown.status, long.status]).toEqual([422, 422]);
  expect(await layoutsOf(reader)).toEqual([]);
});
