import { sessions } from '@radwork/contract/identity/sessions';
import { ApiError, call, backgroundHeaders } from './api.ts';
import { clearSession, saveSession, readSession } from '#core/state/session.ts';

/** Token that the server has confirmed since this page was loaded. */
let confirmed: string | undefined;

/**
 * Asks the server once per page load if the session is still valid. Sends the token alone, because the user may have
 * been renamed. The answer replaces the stored rights; a refusal deletes the session. Throws when the server does not
 * answer, and the page offers a retry.
 */
export const confirmSession = async (): Promise<boolean> => {
  const session = readSession();
  if (!session) return false;
  if (session.token === confirmed) return true;
  const { token } = session;
  try {
    const now = await call(sessions.validate, { body: { token } });
    // Another tab signed in or out meanwhile, so this answer is outdated.
    if (readSession()?.token !== token) return await confirmSession();
    saveSession(now);
  } catch (error) {
    // An answer that breaks off while the page unloads is no refusal.
    if (!(error instanceof ApiError) || isAway(error.status)) throw error;
    clearSession(error.error);
    return false;
  }
  confirmed = token;
  return true;
};

/** Stores what the server reports about the user after a change of the own account. */
export const renewSession = async (more: { headers?: Record<string, string> } = {}): Promise<void> => {
  const session = readSession();
  if (!session) return;
  const { token } = session;
  const now = await call(sessions.validate, { body: { token } }, more);
  // Another sign-in or sign-out happened meanwhile, so this answer is outdated.
  if (readSession()?.token === token) saveSession(now);
};

/** Updates the rights after a change elsewhere. They apply at once, also in the menu. */
export const followRights = (): void => {
  // A refusal has already ended the session. Without an answer, the next gap asks again.
  renewSession({ headers: backgroundHeaders }).catch(() => {});
};

/** Detects no answer, or the answer of a gateway, a restarting server or a busy server. */
const isAway = (status: number) => status === 0 || status === 429 || (status >= 502 && status <= 504);
