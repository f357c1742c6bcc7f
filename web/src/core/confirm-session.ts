import { sessions } from '@radwork/contract/sessions';
import { ApiError, call } from './api.ts';
import { clearSession, keepSession, readSession } from './session.ts';

/** The token that the server has confirmed since this page was loaded. */
let confirmed: string | undefined;

/**
 * Whether the stored session still holds. The server is asked once per page load, and what it answers about rights
 * replaces what was stored. A refusal forgets the session. A server that does not answer proves nothing about it:
 * then this throws, and the page offers to try again.
 */
export const confirmSession = async (): Promise<boolean> => {
  const session = readSession();
  if (!session) return false;
  if (session.token === confirmed) return true;
  try {
    const { token, user } = session;
    keepSession(await call(sessions.validate, { body: { token, username: user.username } }));
  } catch (error) {
    // An answer that breaks off, because the page is being left, is no refusal either.
    if (!(error instanceof ApiError) || isAway(error.status)) throw error;
    clearSession();
    return false;
  }
  confirmed = session.token;
  return true;
};

/** No answer, or one that a gateway or a restarting server gives. */
const isAway = (status: number) => status === 0 || (status >= 502 && status <= 504);
