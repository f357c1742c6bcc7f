import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ApiError } from '#core/api.ts';
import { Notice } from '#ui/notice.tsx';

/** Shows why signing in failed. After too many attempts, also when to try again. */
export function LoginFailure({ error }: { error: unknown }) {
  const message = error instanceof ApiError ? error.message : t`Signing in failed`;
  const wait = error instanceof ApiError ? error.retryAfterSeconds : undefined;
  return (
    <Notice tone="danger">
      {message}
      {wait !== undefined && (
        <p className="muted">
          <Trans>You can try again at {formatTimeIn(wait)}.</Trans>
        </p>
      )}
    </Notice>
  );
}

const formatTimeIn = (seconds: number): string =>
  new Date(Date.now() + seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
