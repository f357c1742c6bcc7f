import { sessions } from '@radwork/contract/identity/sessions';
import { ApiError, call, backgroundHeaders } from './api.ts';
import { clearSession, saveSession, readSession } from '#core/state/session.ts';

/** Token that the server has confirmed since the page loaded. */
let confirmed: string | undefined;

/**
 * Asks the server once per page load whether the session is still valid. Sends only the token, because the user may
 * have been renamed. The response replaces the stored permissions; a refusal ends the session. Throws when the server
 * does not respond, so that the page can offer a retry.
 */
export const confirmSession = async (): Promise<boolean> => {
  const session = readSession();
  if (!session) return false;
  if (session.token === confirmed) return true;
  const { token } = session;
  try {
    const now = await call(sessions.validate, { body: { token } });
    // Another tab has signed in or out meanwhile, so this response is outdated.
    if (readSession()?.token !== token) return await confirmSession();
    saveSession(now);
  } catch (error) {
    // Only a refusal by the server ends the session. Other errors do not, such as a response cut off while the page
    // unloads.
    if (!(error instanceof ApiError) || isAway(error.status)) throw error;
    clearSession(error.error);
    return false;
  }
  confirmed = token;
  return true;
};

/** Updates the stored data of the user after a change of the user's own account. */
export const renewSession = async (more: { headers?: Record<string, string> } = {}): Promise<void> => {
  const session = readSession();
  if (!session) return;
  const { token } = session;
  const now = await call(sessions.validate, { body: { token } }, more);
  // Another sign-in or sign-out has happened meanwhile, so this response is outdated.
  if (readSession()?.token === token) saveSession(now);
};

/** Updates the permissions after a change by another user. They apply at once, including in the menu. */
export const followRights = (): void => {
  // Ignores errors. A refusal has already ended the session. Without a response, the next reconnect asks again.
  renewSession({ headers: backgroundHeaders }).catch(() => {});
};

/**
 * Whether the status says nothing about the session: there was no response, or it came from a gateway, or from a server
 * that is restarting or busy.
 */
const isAway = (status: number) => status === 0 || status === 429 || (status >= 502 && status <= 504);
