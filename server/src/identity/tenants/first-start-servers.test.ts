import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sessions } from '@radwork/contract/identity/sessions';
import { setup } from '@radwork/contract/identity/tenants';
import { expect, onTestFinished, test } from 'vitest';
import { lineStarting, type ServerProcess, startServer } from '#test/server-process.ts';

const password = 'a long enough sentence 7';
const form = {
  name: 'First Clinic',
  subdomain: 'first',
  timeZone: 'Europe/Berlin',
  administrator: { username: 'founder', name: 'Nora First', email: 'nora@example.org' },
  password,
};

const offeredBy = async (server: ServerProcess) => {
  const address = (await lineStarting(server, 'Radwork is on ')).replace('Radwork is on ', '');
  const line = await lineStarting(server, 'Create the first organization');
  const [, shown = '', token = ''] = /at (http\S+)\/setup#(\S+)$/.exec(line) ?? [];
  return { address, shown, token };
};

const post = async (address: string, path: string, body: object, headers: Record<string, string> = {}) => {
  const answer = await fetch(`${address}/api${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: answer.status, ...(await answer.json()) };
};

test(
  'a server without an organization prints a link that creates the first organization, once',
  { timeout: 120_000 },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'radwork-first-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const first = startServer({ DATA_DIR: folder });
    const offered = await offeredBy(first);
    expect(offered.shown).toBe(offered.address);
    expect(offered.token).toMatch(/^[\w-]{43}$/);
    first.child.kill('SIGTERM');
    await first.ended;

    const second = startServer({ DATA_DIR: folder });
    const { address, token } = await offeredBy(second);
    const guessed = await post(address, setup.check.path, { token: 'x'.repeat(43) });
    const outdated = await post(address, setup.check.path, { token: offered.token });
    const good = await post(address, setup.check.path, { token });
    const created = await post(address, setup.complete.path, { ...form, token });
    const again = await post(address, setup.complete.path, { ...form, subdomain: 'second', token });
    const signedIn = await post(address, sessions.login.path, { username: 'founder', password });
    second.child.kill('SIGTERM');
    await second.ended;

    expect([guessed.status, outdated.status, good.status]).toEqual([404, 404, 200]);
    expect(created).toMatchObject({ status: 200, data: { subdomain: 'first' } });
    expect(again.status).toBe(404);
    expect(signedIn.status).toBe(200);

    const third = startServer({ DATA_DIR: folder });
    const output: string[] = [];
    void (async () => {
      for (let next = await third.lines.next(); !next.done; next = await third.lines.next()) output.push(next.value);
    })();
    await expect.poll(() => output.some((line) => line.startsWith('Radwork is on ')), { timeout: 60_000 }).toBe(true);
    third.child.kill('SIGTERM');
    await third.ended;
    expect(output.filter((line) => /organization|setup/.test(line))).toEqual([]);
  },
);
