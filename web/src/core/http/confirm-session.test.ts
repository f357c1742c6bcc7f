import { sessions } from '@radwork/contract/identity/sessions';
import { expect, test, vi } from 'vitest';
import { answer, refuse, type SentRequest, serve, signIn } from '#test/screen.tsx';
import { confirmSession } from './confirm-session.ts';
import { clearSession, readSession } from '#core/state/session.ts';

test('an answer that breaks off while the page unloads does not end the session', async () => {
  const session = signIn();
  vi.stubGlobal('fetch', async () => {
    const brokenStream = new ReadableStream({ start: (body) => body.error(new TypeError('network error')) });
    return new Response(brokenStream, { headers: { 'content-type': 'application/json' } });
  });

  await expect(confirmSession()).rejects.toThrow('network error');

  expect(readSession()).toEqual(session);
});

test('an answer that arrives after sign-out does not restore the session', async () => {
  const session = signIn();
  serve(
    answer(sessions.validate, () => {
      clearSession();
      return session;
    }),
  );

  expect(await confirmSession()).toBe(false);

  expect(readSession()).toBeUndefined();
});

test('a session is deleted when the server refuses its check', async () => {
  signIn();
  serve(refuse(sessions.validate, 401, 'Authentication required'));

  expect(await confirmSession()).toBe(false);

  expect(readSession()).toBeUndefined();
});

test('a session check refused with too many calls does not end the session', async () => {
  const session = signIn();
  serve(refuse(sessions.validate, 429, 'Too many calls. Try again in a second.'));

  await expect(confirmSession()).rejects.toMatchObject({ status: 429 });

  expect(readSession()).toEqual(session);
});

test('a renamed user stays signed in under the new name', async () => {
  const session = signIn();
  const username = 'rosa.maier';
  const confirmed = answer(sessions.validate, () => ({ ...session, user: { ...session.user, username } }));
  const refused = refuse(sessions.validate, 401, 'Authentication required');
  const namedIn = ({ body }: SentRequest) => (body as { username?: string }).username;
  // A server that refuses a token if the request names another user.
  serve({
    ...confirmed,
    reply: (sent) => ((namedIn(sent) ?? username) === username ? confirmed : refused).reply(sent),
  });

  expect(await confirmSession()).toBe(true);

  expect(readSession()?.user.username).toBe(username);
});
