import { sessions } from '@radwork/contract/sessions';
import { ApiError, call, unasked } from './api.ts';
import { clearSession, keepSession, readSession } from './session.ts';

/** The token that the server has confirmed since this page was loaded. */
let confirmed: string | undefined;

/**
 * Whether the stored session still holds. The server is asked once per page load, by the token alone: its owner may have
 * been given another name. What it answers about rights replaces what was stored. A refusal forgets the session. A server that does not answer proves nothing about it:
 * then this throws, and the page offers to try again.
 */
export const confirmSession = async (): Promise<boolean> => {
  const session = readSession();
  if (!session) return false;
  if (session.token === confirmed) return true;
  const { token } = session;
  try {
    const now = await call(sessions.validate, { body: { token } });
    // Somebody may have signed in or out in another tab meanwhile: then this is about nobody any more.
    if (readSession()?.token !== token) return await confirmSession();
    keepSession(now);
  } catch (error) {
    // An answer that breaks off, because the page is being left, is no refusal either.
    if (!(error instanceof ApiError) || isAway(error.status)) throw error;
    clearSession(error.error);
    return false;
  }
  confirmed = token;
  return true;
};

/** Takes over what the server says of the person signed in, after they have changed something of themselves. */
export const renewSession = async (more: { headers?: Record<string, string> } = {}): Promise<void> => {
  const session = readSession();
  if (!session) return;
  const { token } = session;
  const now = await call(sessions.validate, { body: { token } }, more);
  // Somebody may have signed in or out meanwhile: then this is about nobody any more.
  if (readSession()?.token === token) keepSession(now);
};

/** The same because something may have changed elsewhere: what somebody may do counts at once, in the menu, too. */
export const followRights = (): void => {
  // Refused, it has ended, and the call has said so; without an answer the next gap asks again.
  renewSession({ headers: unasked }).catch(() => {});
};

/** No answer, or one that a gateway, a restarting server or one that is asked too often gives. */
const isAway = (status: number) => status === 0 || status === 429 || (status >= 502 && status <= 504);
