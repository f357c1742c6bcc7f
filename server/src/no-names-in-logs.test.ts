import { userTypes } from '@radwork/contract/core/access';
import { sessions } from '@radwork/contract/identity/sessions';
import { expect, test } from 'vitest';
import { orNotFound } from './core/http/problem.ts';
import { textKeyOf } from './identity/sessions/text-key.ts';
import { canariesOf } from '#test/access-walk.ts';
import { addressOf as pathOf, bodyOf, type Call, contractCalls } from '#test/contract-calls.ts';
import { fillTenant } from '#test/full-tenant.ts';
import { serve } from '#test/served-world.ts';
import { addressOf } from '#test/server-process.ts';
import { storedSecrets } from '#test/stored-secrets.ts';
import { image, related } from '#test/multipart-upload.ts';
import { createWorld } from '#test/world.ts';

// Reads the log of a whole server in a separate process, at its most detailed level.

const mark = 'CANARY-LOG';
const world = await createWorld();
const tenant = await fillTenant(world, mark);
const tokens = Array.from(tenant.people.values(), ({ token }) => token);
const textKeys = (
  await Promise.all(Array.from(tenant.people.values(), ({ session }) => textKeyOf(world.context, session)))
).map((key) => orNotFound(key, 'file'));

const start = async (settings: Record<string, string> = {}) => {
  const server = serve(world, { LOG_LEVEL: 'trace', ...settings });
  const address = await addressOf(server);
  const ask = async (path: string, more: RequestInit = {}) => {
    // Aborts replies that do not end.
    const answer = await fetch(`${address}${path}`, { ...more, redirect: 'manual', signal: AbortSignal.timeout(5000) });
    await answer.arrayBuffer().catch(() => {});
    return answer.status;
  };
  const stop = async (): Promise<string> => {
    server.child.kill('SIGTERM');
    const lines: string[] = [];
    for (let next = await server.lines.next(); !next.done; next = await server.lines.next()) lines.push(next.value);
    return `${lines.join('\n')}\n${(await server.ended).complaint}`;
  };
  return { ask, stop };
};

type AskServer = Awaited<ReturnType<typeof start>>['ask'];

const headersOf = (token: string, body: unknown) => ({
  authorization: `Bearer ${token}`,
  ...(body !== undefined && { 'content-type': 'application/json' }),
});

/** Leaves out calls that end the sessions in use, and calls that last until the client leaves. */
const isLeftOut = ({ name }: Call) => /\/auth\/|\/live$|\/sessions?(\/|$)|\/status$/.test(name);

const callAll = async (send: AskServer) => {
  for (const call of contractCalls.filter((contractCall) => !isLeftOut(contractCall))) {
    for (const type of ['RADIOLOGIST', 'SUPER_ADMIN'] as const) {
      const { token } = orNotFound(tenant.people.get(type), 'user');
      const body = bodyOf(call);
      const payload = body === undefined ? {} : { body: JSON.stringify(body) };
      await send(pathOf(call, tenant), { method: call.method, headers: headersOf(token, body), ...payload }).catch(
        () => {},
      );
    }
  }
};

/** Makes calls that fail, because errors are logged in most detail. */
const makeMistakes = async (send: AskServer) => {
  const { token } = orNotFound(tenant.people.get('ADMIN'), 'user');
  const sendJson = (path: string, body: string) =>
    send(path, { method: 'POST', headers: headersOf(token, body), body });
  const damaged = related(image({ PatientName: mark, PatientID: mark }).bytes.subarray(0, 400));
  return [
    await sendJson('/api/patients', `{"patientName": "${mark}`),
    await sendJson('/api/patients', JSON.stringify({ patientName: `${mark}\u0000`, patientId: mark })),
    await sendJson(`/api${sessions.validate.path}`, JSON.stringify({ token })),
    await sendJson(`/api${sessions.login.path}`, JSON.stringify({ username: mark, password: mark })),
    await send(`/api/studies?searchQuery=${mark}%00`, { headers: headersOf(token, undefined) }),
    await send(`/api/reports?startDate=${mark}`, { headers: headersOf(token, undefined) }),
    await send(`/api/${mark}/${token}`),
    await send('/dicom-web/studies', {
      method: 'POST',
      headers: { ...headersOf(token, undefined), ...damaged.headers },
      body: new Uint8Array(damaged.payload),
    }),
    await send(`/dicom-web/studies?PatientName=${mark}`, {
      headers: { authorization: `Basic ${btoa(`${mark}:${mark}`)}` },
    }),
  ];
};

/** Texts that a log must not contain, and a search for them. */
const known = [...canariesOf(tenant, mark), ...tokens, ...textKeys, ...(await storedSecrets(world))];
const leakedInto = (log: string): string[] => known.filter((one) => log.includes(one));

test(
  'the log of all calls, including failing calls, contains no patient, token or secret',
  { timeout: 300_000 },
  async () => {
    const { ask, stop } = await start();
    await callAll(ask);
    const mistakes = await makeMistakes(ask);
    const log = await stop();

    const lines = log.split('\n').filter((line) => line.startsWith('{'));
    const answered = lines.map((line): unknown => JSON.parse(line)).filter((line) => hasTraceId(line));
    expect(mistakes.filter((status) => status >= 400).length).toBeGreaterThanOrEqual(6);
    expect(answered.length).toBeGreaterThan(contractCalls.length);
    expect(known.length).toBeGreaterThan(userTypes.length * 2 + 10);
    expect(leakedInto(log)).toEqual([]);
  },
);

test('if a server logged URLs and headers, the check would find patient names and tokens in its log', async () => {
  const planted = `import { Server } from 'node:http';
    const { emit } = Server.prototype;
    Server.prototype.emit = function (kind, request, ...more) {
      if (kind === 'request') console.log(JSON.stringify({ url: request.url, headers: request.headers }));
      return emit.call(this, kind, request, ...more);
    };`;
  const preload = `data:text/javascript,${encodeURIComponent(planted)}`;
  const { token } = orNotFound(tenant.people.get('ADMIN'), 'user');
  const { ask, stop } = await start({ NODE_OPTIONS: `--import=${preload}` });

  await ask(`/api/patients?query=${mark}`, { headers: headersOf(token, undefined) });

  expect(leakedInto(await stop())).toEqual([mark, token]);
});

const hasTraceId = (line: unknown): boolean =>
  typeof line === 'object' && line !== null && 'traceId' in line && typeof line.traceId === 'string';
