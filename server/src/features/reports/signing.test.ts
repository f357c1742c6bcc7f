import { signedStatement } from '@radwork/contract/report-parts';
import { reportAddenda } from '@radwork/contract/report-addenda';
import { reports } from '@radwork/contract/reports';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { hashPassword } from '#core/passwords.ts';
import { reportSteps, signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, auditedActions } = reportSteps(world);

const password = 'correct horse battery';
const passwordHash = await hashPassword(password);

/** Somebody who signed in so many minutes ago. */
const signedInAgo = async (minutes: number): Promise<Person> => {
  const person = await world.signIn();
  await world.owner.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', person.userId).execute();
  await world.owner
    .updateTable('sessions')
    .set({ authenticated_at: sql`now() - make_interval(mins => ${minutes})` })
    .where('user_id', '=', person.userId)
    .execute();
  return person;
};

const statusOf = async (person: Person, id: string) => (await person.send(reports.get, { params: { id } })).data.status;

test('whoever signed in lately signs without a password, and what they stated is kept with the signature', async () => {
  const signer = await signedInAgo(14);
  const { id } = await begin(signer);

  const { data } = await finalize(signer, id);

  expect(data).toMatchObject({
    status: 'FINALIZED',
    statement: signedStatement,
    signatureData: signature,
    finalizedBy: { id: signer.userId },
    isUnchanged: true,
  });
});

test('longer ago than fifteen minutes the password is asked for, and nothing is signed without it', async () => {
  const signer = await signedInAgo(16);
  const { id } = await begin(signer);

  const without = await finalize(signer, id);
  const wrong = await finalize(signer, id, { password: 'guess' });

  expect(without).toMatchObject({
    status: 403,
    error: 'session.reauthenticate',
    message: 'You signed in more than 15 minutes ago: enter your password to sign',
  });
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'password', message: 'The password is wrong' }] });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test('the password signs, and counts for the next signatures as well', async () => {
  const signer = await signedInAgo(16);
  const [one, other] = [await begin(signer), await begin(signer)];

  const first = await finalize(signer, one.id, { password });
  const second = await finalize(signer, other.id);

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await auditedActions(signer)).toContain('session.reauthenticate');
});

test('who guesses at the password while signing has to wait as at the door', async () => {
  const signer = await signedInAgo(16);
  const { id } = await begin(signer);
  for (const guess of ['1', '2', '3', '4', '5']) await finalize(signer, id, { password: guess });

  const answer = await finalize(signer, id, { password });

  expect(answer).toMatchObject({ status: 429, message: expect.stringContaining('Too many wrong passwords') });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test('an addendum is signed by who has shown lately who they are, too', async () => {
  const signer = await signedInAgo(1);
  const { id } = await begin(signer);
  await finalize(signer, id);
  const addendum = { kind: 'ADDENDUM', content: '<p>x</p>' };
  const { data } = await signer.send(reportAddenda.begin, { params: { id }, body: addendum });
  await world.owner
    .updateTable('sessions')
    .set({ authenticated_at: sql`now() - interval '16 minutes'` })
    .where('user_id', '=', signer.userId)
    .execute();
  const sign = (more: object) =>
    signer.send(reportAddenda.sign, {
      params: { id, addendumId: data.addendumDraft?.id ?? '' },
      body: { ...addendum, revision: 1, signatureData: signature, ...more },
    });

  expect(await sign({})).toMatchObject({ status: 403, error: 'session.reauthenticate' });
  expect((await sign({ password })).data.addenda).toHaveLength(1);
});

test('a report is not signed on a version that the signer has not seen', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);
  await signer.send(reports.save, { params: { id }, body: { content: '<p>Newer.</p>', revision: 1 } });

  const stale = await finalize(signer, id, { content: '<p>Older.</p>', revision: 1 });

  expect(stale).toMatchObject({ status: 409, error: 'report.changed' });
  expect((await signer.send(reports.get, { params: { id } })).data).toMatchObject({
    status: 'DRAFT',
    content: '<p>Newer.</p>',
  });
});

/** A PNG as far as its first bytes go, of so many bytes. */
const pngOf = (bytes: number) => {
  const head = Buffer.from('89504e470d0a1a0a', 'hex');
  return `data:image/png;base64,${Buffer.concat([head, Buffer.alloc(bytes - head.length)]).toString('base64')}`;
};

test('a signature may have 200 KB and no more', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const larger = await finalize(signer, id, { signatureData: pngOf(200 * 1024 + 1) });
  const largest = await finalize(signer, id, { signatureData: pngOf(200 * 1024) });

  expect(larger).toMatchObject({ status: 422, message: 'The signature is larger than 200 KB' });
  expect(largest.status).toBe(200);
});

const svg = (inside: string) =>
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 24">${inside}</svg>`)}`;

test('a signature that comes as strokes of an SVG is kept as a picture of them', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const { data } = await finalize(signer, id, {
    signatureData: svg('<path d="M4 4 L 90 20" stroke="#000" stroke-width="2"/>'),
  });

  const [head, base64 = ''] = (data.signatureData ?? '').split(',');
  expect(head).toBe('data:image/png;base64');
  const { channels } = await sharp(Buffer.from(base64, 'base64')).stats();
  expect(channels[0]).toMatchObject({ min: 0, max: 255 });
});

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['another document', '<image href="file:///etc/passwd"/>'],
  ['words', '<text>Dr Who</text>'],
  ['a page', '<foreignObject><body/></foreignObject>'],
  ['a repetition', '<g id="a"/><use href="#a"/>'],
  ['an entity', '<g>&a;</g>'],
  ['a declaration', '<!ENTITY a "b"><g/>'],
  ['a style that leads elsewhere', '<path style="fill:url(http://example.org)"/>'],
])('an SVG with %s is no signature', async (_, inside) => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const answer = await finalize(signer, id, { signatureData: svg(inside) });

  expect(answer).toMatchObject({ status: 422, message: 'An SVG signature may hold strokes only' });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test('an SVG that is none is no signature', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const answer = await finalize(signer, id, { signatureData: `data:image/svg+xml;base64,${btoa('<svg><path')}` });

  expect(answer).toMatchObject({ status: 422, message: 'The signature must be a PNG or SVG picture' });
});
