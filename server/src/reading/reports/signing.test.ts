import { account } from '@radwork/contract/identity/accounts';
import { signedStatement } from '@radwork/contract/reading/report-parts';
import { reportAddenda } from '@radwork/contract/reading/report-addenda';
import { reports } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { quickHash } from '#test/quick-hash.ts';
import { codeOf, wrongCodeOf } from '#test/account-steps.ts';
import { reportSteps, signature } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();
const { begin, finalize, auditedActions } = reportSteps(world);

const password = 'correct horse battery';
const passwordHash = await quickHash(password);

/** A user who signed in this many minutes ago. */
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

test('a user can sign soon after signing in, and the signature stores its statement', async () => {
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

test('more than fifteen minutes after sign-in, signing requires the password', async () => {
  const signer = await signedInAgo(16);
  const { id } = await begin(signer);

  const without = await finalize(signer, id);
  const wrong = await finalize(signer, id, { password: 'guess' });

  expect(without).toMatchObject({
    status: 403,
    error: 'session.reauthenticate',
    message: 'You signed in more than 15 minutes ago. Enter your password to sign.',
  });
  expect(wrong).toMatchObject({ status: 422, errors: [{ field: 'password', message: 'The password is wrong' }] });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test('after signing with the password, the next signatures do not require the password', async () => {
  const signer = await signedInAgo(16);
  const [one, other] = [await begin(signer), await begin(signer)];

  const first = await finalize(signer, one.id, { password });
  const second = await finalize(signer, other.id);

  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await auditedActions(signer)).toContain('session.reauthenticate');
});

test('wrong passwords at signing count together with wrong passwords at sign-in', async () => {
  const signer = await signedInAgo(16);
  const { id } = await begin(signer);
  for (const guess of ['1', '2', '3', '4', '5']) await finalize(signer, id, { password: guess });

  const answer = await finalize(signer, id, { password });

  expect(answer).toMatchObject({ status: 429, message: expect.stringContaining('Too many wrong passwords') });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test('signing an addendum requires a recent sign-in or the password too', async () => {
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

test('refuses a typed signature whose name differs from that of the account', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);
  const { name } = signer.session;

  const another = await finalize(signer, id, { typedName: 'Dr Gregory House' });
  const nearly = await finalize(signer, id, { typedName: `Prof. ${name}` });
  const empty = await finalize(signer, id, { typedName: '' });

  const message = `A typed signature must show your account name: ${name}`;
  for (const refused of [another, nearly, empty]) {
    expect(refused).toMatchObject({ status: 422, errors: [{ field: 'typedName', message }] });
  }
  expect(await statusOf(signer, id)).toBe('DRAFT');
  expect(await finalize(signer, id, { typedName: name })).toMatchObject({
    status: 200,
    data: { finalizedBy: { name } },
  });
});

test('refuses an addendum with a typed signature whose name differs from that of the account', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);
  await finalize(signer, id);
  const addendum = { kind: 'ADDENDUM', content: '<p>x</p>' };
  const { data } = await signer.send(reportAddenda.begin, { params: { id }, body: addendum });
  const sign = (typedName: string) =>
    signer.send(reportAddenda.sign, {
      params: { id, addendumId: data.addendumDraft?.id ?? '' },
      body: { ...addendum, revision: 1, signatureData: signature, typedName },
    });

  expect(await sign('Dr Gregory House')).toMatchObject({ status: 422, errors: [{ field: 'typedName' }] });
  expect((await sign(signer.session.name)).data.addenda).toHaveLength(1);
});

test('refuses to sign a revision that the signer has not seen', async () => {
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

/** Data that begin like a PNG, of the given length. */
const pngOf = (bytes: number) => {
  const head = Buffer.from('89504e470d0a1a0a', 'hex');
  return `data:image/png;base64,${Buffer.concat([head, Buffer.alloc(bytes - head.length)]).toString('base64')}`;
};

test('accepts a signature image of up to 200 KB', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const larger = await finalize(signer, id, { signatureData: pngOf(200 * 1024 + 1) });
  const largest = await finalize(signer, id, { signatureData: pngOf(200 * 1024) });

  expect(larger).toMatchObject({ status: 422, message: 'The signature is larger than 200 KB' });
  expect(largest.status).toBe(200);
});

const svg = (inside: string) =>
  `data:image/svg+xml;base64,${btoa(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 24">${inside}</svg>`)}`;

/** Returns the darkness of each pixel of a signature, from 0 to 1, and the size of the image. */
const drawnPixels = async (dataUrl: string | null) => {
  const [head, base64 = ''] = (dataUrl ?? '').split(',');
  expect(head).toBe('data:image/png;base64');
  const { data, info } = await sharp(Buffer.from(base64, 'base64'))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { ...info, inkAt: (x: number, y: number) => 1 - (data[y * info.width + x] ?? 255) / 255 };
};

test.each([
  ['a path', '<path d="M4 4 L 90 20" stroke="#000" stroke-width="2"/>'],
  ['a path in relative coordinates', '<path d="m4,4 l86 16" stroke="black" stroke-width="2" fill="none"/>'],
  ['curves', '<path stroke="#10131a" d="M4 4C30 9 60 14.5 90 20" stroke-width="2px" stroke-linecap="round"></path>'],
  ['a polyline', "<polyline points='4,4 47,12 90,20' stroke='rgb(0, 0, 0)' stroke-width='2'/>"],
  ['a line', '<line x1="4" y1="4" x2="90" y2="20" stroke="#000" stroke-width="2"/>'],
  ['a dot', '<circle cx="47" cy="12" r="1"/>'],
])('stores an SVG signature with %s as a PNG', async (_, inside) => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const { data } = await finalize(signer, id, { signatureData: svg(inside) });

  const picture = await drawnPixels(data.signatureData);
  expect(picture).toMatchObject({ width: 960, height: 240 });
  expect(picture.inkAt(470, 120)).toBeGreaterThan(0.8);
  expect(picture.inkAt(470, 20)).toBe(0);
});

test.each([
  ['a script', '<script>alert(1)</script>'],
  ['another document', '<image href="file:///etc/passwd"/>'],
  ['text', '<text>Dr Who</text>'],
  ['an HTML page inside', '<foreignObject><body/></foreignObject>'],
  ['an element that repeats another', '<g id="a"/><use href="#a"/>'],
  ['an entity', '<g>&a;</g>'],
  ['a declaration', '<!ENTITY a "b"><g/>'],
  ['a style that refers to another site', '<path style="fill:url(http://example.org)"/>'],
  ['dashes', '<path d="M0 0L96 24" stroke="#000" stroke-dasharray="0.05"/>'],
  ['a transformation', '<path d="M0 0L96 24" stroke="#000" transform="scale(9000)"/>'],
  ['a transparent line', '<path d="M0 0L96 24" stroke="#000" opacity="0.5"/>'],
  ['a color that refers to another element', '<path d="M0 0L96 24" stroke="url(#a)"/>'],
  ['a filled shape', '<path d="M0 0L96 24" stroke="#000" fill="#000"/>'],
  ['nested shapes', '<path d="M0 0L96 24" stroke="#000"><circle cx="1" cy="1" r="1"/></path>'],
  ['arcs', '<path d="M0 0A1 1 0 0 0 5 5" stroke="#000"/>'],
  ['an invalid path', '<path d="M0 0L1 2 3" stroke="#000"/>'],
  ['a line without a color', '<path d="M0 0L96 24"/>'],
])('refuses an SVG signature with %s', async (_, inside) => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const answer = await finalize(signer, id, { signatureData: svg(inside) });

  expect(answer).toMatchObject({ status: 422, message: 'An SVG signature can contain strokes only' });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test.each([
  ['too many points', `<path d="M0 0${'l.1 0-.1 0'.repeat(2000)}" stroke="#000"/>`],
  ['too many lines', '<path d="M0 0l1 1" stroke="#000"/>'.repeat(1001)],
  ['too many dots', '<circle cx="1" cy="1" r="1"/>'.repeat(501)],
  ['a line that is too long', `<path d="M0 0${'L96 0 0 24'.repeat(40)}" stroke="#000"/>`],
  ['a line that is too thick', '<path d="M0 0L96 24" stroke="#000" stroke-width="3"/>'],
  ['a dot that is too large', '<circle cx="1" cy="1" r="480"/>'],
  ['a point far outside the drawing', '<path d="M0 0M2000 0" stroke="#000"/>'],
  ['numbers that are too large to compute', '<path d="M0 0l1e999 0-1e999 0" stroke="#000"/>'],
])('refuses to convert an SVG with %s', async (_, inside) => {
  const signer = await world.signIn();
  const { id } = await begin(signer);

  const answer = await finalize(signer, id, { signatureData: svg(inside) });

  expect(answer).toMatchObject({
    status: 422,
    message: 'The SVG signature has too many or too wide strokes',
  });
  expect(await statusOf(signer, id)).toBe('DRAFT');
});

test.each(['<svg><path', '<svg viewBox="0 0 9 9"/>', '<svg><path d="M0 0L1 1" stroke="red"/></svg>', 'M0 0'])(
  'refuses a broken or empty SVG signature: %s',
  async (source) => {
    const signer = await world.signIn();
    const { id } = await begin(signer);

    const answer = await finalize(signer, id, { signatureData: `data:image/svg+xml;base64,${btoa(source)}` });

    expect(answer).toMatchObject({ status: 422, message: 'The signature must be a PNG or SVG image' });
  },
);

test('a signature is checked and converted before the request locks the study', async () => {
  const signer = await world.signIn();
  const { id, study } = await begin(signer);

  const answer = await world.owner.transaction().execute(async (other) => {
    await other.selectFrom('studies').select('id').where('id', '=', study.id).forUpdate().execute();
    return finalize(signer, id, { signatureData: svg('<text>Dr Who</text>') });
  });

  expect(answer).toMatchObject({ status: 422, message: 'An SVG signature can contain strokes only' });
});

test('a user with a second factor can sign with each code once, and not with a recovery code', async () => {
  const signer = await signedInAgo(16);
  const enrollment = await signer.send(account.beginSecondFactor, { body: { currentPassword: password } });
  const { key } = enrollment.data;
  const confirmed = await signer.send(account.confirmSecondFactor, { body: { code: codeOf(key) } });
  const [one, other] = [await begin(signer), await begin(signer)];

  const response = await finalize(signer, one.id);
  const wrong = await finalize(signer, one.id, { code: wrongCodeOf(key) });
  const recovery = await finalize(signer, one.id, { code: confirmed.data.recoveryCodes[0] });
  const right = await finalize(signer, one.id, { code: codeOf(key, 1) });
  await world.owner
    .updateTable('sessions')
    .set({ authenticated_at: sql`now() - interval '16 minutes'` })
    .where('user_id', '=', signer.userId)
    .execute();
  const again = await finalize(signer, other.id, { code: codeOf(key, 1) });

  expect(response.message).toBe(
    'You signed in more than 15 minutes ago. Enter your password or authenticator code to sign.',
  );
  expect([wrong, recovery, again].map(({ status, errors }) => [status, errors?.[0]?.field])).toEqual(
    Array.from({ length: 3 }, () => [422, 'code']),
  );
  expect(right.status).toBe(200);
  expect(await statusOf(signer, other.id)).toBe('DRAFT');
});

const giveCredentials = (person: Person, credentials: string) =>
  world.owner.updateTable('users').set({ credentials }).where('id', '=', person.userId).execute();

test('a signature stores the current credentials, and a typed signature shows them after the name', async () => {
  const signer = await world.signIn();
  const { name } = signer.session;
  await giveCredentials(signer, 'MD, FACR');
  const [one, other] = [await begin(signer), await begin(signer)];

  const withoutThem = await finalize(signer, one.id, { typedName: name });
  const signed = await finalize(signer, one.id, { typedName: `${name}, MD, FACR` });
  await giveCredentials(signer, '');
  const read = await signer.send(reports.get, { params: { id: one.id } });
  const later = await finalize(signer, other.id, { typedName: name });

  expect(withoutThem).toMatchObject({ status: 422, errors: [{ field: 'typedName' }] });
  expect(signed.status).toBe(200);
  expect(read.data.finalizedBy).toMatchObject({ name, credentials: 'MD, FACR' });
  expect(later.data.finalizedBy).toMatchObject({ name, credentials: '' });
});

test('the signature of an addendum stores the credentials of the signer', async () => {
  const signer = await world.signIn();
  const { id } = await begin(signer);
  await finalize(signer, id);
  await giveCredentials(signer, 'MD');
  const addendum = { kind: 'ADDENDUM', content: '<p>x</p>' };
  const { data } = await signer.send(reportAddenda.begin, { params: { id }, body: addendum });

  const signed = await signer.send(reportAddenda.sign, {
    params: { id, addendumId: data.addendumDraft?.id ?? '' },
    body: { ...addendum, revision: 1, signatureData: signature },
  });

  expect(signed.data.addenda.map(({ finalizedBy }) => finalizedBy.credentials)).toEqual(['MD']);
  expect(signed.data.finalizedBy).toMatchObject({ credentials: '' });
});
