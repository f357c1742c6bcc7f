import { sessions } from '@radwork/contract/sessions';
import { useNavigate } from '@tanstack/react-router';
import { call, requestHeaders } from '#core/api.ts';
import { forgetSessionEnd, readSession } from '#core/session.ts';
import { forgetUploads } from '#core/upload-notes.ts';
import { releaseReadingLocks } from '#features/reports/hold-reading-lock.ts';

/** How somebody leaves. */
export const useSignOut = (): (() => Promise<void>) => {
  const navigate = useNavigate();
  return async () => {
    // While there is still somebody whose locks they are.
    await releaseReadingLocks();
    const asThem = requestHeaders();
    // What another tab was refused meanwhile is no news to whoever signs out.
    forgetSessionEnd();
    // First the page goes, which would still ask for what is refused by then. It may stay for what is not saved.
    await navigate({ to: '/login' });
    if (readSession()) return;
    // Here the session has ended, whether or not the server hears of it; there it ends by itself when nobody uses it.
    await call(sessions.logout, {}, { headers: asThem, keepalive: true }).catch(() => undefined);
    forgetUploads();
  };
};
