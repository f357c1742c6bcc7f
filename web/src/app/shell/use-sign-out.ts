import { sessions } from '@radwork/contract/identity/sessions';
import { useNavigate } from '@tanstack/react-router';
import { call, requestHeaders } from '#core/http/api.ts';
import { forgetSessionEnd, readSession } from '#core/state/session.ts';
import { forgetUploads } from '#core/state/uploaded-files.ts';
import { releaseReadingLocks } from '#reading/reports/locks/hold-reading-lock.ts';

/** Signs out. */
export const useSignOut = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    // Locks can only be released while the session exists.
    await releaseReadingLocks();
    const asThem = requestHeaders();
    // A refusal in another tab does not concern a user who signs out.
    forgetSessionEnd();
    // Leaves the page first; its calls would fail afterwards. It may stay because of unsaved text.
    await navigate({ to: '/login' });
    if (readSession()) return;
    // The session has ended here even if the call fails. On the server it then expires.
    await call(sessions.logout, {}, { headers: asThem, keepalive: true }).catch(() => undefined);
    forgetUploads();
  };
};
