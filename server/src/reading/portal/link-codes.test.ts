import { codeNeeded } from '@radwork/contract/reading/portal';
import { reports } from '@radwork/contract/reading/reports';
import { reportLinks } from '@radwork/contract/reading/sharing';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { kyselyOn, openServingPool } from '#core/database/database.ts';
import { openScopes } from '../../extensions.ts';
import { reportSteps } from '#test/report-steps.ts';
import { createWorld, type Person } from '#test/world.ts';
import { leastRefusal, openWithCode } from './service.ts';
import { sharedReport } from './shared-report.ts';

const world = await createWorld();
const { begin, finalize, auditedActions } = reportSteps(world);

const passcode = 'marigold 77';

const shared = async (body: object = { passcode }) => {
  const author = await world.signIn();
  const { id, study } = await begin(author);
  await finalize(author, id, { content: '<p>Final.</p>' });
  const { data } = await author.send(reportLinks.create, { params: { id }, body });
  return { author, id, study, hash: data.linkHash };
};

// Each request has another address. Otherwise the limit per address would affect the next test.
let caller = 0;
const from = () => `10.${2 + Math.floor(++caller / 60_000)}.${Math.floor(caller / 250) % 250}.${caller % 250}`;

const look = (hash: string) =>
  world.request({ method: 'GET', url: `/api/portal/report/${hash}`, remoteAddress: from() });

const open = (hash: string, code: string) =>
  world.request({ method: 'POST', url: `/api/portal/report/${hash}`, payload: { code }, remoteAddress: from() });

const log = async (author: Person, id: string) => {
  const { data } = await author.send(reportLinks.opens, { params: { id }, query: { size: 100 } });
  return data.content.map(({ outcome }) => outcome);
};

const linkRow = (author: Person) =>
  world.inTenant(author.tenant, ({ db }) => db.selectFrom('report_links').selectAll().executeTakeFirstOrThrow());

const setLink = (author: Person, change: ReturnType<typeof sql>) =>
  world.inTenant(author.tenant, ({ db }) => sql`update report_links set ${change}`.execute(db));

/** Serializes an answer without trace ID and date, which differ in each answer. */
const bytesOf = ({ statusCode, headers, payload }: Awaited<ReturnType<typeof look>>) => {
  const { date: _, ...same } = headers;
  return JSON.stringify([statusCode, same, payload.replace(/"traceId":"[^"]+"/, '')]);
};

test('a link with a passcode reveals nothing of the report before the correct passcode', async () => {
  const { hash } = await shared();

  const response = await look(hash);
  const opened = await open(hash, ` ${passcode} `);

  expect(response.statusCode).toBe(401);
  expect(response.json()).toMatchObject({ error: codeNeeded.PASSCODE, message: 'Enter the passcode' });
  expect(response.payload).not.toMatch(/Doe|Final|Clinic/);
  expect(opened.statusCode).toBe(200);
  expect(opened.json().data).toMatchObject({ content: '<p>Final.</p>', patientName: 'Doe, Jane' });
});

test('the passcode page and the opened report are neither cached nor indexed, and send no referrer header', async () => {
  const { hash } = await shared();

  const answers = [await look(hash), await open(hash, 'wrong'), await open(hash, passcode), await look('A'.repeat(43))];

  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'referrer-policy': 'no-referrer',
    });
  }
});

test('a link that asks for the birth date accepts the date that the record has at that moment', async () => {
  const author = await world.signIn();
  const { id, study } = await begin(author);
  await finalize(author, id);
  await world.inTenant(author.tenant, ({ db }) =>
    sql`update patients set date_of_birth = '1961-04-30'
      where id = (select patient_id from studies where id = ${study.id})`.execute(db),
  );
  const { data } = await author.send(reportLinks.create, { params: { id }, body: { asksBirthDate: true } });

  const response = await look(data.linkHash);
  const wrong = await open(data.linkHash, '1961-04-03');
  const right = await open(data.linkHash, '1961-04-30');

  expect(response.json()).toMatchObject({ code: 401, error: codeNeeded.BIRTH_DATE });
  expect([wrong.statusCode, right.statusCode]).toEqual([401, 200]);
});

test('stores a passcode only as an argon2 hash and returns it in no response', async () => {
  const { author, id } = await shared();

  const answers = [
    await author.send(reportLinks.get, { params: { id } }),
    await author.send(reports.get, { params: { id } }),
    await author.send(reportLinks.opens, { params: { id } }),
  ];

  const stored = await linkRow(author);
  expect(stored.passcode_hash).toMatch(/^\$argon2id\$/);
  expect(JSON.stringify(stored)).not.toContain('marigold');
  expect(JSON.stringify(answers)).not.toMatch(/marigold|argon2/);
});

test('five wrong codes lock a link for 15 minutes, so that even the correct code is refused', async () => {
  const { author, id, hash } = await shared();

  const wrong = [];
  for (let attempt = 0; attempt < 5; attempt += 1) wrong.push(await open(hash, `wrong ${attempt}`));
  const whileLocked = [await open(hash, passcode), await open(hash, 'wrong 6'), await look(hash)];
  const { data: link } = await author.send(reportLinks.get, { params: { id } });
  await setLink(author, sql`locked_until = locked_until - interval '14 minutes 50 seconds'`);
  const tooEarly = await open(hash, passcode);
  await setLink(author, sql`locked_until = locked_until - interval '11 seconds'`);
  const afterwards = await open(hash, passcode);

  expect(wrong.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401, 401, 401]);
  expect(whileLocked.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404]);
  const pause = Date.parse(link?.lockedUntil ?? '') - Date.now();
  expect(Math.abs(pause - 15 * 60_000)).toBeLessThan(60_000);
  expect([tooEarly.statusCode, afterwards.statusCode]).toEqual([404, 200]);
  expect((await log(author, id)).toReversed()).toEqual([
    ...Array.from({ length: 5 }, () => 'WRONG_CODE'),
    ...Array.from({ length: 4 }, () => 'LOCKED'),
    'OPENED',
  ]);
});

test('checks only five of many simultaneous wrong codes on two servers', async () => {
  const { author, hash } = await shared();
  const pools = [openServingPool(world.url, 4), openServingPool(world.url, 4)];
  const servers = pools.map((pool) => ({ scopes: openScopes(kyselyOn(pool)) }));
  const tries = Array.from({ length: 20 }, (_, index) => ({ code: `wrong ${index}`, server: index % 2 }));

  const outcomes = await Promise.allSettled(
    tries.map(({ code, server }) =>
      openWithCode(servers[server] ?? world.context, hash, code, '10.0.0.1', sharedReport),
    ),
  );
  await Promise.all(pools.map((pool) => pool.end()));

  const statuses = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.status : 200));
  expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  expect(statuses.filter((status) => status === 404)).toHaveLength(15);
  expect((await linkRow(author)).wrong_codes).toBe(5);
  expect((await open(hash, passcode)).statusCode).toBe(404);
});

test('a correct code resets the count of wrong codes', async () => {
  const { author, hash } = await shared();
  for (let attempt = 0; attempt < 4; attempt += 1) await open(hash, 'wrong');

  const right = await open(hash, passcode);
  const next = await open(hash, 'wrong');

  expect([right.statusCode, next.statusCode]).toEqual([200, 401]);
  expect(await linkRow(author)).toMatchObject({ wrong_codes: 1, wrong_codes_in_all: 1, locked_until: null });
});

test('revokes a link permanently after too many wrong codes', async () => {
  const { author, hash } = await shared();
  for (let round = 0; round < 5; round += 1) {
    for (let attempt = 0; attempt < 5; attempt += 1) await open(hash, 'wrong');
    await setLink(author, sql`locked_until = locked_until - interval '15 minutes'`);
  }

  const answer = await open(hash, passcode);

  expect(answer.statusCode).toBe(404);
  expect((await linkRow(author)).revoked_at).not.toBeNull();
  expect(await auditedActions(author)).toContain('report_link.close');
});

test('wrong, expired, revoked, used-up and locked links get identical responses, with or without a code', async () => {
  const [expired, revoked, usedUp, locked] = [
    await shared(),
    await shared(),
    await shared({ passcode, maxOpens: 1 }),
    await shared(),
  ];
  await setLink(expired.author, sql`expires_at = now()`);
  await revoked.author.send(reportLinks.revoke, { params: { id: revoked.id } });
  expect((await open(usedUp.hash, passcode)).statusCode).toBe(200);
  for (let attempt = 0; attempt < 5; attempt += 1) await open(locked.hash, 'wrong');
  const hashes = ['A'.repeat(43), 'x', ...[expired, revoked, usedUp, locked].map(({ hash }) => hash)];

  const looked = await Promise.all(hashes.map(look));
  const tried = await Promise.all(hashes.map((hash) => open(hash, passcode)));

  expect(new Set(looked.map(bytesOf)).size).toBe(1);
  expect(new Set(tried.map(bytesOf)).size).toBe(1);
  expect(tried.map((answer) => answer.json().message)).toEqual(hashes.map(() => 'Report not found'));
});

test('a link opens only as often as allowed, even for simultaneous requests', async () => {
  const { author, id, hash } = await shared({ maxOpens: 3 });

  const answers = await Promise.all(Array.from({ length: 8 }, () => look(hash)));

  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(3);
  expect(answers.filter(({ statusCode }) => statusCode === 404)).toHaveLength(5);
  expect((await log(author, id)).filter((outcome) => outcome === 'OPENED')).toHaveLength(3);
});

test('the log of a link lists every opening, even after many refusals', async () => {
  const { author, id, hash } = await shared({});
  const { id: linkId } = await linkRow(author);
  await author.inScope(({ db }) =>
    sql`insert into report_link_opens (id, link_id, outcome, network, at)
        select gen_random_uuid(), ${linkId}, 'LOCKED', '', now() - interval '1 hour' from generate_series(1, 2000)`.execute(
      db,
    ),
  );

  await look(hash);
  await author.send(reportLinks.revoke, { params: { id } });
  await look(hash);

  expect((await log(author, id)).slice(0, 2)).toEqual(['OPENED', 'LOCKED']);
});

test('refusing an unknown link takes as long as refusing a known link', async () => {
  const times: number[] = [];
  for (let index = 0; index < 8; index += 1) {
    const began = performance.now();
    await look('A'.repeat(43));
    times.push(performance.now() - began);
  }

  // A timer does not end early, so this is true on any machine.
  expect(Math.min(...times)).toBeGreaterThan(leastRefusal - 2);
});

test('the log of a link shows time, outcome and network of each opening, never a whole IP address', async () => {
  const { author, id, hash } = await shared({});
  for (const remoteAddress of ['203.0.113.77', '2001:db8:12:34::5', '::ffff:198.51.100.9']) {
    await world.request({ method: 'GET', url: `/api/portal/report/${hash}`, remoteAddress });
  }
  await author.send(reportLinks.revoke, { params: { id } });
  await look(hash);

  const { data } = await author.send(reportLinks.opens, { params: { id } });

  const [last, ...opened] = data.content;
  expect(last).toMatchObject({ outcome: 'REVOKED', isEarlierLink: true });
  expect(opened.map(({ outcome, network }) => `${outcome} ${network}`)).toEqual([
    'OPENED 198.51.100.x',
    'OPENED 2001:db8:12::x',
    'OPENED 203.0.113.x',
  ]);
  expect(Math.abs(Date.parse(opened[0]?.at ?? '') - Date.now())).toBeLessThan(60_000);
  const stored = await world.inTenant(author.tenant, ({ db }) =>
    db.selectFrom('report_link_opens').selectAll().execute(),
  );
  expect(JSON.stringify(stored)).not.toMatch(/113\.77|100\.9|34::5/);
});

test('the log of a report leaves out links of other reports and marks openings of an expired link', async () => {
  const { author, id, hash } = await shared({});
  const other = await begin(author);
  await finalize(author, other.id);
  await author.send(reportLinks.create, { params: { id: other.id }, body: {} });
  await look(hash);
  await setLink(author, sql`expires_at = now()`);
  await look(hash);

  const [ours, otherOpens] = await Promise.all(
    [id, other.id].map((one) => author.send(reportLinks.opens, { params: { id: one } })),
  );

  expect(ours?.data.content).toMatchObject([
    { outcome: 'EXPIRED', isEarlierLink: true },
    { outcome: 'OPENED', isEarlierLink: true },
  ]);
  expect(otherOpens?.data.content).toEqual([]);
});

test('accepts a code only in the body, not in the address', async () => {
  const { hash } = await shared();

  const answers = await Promise.all(
    [`?code=${encodeURIComponent(passcode)}`, `?passcode=${encodeURIComponent(passcode)}`].map((query) =>
      look(`${hash}${query}`),
    ),
  );

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401]);
});

test.each([[{}], [{ code: '' }], [{ code: 'x'.repeat(101) }], [{ code: 7 }]])(
  'the body %o is refused alike for existing and unknown links, and does not count as an attempt',
  async (payload) => {
    const { author, hash } = await shared();

    const answers = await Promise.all(
      [hash, 'A'.repeat(43)].map((one) =>
        world.request({ method: 'POST', url: `/api/portal/report/${one}`, payload, remoteAddress: from() }),
      ),
    );

    expect(new Set(answers.map(bytesOf)).size).toBe(1);
    expect(answers[0]?.statusCode).toBe(422);
    expect((await linkRow(author)).wrong_codes).toBe(0);
  },
);
