import { archive } from '@radwork/contract/imaging/archive';
import { health } from '@radwork/contract/identity/health';
import { notifications } from '@radwork/contract/identity/notifications';
import { newUid } from '@radwork/dicom/uid';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually, until } from '#test/eventually.ts';
import { figure, readExposition } from '#test/prometheus-text.ts';
import { enrollForBasic } from '#test/served-world.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld, type Person, type Tenant } from '#test/world.ts';

const world = await createWorld({
  CALLS_PER_SESSION: '10',
  CALLS_PER_TENANT: '25',
  CALLS_PER_ADDRESS: '8',
  IMAGES_PER_SESSION: '30',
  IMAGES_PER_TENANT: '50',
});

// Caches sessions as the server does. This needs notifications from the database.
afterAll(world.context.sessions.listen(world.url));
await until(() => world.context.sessions.sessionVersion() !== undefined);

/** Stops the clock, so that no extra call is allowed on a slow machine. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());
const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);

type Answer = { statusCode: number };

const inTurn = async <T>(count: number, request: (turn: number) => Promise<T>): Promise<T[]> => {
  const answers = [];
  for (let turn = 0; turn < count; turn += 1) answers.push(await request(turn));
  return answers;
};

/** Counts the replies for each status. */
const statuses = (answers: readonly Answer[]) =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ statusCode }) => statusCode)].map(([status, each]) => [status, each.length]),
  );

const callOf = (person: Person) => person.request({ method: 'GET', url: `/api${notifications.list.path}` });

const frameOf = async (person: Person) => {
  const [studyUid, seriesUid, instanceUid] = [newUid(), newUid(), newUid()];
  const uids = { StudyInstanceUID: studyUid, SeriesInstanceUID: seriesUid, SOPInstanceUID: instanceUid };
  await person.request({ method: 'POST', url: '/dicom-web/studies', ...related(image(uids).bytes) });
  const path = archive.frames.path
    .replace(':studyUid', studyUid)
    .replace(':seriesUid', seriesUid)
    .replace(':instanceUid', instanceUid)
    .replace(':frames', '1');
  return () => person.request({ method: 'GET', url: `/api/wado-rs${path}` });
};

const about = (remoteAddress: string) =>
  world.request({ method: 'GET', url: `/api${health.about.path}`, remoteAddress });

test('a session over its call limit learns when to retry, and colleagues are not affected', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);

  const flood = await inTurn(14, () => callOf(ada));
  const beside = await callOf(ben);
  const refused = flood.at(-1);
  seconds(Number(refused?.headers['retry-after']));
  const later = await inTurn(2, () => callOf(ada));
  seconds(60);
  const nextMinute = await inTurn(10, () => callOf(ada));

  expect(statuses(flood)).toEqual({ 200: 10, 429: 4 });
  expect(refused?.headers['retry-after']).toBe('6');
  expect(refused?.json()).toMatchObject({
    code: 429,
    error: 'request.too_many',
    message: 'Too many calls. Try again in 6 seconds.',
  });
  expect(beside.statusCode).toBe(200);
  expect(statuses(later)).toEqual({ 200: 1, 429: 1 });
  expect(statuses(nextMinute)).toEqual({ 200: 10 });
});

test('refused calls count like successful ones', async () => {
  const ada = await world.signIn('PATIENT');
  const other = await world.newTenant();
  const ofOther = { headers: { 'x-tenantid': other.subdomain } };

  const answers = await inTurn(12, (turn) =>
    ada.request({ method: 'GET', url: '/api/users', ...(turn % 2 === 1 && ofOther) }),
  );

  expect(statuses(answers)).toEqual({ 403: 10, 429: 2 });
});

test('a tenant over its call limit must wait, and other tenants need not', async () => {
  const people: Person[] = [];
  const tenant: Tenant = await world.newTenant();
  for (let count = 0; count < 4; count += 1) people.push(await world.signIn('RADIOLOGIST', tenant));
  const elsewhere = await world.signIn();

  const answers = await inTurn(36, (turn) => callOf(people[turn % 4] ?? elsewhere));

  expect(statuses(answers)).toEqual({ 200: 25, 429: 11 });
  expect((await callOf(elsewhere)).statusCode).toBe(200);
});

test('requests for images count separately from other calls and have a higher limit', async () => {
  const ada = await world.signIn();
  const frame = await frameOf(ada);

  const frames = await inTurn(29, frame);
  const calls = await inTurn(10, () => callOf(ada));
  const more = await inTurn(3, frame);

  expect(statuses(frames)).toEqual({ 200: 29 });
  expect(statuses(calls)).toEqual({ 200: 10 });
  expect(statuses(more)).toEqual({ 429: 3 });
});

test('requests for images also count per tenant', async () => {
  const ada = await world.signIn();
  const ben = await world.signIn('RADIOLOGIST', ada.tenant);
  const [ofAda, ofBen] = [await frameOf(ada), await frameOf(ben)];

  const answers = await inTurn(52, (turn) => (turn % 2 === 0 ? ofAda() : ofBen()));

  expect(statuses(answers)).toEqual({ 200: 48, 429: 4 });
});

test('calls without a session count by IP address, for any URL', async () => {
  const from = { remoteAddress: '10.1.0.1' };
  const guess = (turn: number) => ({ authorization: `Bearer ${String(turn).padStart(43, 'x')}` });

  const answers = [
    ...(await inTurn(3, () => about(from.remoteAddress))),
    ...(await inTurn(3, (turn) => world.request({ method: 'GET', url: '/api/users', headers: guess(turn), ...from }))),
    ...(await inTurn(2, () => world.request({ method: 'GET', url: '/api/users', ...from }))),
    await about(from.remoteAddress),
    await world.request({ method: 'GET', url: '/api/users', headers: guess(9), ...from }),
    await world.request({ method: 'GET', url: '/api/auth/sso/nobody/start', ...from }),
  ];

  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, ...Array(5).fill(401), 429, 429, 429]);
  expect((await about('10.1.0.2')).statusCode).toBe(200);
  expect((await world.request({ method: 'GET', url: '/health/live', ...from })).statusCode).toBe(200);
});

test('a signed-in user can continue while another caller sends too many calls from the same address', async () => {
  const ada = await world.signIn();
  const remoteAddress = '10.2.0.1';
  await inTurn(9, () => about(remoteAddress));

  // A sign-in may be announced late. Until then, no session is cached.
  await eventually(async () => {
    await callOf(ada);
    const own = await ada.request({ method: 'GET', url: `/api${notifications.list.path}`, remoteAddress });
    expect(own.statusCode).toBe(200);
  });

  expect((await about(remoteAddress)).statusCode).toBe(429);
});

test('calls with a session or password do not count by IP address', async () => {
  const from = { remoteAddress: '10.3.0.1' };
  const people = await inTurn(20, () => world.signIn());
  const nobody = await world.signIn();
  const { name, password } = await enrollForBasic(world);
  const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;

  const answers = await inTurn(20, (turn) =>
    (people[turn] ?? nobody).request({ method: 'GET', url: `/api${notifications.list.path}`, ...from }),
  );
  const bySoftware = await inTurn(12, () =>
    world.request({ method: 'GET', url: '/dicom-web/studies', headers: { authorization }, ...from }),
  );

  expect(statuses(answers)).toEqual({ 200: 20 });
  expect(statuses(bySoftware)).toEqual({ 200: 10, 429: 2 });
});

test('all addresses of one IPv6 network count as one address', async () => {
  const answers = await inTurn(9, (turn) => about(`2001:db8:7:7:${turn + 1}::${turn + 1}`));

  expect(statuses(answers)).toEqual({ 200: 8, 429: 1 });
  expect((await about('2001:db8:7:8::1')).statusCode).toBe(200);
});

test('the metrics count refused calls by limit', async () => {
  const ada = await world.signIn();
  const count = async (labels: Record<string, string>) =>
    figure(
      readExposition(await world.context.metrics.registry.text(() => {})),
      'radwork_http_too_many_calls_total',
      labels,
    ) ?? 0;
  const kinds = [
    { of: 'calls', by: 'session' },
    { of: 'calls', by: 'address' },
  ];
  const before = await Promise.all(kinds.map(count));

  await inTurn(12, () => callOf(ada));
  await inTurn(9, () => about('10.4.0.1'));

  const after = await Promise.all(kinds.map(count));
  expect(after.map((value, at) => value - (before[at] ?? 0))).toEqual([2, 1]);
});
