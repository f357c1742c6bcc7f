import { sessions } from '@radwork/contract/sessions';
import { expect, test } from 'vitest';
import { answer, serve, signIn } from '#test/screen.tsx';
import { forgetSessionLeft, onLeft } from './left-behind.ts';
import { clearSession, mayHoldImages } from './session.ts';

const away = { method: 'POST', path: /forget$/, reply: () => new Response('', { status: 503 }) } as const;

test('the end of a session clears memory and asks the server to clear the cache until it answers', async () => {
  let forgotten = 0;
  onLeft(() => (forgotten += 1));
  signIn();
  clearSession();

  const unheard = serve(away);
  await forgetSessionLeft();
  expect([forgotten, unheard.length, mayHoldImages()]).toEqual([1, 1, true]);

  const heard = serve(answer(sessions.forget, () => undefined));
  await forgetSessionLeft();
  expect([forgotten, heard[0]?.body, mayHoldImages()]).toEqual([2, { what: 'CACHE' }, false]);

  await forgetSessionLeft();
  expect(heard).toHaveLength(1);
});
