import { sessions } from '@radwork/contract/identity/sessions';
import { useNavigate } from '@tanstack/react-router';
import { call, requestHeaders } from '#core/http/api.ts';
import { forgetSessionEnd, readSession } from '#core/state/session.ts';
import { forgetUploads } from '#core/state/uploaded-files.ts';
import { releaseReadingLocks } from '#reading/reports/locks/hold-reading-lock.ts';

export const useSignOut = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    // Releases the locks first, because the release requires the session.
    await releaseReadingLocks();
    const asThem = requestHeaders();
    // Drops the reason of an earlier session end. It does not concern a user who signs out.
    forgetSessionEnd();
    // Leaves the page first, because the calls of the page would fail after the sign-out. Unsaved text may stop the
    // navigation.
    await navigate({ to: '/login' });
    if (readSession()) return;
    // In this browser, the session ends even if the call fails. The session on the server then ends only by its
    // time-out.
    await call(sessions.logout, {}, { headers: asThem, keepalive: true }).catch(() => undefined);
    forgetUploads();
  };
};
