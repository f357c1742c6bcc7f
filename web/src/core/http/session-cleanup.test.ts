import { sessions } from '@radwork/contract/identity/sessions';
import { expect, test } from 'vitest';
import { answer, serve, signIn } from '#test/screen.tsx';
import { clearSessionData, onSessionClear } from './session-cleanup.ts';
import { clearSession, mayHoldImages } from '#core/state/session.ts';

const away = { method: 'POST', path: /forget$/, reply: () => new Response('', { status: 503 }) } as const;

test('when a session ends, the memory is cleared, and the server is asked again until it clears the cache', async () => {
  let forgotten = 0;
  onSessionClear(() => (forgotten += 1));
  signIn();
  clearSession();

  const unheard = serve(away);
  await clearSessionData();
  expect([forgotten, unheard.length, mayHoldImages()]).toEqual([1, 1, true]);

  const requests = serve(answer(sessions.forget, () => undefined));
  await clearSessionData();
  expect([forgotten, requests[0]?.body, mayHoldImages()]).toEqual([2, { what: 'CACHE' }, false]);

  await clearSessionData();
  expect(requests).toHaveLength(1);
});
