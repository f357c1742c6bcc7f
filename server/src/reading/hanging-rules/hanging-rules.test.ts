import { type HangingRule, hangingRules } from '@radwork/contract/reading/hanging-rules';
import { expect, test } from 'vitest';
import { receiveEvents, listeningTo } from '#test/listen-live.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const listen = listeningTo(world);

const chest = {
  modality: 'CT',
  bodyPart: 'chest',
  monitors: 2,
  layout: '1x2',
  prior: 'below',
  panes: [
    { shows: '', plane: 'axial', words: 'lung', isPrior: false },
    { shows: 'CT', plane: '', words: '', isPrior: false },
  ],
  linkedScroll: 'on',
  window: 'Lung',
  tool: 'length',
} as const;

const create = async ({ send }: Person, differences: object = {}): Promise<HangingRule> =>
  (await send(hangingRules.create, { body: { ...chest, panes: [...chest.panes], ...differences } })).data;

const seenBy = async ({ send }: Person) => (await send(hangingRules.list)).data;
const modalitiesOf = async (person: Person) => (await seenBy(person)).map(({ modality }) => modality);

test('a reader has own rules, which other users cannot see, change, move or delete', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const colleague = await world.signIn('RADIOLOGIST', reader.tenant);
  const admin = await world.signIn('ADMIN', reader.tenant);

  const created = await create(reader);
  const params = { id: created.id };
  const body = { ...chest, panes: [], revision: 1 };
  const answers = await Promise.all(
    [colleague, admin].flatMap(({ send }) => [
      send(hangingRules.update, { params, body }),
      send(hangingRules.move, { params, body: { at: 0 } }),
      send(hangingRules.remove, { params }),
    ]),
  );

  expect(created).toMatchObject({ ...chest, isShared: false, revision: 1, updatedBy: reader.session.name });
  expect(await seenBy(reader)).toEqual([created]);
  expect(await seenBy(colleague)).toEqual([]);
  expect(answers.map(({ code }) => code)).toEqual([404, 404, 404, 404, 404, 404]);
});

test('only users who manage the configuration create, change, move and delete rules of the organization', async () => {
  const admin = await world.signIn('ADMIN');
  const reader = await world.signIn('RADIOLOGIST', admin.tenant);
  const elsewhere = await world.signIn('ADMIN');

  const shared = await create(admin, { isShared: true });
  const params = { id: shared.id };
  const body = { ...chest, panes: [], revision: 1 };
  const refused = await Promise.all([
    reader.send(hangingRules.create, { body: { ...body, isShared: true } }),
    reader.send(hangingRules.update, { params, body }),
    reader.send(hangingRules.move, { params, body: { at: 0 } }),
    reader.send(hangingRules.remove, { params }),
  ]);
  const missing = await Promise.all([
    elsewhere.send(hangingRules.update, { params, body }),
    elsewhere.send(hangingRules.move, { params, body: { at: 0 } }),
    elsewhere.send(hangingRules.remove, { params }),
  ]);

  expect(refused.map(({ code }) => code)).toEqual([403, 403, 403, 403]);
  expect(missing.map(({ code }) => code)).toEqual([404, 404, 404]);
  expect(await seenBy(reader)).toEqual([shared]);
  expect(await seenBy(elsewhere)).toEqual([]);
});

test('keeps the order of the rules when one is moved, deleted and created again at its place', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const admin = await world.signIn('ADMIN', reader.tenant);
  await create(admin, { modality: 'XA', isShared: true });
  for (const modality of ['CT', 'MR', 'MG']) await create(reader, { modality });
  const mammogram = (await seenBy(reader)).find(({ modality }) => modality === 'MG');
  const params = { id: mammogram?.id ?? '' };

  await reader.send(hangingRules.move, { params, body: { at: 0 } });
  expect(await modalitiesOf(reader)).toEqual(['MG', 'CT', 'MR', 'XA']);
  await reader.send(hangingRules.remove, { params });
  await create(reader, { modality: 'MG', at: 1 });

  expect(await modalitiesOf(reader)).toEqual(['CT', 'MG', 'MR', 'XA']);
});

test('rules created at the same moment each get a place of their own', async () => {
  const reader = await world.signIn('RADIOLOGIST');

  await Promise.all(['CT', 'MR', 'MG', 'XA'].map((modality) => create(reader, { modality, at: 0 })));
  const [, second] = await seenBy(reader);
  await reader.send(hangingRules.move, { params: { id: second?.id ?? '' }, body: { at: 0 } });

  expect((await seenBy(reader))[0]?.id).toBe(second?.id);
});

test('refuses a change of a rule from an older revision, and names the user who changed it', async () => {
  const admin = await world.signIn('ADMIN');
  const other = await world.signIn('ADMIN', admin.tenant);
  const { id } = await create(admin, { isShared: true });
  const body = { ...chest, panes: [], revision: 1 };

  const changed = await other.send(hangingRules.update, { params: { id }, body: { ...body, layout: '2x2' } });
  const late = await admin.send(hangingRules.update, { params: { id }, body });

  expect(changed.data).toMatchObject({ layout: '2x2', revision: 2, updatedBy: other.session.name });
  expect(late).toMatchObject({
    code: 409,
    message: `${other.session.name} changed the rule. Open it again to see the change.`,
  });
});

test.each([
  [
    'a prior for which the layout has no room',
    { layout: '3x3', prior: 'beside' },
    'This layout leaves no room for a prior. Choose a smaller layout.',
  ],
  ['viewports of the prior without any', { prior: 'panes' }, 'Choose the viewports that show the prior'],
  ['more viewports than the layout', { layout: '1x1', prior: 'never' }, 'This layout has fewer viewports'],
  ['an unknown modality', { modality: 'QQ' }, 'Choose a modality from the list'],
  ['a modality that hangs in no viewport', { modality: 'SR' }, 'Choose a modality from the list'],
  ['an unknown body part', { bodyPart: 'tail' }, 'Choose a body part from the list'],
])('refuses a rule with %s', async (_, differences, message) => {
  const reader = await world.signIn('RADIOLOGIST');

  const reply = await reader.send(hangingRules.create, {
    body: { ...chest, panes: [...chest.panes], ...differences } as never,
  });

  expect(reply.code).toBe(422);
  expect(reply.message).toContain(message);
});

test('announces a change of an own rule to its owner, and of a shared rule to all users', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const admin = await world.signIn('ADMIN', reader.tenant);
  const [atReader, atAdmin] = [await listen(reader), await listen(admin)];

  await create(reader);
  expect(await receiveEvents(atReader)).toEqual([{ kind: 'hanging-rules' }]);
  await create(admin, { isShared: true });

  expect(await receiveEvents(atReader, 2)).toHaveLength(2);
  expect(await receiveEvents(atAdmin)).toEqual([{ kind: 'hanging-rules' }]);
});

test('a rule of an earlier version of the browser has the usual tool', async () => {
  const reader = await world.signIn('RADIOLOGIST');
  const { tool: _, ...earlier } = chest;

  const { data } = await reader.send(hangingRules.create, { body: earlier });

  expect(data).toMatchObject({ ...earlier, tool: null });
});
