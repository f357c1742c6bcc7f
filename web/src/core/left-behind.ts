import { sessions } from '@radwork/contract/sessions';
import { call } from './api.ts';
import { forgetImagesLeft, mayHoldImages } from './session.ts';

const forgetting = new Set<() => void>();

/** Calls back when whoever was signed in has left and their pages are gone, for what is kept in memory outside of pages. */
export const onLeft = (forget: () => void): void => void forgetting.add(forget);

/**
 * Has this browser keep nothing of a session that is over (ASVS 5.0 14.3.1): what this page holds in memory, and what the
 * browser's own cache holds, which only an answer of the server can empty. It is tried again until there is one, so that
 * whoever leaves while the server is away leaves nothing behind either.
 */
export const forgetSessionLeft = async (): Promise<void> => {
  for (const forget of forgetting) forget();
  if (!mayHoldImages()) return;
  try {
    await call(sessions.forget, { body: { what: 'CACHE' } }, { isAnonymous: true });
    forgetImagesLeft();
  } catch {
    // It stays noted that there may be some.
  }
};
