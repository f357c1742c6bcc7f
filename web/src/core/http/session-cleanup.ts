import { sessions } from '@radwork/contract/identity/sessions';
import { call } from './api.ts';
import { forgetImagesLeft, mayHoldImages } from '#core/state/session.ts';

const forgetting = new Set<() => void>();

/** Calls `forget` after a session ended and its pages are gone. For data held in memory outside pages. */
export const onSessionClear = (forget: () => void): void => void forgetting.add(forget);

/**
 * Deletes what an ended session left in this browser (ASVS 5.0 14.3.1). It clears memory, and asks the server to clear
 * the browser cache. Only an answer of the server can clear the cache, so it retries until one comes.
 */
export const clearSessionData = async (): Promise<void> => {
  for (const forget of forgetting) forget();
  if (!mayHoldImages()) return;
  try {
    await call(sessions.forget, { body: { what: 'CACHE' } }, { isAnonymous: true });
    forgetImagesLeft();
  } catch {
    // The note about cached images stays, so the next call tries again.
  }
};
