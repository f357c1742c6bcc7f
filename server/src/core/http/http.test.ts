import { type Endpoint, get, notAudited, post, stream } from '@radwork/contract/core/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createWorld } from '#test/world.ts';
import { createHttp } from './http.ts';
import { conflict, tooMany } from './problem.ts';

const world = await createWorld();

/** Creates a separate server, to which a test adds its endpoints. */
const serverWith = (settings: Partial<typeof world.context.config> = {}) =>
  createHttp(world.context.scopes, world.context.sessions, { ...world.context.config, ...settings });

const note = post('/notes', {
  can: 'public',
  audited: notAudited.noPatient,
  body: z.object({ text: z.string().min(1, 'Text is required') }),
});

const postTo = async (payload: string, contentType = 'application/json') => {
  const { app, servePublic } = serverWith();
  servePublic(note, async () => {});
  return app.inject({ method: 'POST', url: '/api/notes', payload, headers: { 'content-type': contentType } });
};

/** Returns the reply of a public endpoint whose handler throws this error. */
const failing = async (error: unknown) => {
  const { app, servePublic } = serverWith();
  servePublic(get('/broken', { can: 'public', audited: notAudited.noPatient }), async () => {
    throw error;
  });
  return app.inject('/api/broken');
};

test('wraps a reply in code, message and data', async () => {
  const { app, servePublic } = serverWith();
  servePublic(
    get('/one', { can: 'public', audited: notAudited.noPatient, reply: z.object({ one: z.number() }) }),
    async () => ({ one: 1 }),
  );
  servePublic(get('/nothing', { can: 'public', audited: notAudited.noPatient }), async () => {});

  expect((await app.inject('/api/one')).json()).toEqual({ code: 200, message: 'OK', data: { one: 1 } });
  expect((await app.inject('/api/nothing')).json()).toEqual({ code: 200, message: 'OK', data: null });
});

test('replies for other software repeat their fields at the top level, without overwriting envelope fields', async () => {
  const { app, servePublic } = serverWith();
  const reply = z.object({ id: z.string(), message: z.string() });
  const data = { id: '7', message: 'Not the envelope’s' };
  for (const path of ['/chat/one', '/notifications', '/workflow/studies/1/history', '/studies/one']) {
    servePublic(get(path, { can: 'public', audited: notAudited.noPatient, reply }), async () => data);
  }

  const answers = await Promise.all(
    ['chat/one', 'notifications', 'workflow/studies/1/history', 'studies/one'].map((path) =>
      app.inject(`/api/${path}`),
    ),
  );

  const wrapped = { code: 200, message: 'OK', data };
  const both = { id: '7', ...wrapped };
  expect(answers.map((answer) => answer.json())).toEqual([both, both, both, wrapped]);
});

test('a list reply does not repeat its fields at the top level', async () => {
  const { app, servePublic } = serverWith();
  servePublic(
    get('/chat/people', { can: 'public', audited: notAudited.noPatient, reply: z.array(z.string()) }),
    async () => ['a'],
  );

  expect((await app.inject('/api/chat/people')).json()).toEqual({ code: 200, message: 'OK', data: ['a'] });
});

test('an error has status, code and message, and a trace id for the log', async () => {
  const answer = await failing(conflict('report.move', 'A report cannot go from FINALIZED to DRAFT'));

  expect(answer.statusCode).toBe(409);
  expect(answer.json()).toEqual({
    code: 409,
    error: 'report.move',
    message: 'A report cannot go from FINALIZED to DRAFT',
    traceId: expect.stringMatching(/^[\da-f-]{36}$/),
  });
});

test('an unexpected error reveals nothing internal', async () => {
  const answer = await failing(new Error('relation "patients" at 10.0.0.7: Doe^John'));

  expect(answer.statusCode).toBe(500);
  expect(answer.json()).toEqual({
    code: 500,
    error: 'internal',
    message: 'Server error occurred',
    traceId: expect.any(String),
  });
});

test('a thrown value that is not an Error also gives a 500', async () => {
  expect((await failing('oops')).json()).toMatchObject({ code: 500, error: 'internal' });
  expect((await failing(null)).json()).toMatchObject({ code: 500, error: 'internal' });
});

test('an unreachable database gives a 503 with a retry time', async () => {
  const answer = await failing(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));

  expect(answer.json()).toMatchObject({ code: 503, error: 'database.away' });
  expect(answer.headers['retry-after']).toBe('2');
});

/** Runs statements in one transaction and returns the error of PostgreSQL. */
const errorOf = (...statements: RawBuilder<unknown>[]): Promise<unknown> =>
  world.owner
    .transaction()
    .execute(async (db) => {
      for (const statement of statements) await statement.execute(db);
    })
    .catch((error: unknown) => error);

const raising = (code: string) =>
  errorOf(sql.raw(`do $$ begin raise exception 'at 10.0.0.7' using errcode = '${code}'; end $$`));

const slow = () => errorOf(sql`set local statement_timeout = 1`, sql`select pg_sleep(30)`);

const locked = () =>
  world.owner.transaction().execute(async (db) => {
    await sql`lock table tenants`.execute(db);
    return errorOf(sql`set local lock_timeout = 1`, sql`lock table tenants`);
  });

test.each([
  ['a statement takes too long', '57014', slow, 'database.busy', '5'],
  ['a lock is not available in time', '55P03', locked, 'database.busy', '5'],
  ['the disk of the database is full', '53100', () => raising('53100'), 'database.no_room', '30'],
  ['the database has no memory left', '53200', () => raising('53200'), 'database.no_room', '30'],
  ['the database has too many connections', '53300', () => raising('53300'), 'database.away', '2'],
])('answers 503 with a retry time if %s (%s)', async (_, code, fail, error, seconds) => {
  const raised = await fail();

  const answer = await failing(raised);

  expect(raised).toMatchObject({ code });
  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, seconds]);
  expect(answer.json()).toEqual({ code: 503, error, message: expect.any(String), traceId: expect.any(String) });
  expect(answer.body).not.toContain('10.0.0.7');
});

test('too many calls give a 429 with a retry time', async () => {
  const answer = await failing(tooMany('Slowly', 7));

  expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '7']);
});

test('a reply that violates the contract gives a 500 and is not sent', async () => {
  const { app, servePublic } = serverWith();
  const endpoint: Endpoint = get('/wrong', {
    can: 'public',
    audited: notAudited.noPatient,
    reply: z.object({ count: z.number() }),
  });
  servePublic(endpoint, async () => ({ count: 'many' }));

  const answer = await app.inject('/api/wrong');

  expect(answer.json()).toMatchObject({ code: 500 });
  expect(answer.body).not.toContain('many');
});

test('a reply omits fields that the contract does not declare', async () => {
  const { app, servePublic } = serverWith();
  const reply = z.object({ name: z.string() });
  const rows = [{ name: 'Rosa', password_hash: 'argon2id' }];
  servePublic(
    get('/people', { can: 'public', audited: notAudited.noPatient, reply: z.array(reply) }),
    async () => rows,
  );

  const answer = await app.inject('/api/people');

  expect(answer.json()).toMatchObject({ data: [{ name: 'Rosa' }] });
  expect(answer.body).not.toContain('argon2id');
});

test.each([
  ['truncated JSON', '{"text": "a'],
  ['zero bytes', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['a poisoned prototype', '{"__proto__": {"isAdmin": true}, "text": "a"}'],
])('a body of %s gets a 400', async (_, payload) => {
  const answer = await postTo(payload);

  expect(answer.json()).toMatchObject({ code: 400, error: 'request.malformed', message: expect.any(String) });
});

test('refuses a body in an unsupported format', async () => {
  expect((await postTo('<text/>', 'application/xml')).statusCode).toBe(415);
  expect((await postTo('text=a', 'text/plain')).statusCode).toBe(400);
});

test('names an invalid field and gives the message of the contract', async () => {
  const answer = await postTo('{"text": ""}');

  expect(answer.json()).toMatchObject({
    code: 422,
    message: 'Text is required',
    errors: [{ field: 'text', message: 'Text is required' }],
  });
});

test('a value that no column can store gives a 400', async () => {
  const { app, servePublic } = serverWith();
  servePublic(note, ({ body: { text } }) =>
    world.context.scopes.withoutTenant(async (db) => {
      await sql`select ${text}::text`.execute(db);
    }),
  );

  const answer = await app.inject({ method: 'POST', url: '/api/notes', payload: { text: 'a NUL \0 inside' } });

  expect(answer.statusCode).toBe(400);
  expect(answer.json().message).toBe('The request contains a value that cannot be stored');
});

test('a body above the limit gives a 413', async () => {
  const answer = await postTo(JSON.stringify({ text: 'a'.repeat(2 << 20) }));

  expect(answer.json()).toMatchObject({ code: 413, error: 'request.too_large' });
});

test('an invalid query gives a 400 with its message', async () => {
  const { app, servePublic } = serverWith();
  const query = z.object({ size: z.coerce.number('Size must be a number').default(10) });
  const reply = z.object({ size: z.number() });
  servePublic(
    get('/sized', { can: 'public', audited: notAudited.noPatient, query, reply }),
    async (input) => input.query,
  );

  expect((await app.inject('/api/sized?size=x')).json()).toMatchObject({ code: 400, message: 'Size must be a number' });
  expect((await app.inject('/api/sized?size=')).json()).toMatchObject({ data: { size: 10 } });
});

test('refuses a caller without session or permission before reading the body', async () => {
  const { app, serve } = serverWith();
  serve(
    post('/users', { can: 'user.manage', audited: notAudited.noPatient, body: z.object({ name: z.string() }) }),
    async () => {},
  );
  const { token } = await world.signIn('RADIOLOGIST');
  const sendAs = (authorization: string) =>
    app.inject({
      method: 'POST',
      url: '/api/users',
      payload: '{'.repeat(2 << 20),
      headers: { 'content-type': 'application/json', authorization },
    });

  expect((await sendAs('')).json()).toMatchObject({ code: 401, message: 'Authentication required' });
  expect((await sendAs(`Bearer ${token}`)).json()).toMatchObject({ code: 403, message: 'Access denied' });
});

test('an unknown URL gets a 404 in our envelope', async () => {
  const answer = await world.request({ url: '/api/nothing-here' });

  expect(answer.statusCode).toBe(404);
  expect(answer.json()).toMatchObject({ code: 404, message: 'Page not found', traceId: expect.any(String) });
});

test('refuses to register a route without declared access', () => {
  const { app } = serverWith();

  expect(() => app.get('/api/open', async () => 'everything')).toThrow(
    'GET /api/open does not declare who may call it',
  );
});

test('refuses to register a public endpoint as restricted, or a restricted endpoint as public', () => {
  const { serve, servePublic } = serverWith();

  expect(() => servePublic(get('/a', { can: 'study.view', audited: notAudited.noPatient }), async () => {})).toThrow(
    '/a is not public',
  );
  expect(() => serve(get('/b', { can: 'public', audited: notAudited.noPatient }), async () => {})).toThrow(
    '/b is public',
  );
});

test('checks the permission for a byte stream before the stream begins', async () => {
  const { app, serveStream } = serverWith();
  serveStream(
    '/api/files',
    stream('GET', '/:name', 'study.view', notAudited.noPatient),
    async ({ session }) => session.username,
  );
  const radiologist = await world.signIn('RADIOLOGIST');
  const patient = await world.signIn('PATIENT');
  const askAs = (token: string) => app.inject({ url: '/api/files/a', headers: { authorization: `Bearer ${token}` } });

  expect((await askAs(radiologist.token)).body).toBe(radiologist.username);
  expect((await askAs(patient.token)).statusCode).toBe(403);
  expect((await app.inject('/api/files/a')).statusCode).toBe(401);
});

test('rolls back the writes of a failed call', async () => {
  const { app, serve } = serverWith();
  const person = await world.signIn();
  serve(post('/half', { can: 'study.view', audited: notAudited.noPatient }), async ({ db }) => {
    await db.updateTable('users').set({ department: 'Half done' }).execute();
    throw conflict('half', 'Only half way');
  });

  await app.inject({ method: 'POST', url: '/api/half', headers: { authorization: `Bearer ${person.token}` } });

  const users = await person.inScope(({ db }) => db.selectFrom('users').select('department').execute());
  expect(users).toEqual([{ department: '' }]);
});

test('takes the client address from the connection, or from the proxy if configured', async () => {
  const reply = z.object({ address: z.string() });
  const addressSeen = async (trustProxy: boolean) => {
    const { app, servePublic } = serverWith({ trustProxy });
    servePublic(get('/me', { can: 'public', audited: notAudited.noPatient, reply }), async (_, { address }) => ({
      address,
    }));
    const headers = { 'x-forwarded-for': '6.6.6.6, 10.0.0.9' };
    return (await app.inject({ url: '/api/me', headers })).json().data.address;
  };

  expect(await addressSeen(false)).toBe('127.0.0.1');
  expect(await addressSeen(true)).toBe('10.0.0.9');
});

test.each([
  ['203.0.113.7:52001', '203.0.113.7'],
  ['6.6.6.6:80, 203.0.113.7:52001', '203.0.113.7'],
  ['[2001:db8::7]:52001', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
])('reads "%s" from a proxy as the address %s without its port', async (header, expectedAddress) => {
  const { app, servePublic } = serverWith({ trustProxy: true });
  const reply = z.object({ address: z.string() });
  servePublic(get('/me', { can: 'public', audited: notAudited.noPatient, reply }), async (_, { address }) => ({
    address,
  }));

  const answer = await app.inject({ url: '/api/me', headers: { 'x-forwarded-for': header } });

  expect(answer.json().data).toEqual({ address: expectedAddress });
});
