import { mostPhrases, reviewPhrases } from '@radwork/contract/reading/review-phrases';
import { expect, test } from 'vitest';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const agree = { text: 'I have reviewed the images and agree with the report.', decision: 'APPROVE' } as const;

const create = (person: Person, body: object = agree) =>
  person.send(reviewPhrases.create, { body: { ...agree, ...body } });

const textsOf = async (person: Person) => {
  const { data } = await person.send(reviewPhrases.list);
  return data.map(({ text, isShared }) => [text, isShared]);
};

test('a reviewer is offered the shared phrases and the own ones, and no phrase of a colleague', async () => {
  const reviewer = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reviewer.tenant);
  const administrator = await world.signIn('ADMIN', reviewer.tenant);
  await create(reviewer);
  await create(colleague, { text: 'Theirs' });
  await create(administrator, { text: 'Ours', isShared: true });

  expect(await textsOf(reviewer)).toEqual([
    ['Ours', true],
    [agree.text, false],
  ]);
});

test('only users who manage templates change shared phrases, and only reviewers have own ones', async () => {
  const reviewer = await world.signIn();
  const administrator = await world.signIn('ADMIN', reviewer.tenant);
  const shared = await create(administrator, { isShared: true });
  const params = { id: shared.data.id };

  expect((await create(reviewer, { isShared: true })).status).toBe(403);
  expect((await reviewer.send(reviewPhrases.remove, { params })).status).toBe(403);
  expect((await create(administrator)).status).toBe(403);
  expect((await administrator.send(reviewPhrases.remove, { params })).status).toBe(200);
  expect(await textsOf(reviewer)).toEqual([]);
});

test('does not find the phrase of a colleague', async () => {
  const reviewer = await world.signIn();
  const colleague = await world.signIn('RADIOLOGIST', reviewer.tenant);
  const { data } = await create(colleague);

  expect((await reviewer.send(reviewPhrases.remove, { params: { id: data.id } })).status).toBe(404);
});

test('refuses a phrase that exists, an empty phrase, and more phrases than allowed', async () => {
  const reviewer = await world.signIn();
  await create(reviewer);

  expect(await create(reviewer)).toMatchObject({ status: 409, message: 'This phrase already exists' });
  expect(await create(reviewer, { text: '  ' })).toMatchObject({ status: 422, message: 'Phrase is required' });
  for (let index = 1; index < mostPhrases; index += 1) await create(reviewer, { text: `Phrase ${index}` });
  expect((await create(reviewer, { text: 'One more' })).status).toBe(409);
});
