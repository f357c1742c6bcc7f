import { locale } from '#core/language.ts';
import { t } from '@lingui/core/macro';
import { ApiError } from '#core/http/api.ts';
import { Notice } from '#ui/feedback/notice.tsx';

/** Shows why signing in failed. After too many attempts, also shows when to try again. */
export function LoginFailure({ error }: { error: unknown }) {
  const message = error instanceof ApiError ? error.message : t`Failed to sign in`;
  const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  const time = formatTimeIn(wait ?? 0);
  return (
    <Notice tone="danger">
      {message}
      {wait !== undefined && <p className="muted">{t`Try again at ${time}.`}</p>}
    </Notice>
  );
}

const formatTimeIn = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toLocaleTimeString(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
