import { newUid } from '@radwork/dicom/uid';
import { expect, test, vi } from 'vitest';
import { storeAs } from '#test/archive-calls.ts';
import { image } from '#test/multipart-upload.ts';
import { createWorld, type Person } from '#test/world.ts';

const world = await createWorld();

const withStudy = async (query = '') => {
  const person = await world.signIn();
  const StudyInstanceUID = newUid();
  await storeAs(person, image({ StudyInstanceUID }));
  const path = `/api/wado-rs/studies/${StudyInstanceUID}/thumbnail${query}`;
  const linkResponse = await person.request({ method: 'POST', url: path });
  const link: { url: string; expiresAt: string } = linkResponse.json().data;
  return { person, path, link };
};

const open = (url: string) => world.request({ method: 'GET', url });

const forgetSessions = () => world.context.sessions.forget();

const change = (person: Person, work: Parameters<Person['inScope']>[0]) => person.inScope(work).then(forgetSessions);

test('a thumbnail link works for any caller without a token', async () => {
  const { person, path, link } = await withStudy('?viewport=8,8&accept=image/png');

  const opened = await open(link.url);
  const direct = await person.request({ method: 'GET', url: path });

  expect(opened.statusCode).toBe(200);
  expect(opened.headers['content-type']).toBe('image/png');
  expect(opened.rawPayload.equals(direct.rawPayload)).toBe(true);
  expect(Date.parse(link.expiresAt)).toBeGreaterThan(Date.now());
});

test('a thumbnail link expires after five minutes', async () => {
  const { link } = await withStudy();
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 + 1 });

  const late = await open(link.url).finally(() => vi.useRealTimers());

  expect(late.statusCode).toBe(401);
});

test('a thumbnail link is valid for one address only and cannot be extended or changed', async () => {
  const { link } = await withStudy();
  const other = await withStudy();
  const forgeries = [
    link.url.replace('/thumbnail?', '/thumbnail?viewport=4,4&'),
    link.url.replace(/studies\/[\d.]+/, /studies\/[\d.]+/.exec(other.link.url)?.[0] ?? ''),
    link.url.replace(/expires=(\d)/, 'expires=2'),
    link.url.replace(/session=[\w-]+/, /session=[\w-]+/.exec(other.link.url)?.[0] ?? ''),
    link.url.replace(/signature=.{4}/, 'signature=AAAA'),
    link.url.replace('/thumbnail', '/rendered'),
    link.url.replace(/&signature.*/, ''),
  ];

  const answers = await Promise.all(forgeries.map(open));

  expect(answers.map(({ statusCode }) => statusCode)).toEqual(forgeries.map(() => 401));
});

test('a thumbnail link has no more rights than the session and access of its creator', async () => {
  const signedOut = await withStudy();
  const deactivated = await withStudy();
  const deleted = await withStudy();
  const answersBefore = await Promise.all([signedOut, deactivated, deleted].map(({ link }) => open(link.url)));

  const past = new Date(0).toISOString();
  await change(signedOut.person, ({ db }) => db.updateTable('sessions').set({ revoked_at: past }).execute());
  await change(deactivated.person, ({ db }) => db.updateTable('users').set({ is_active: false }).execute());
  await change(deleted.person, ({ db }) => db.updateTable('studies').set({ deleted_at: past }).execute());
  const answers = await Promise.all([signedOut, deactivated, deleted].map(({ link }) => open(link.url)));

  expect(answersBefore.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([401, 401, 404]);
});

test('refuses a thumbnail link to a study that the caller cannot see', async () => {
  const { path } = await withStudy();
  const stranger = await world.signIn();

  const refused = await stranger.request({ method: 'POST', url: path });
  const nobody = await world.request({ method: 'POST', url: path });

  expect([refused.statusCode, nobody.statusCode]).toEqual([404, 401]);
});
