import { sessions } from '@radwork/contract/identity/sessions';
import { call } from './api.ts';
import { forgetImagesLeft, mayHoldImages } from '#core/state/session.ts';

const forgetting = new Set<() => void>();

/**
 * Registers a function to call after a session has ended and its pages are gone. It is for data that is held in memory
 * outside pages.
 */
export const onSessionClear = (forget: () => void): void => void forgetting.add(forget);

/**
 * Deletes the data of an ended session from this browser (ASVS 5.0 14.3.1). Clears the memory, and asks the server to
 * clear the browser cache. Only a response of the server can clear the cache, so the request is repeated until a
 * response arrives.
 */
export const clearSessionData = async (): Promise<void> => {
  for (const forget of forgetting) forget();
  if (!mayHoldImages()) return;
  try {
    await call(sessions.forget, { body: { what: 'CACHE' } }, { isAnonymous: true });
    forgetImagesLeft();
  } catch {
    // Keeps the note about cached images, so that a later call tries again.
  }
};
