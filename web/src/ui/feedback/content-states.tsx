import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconAlertCircle, IconFolderOff, type IconProps, IconWifiOff } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import { ApiError } from '#core/http/api.ts';
import { isRefusedForGood } from '#core/http/retry.ts';
import styles from './content-states.module.css';

const widths = ['86%', '67%', '79%', '58%', '73%'];

/** Gray lines in place of loading content. They appear after a short delay. */
export function Skeleton({ lines = 5, label = t`Loading` }: { lines?: number; label?: string }) {
  return (
    <div className={styles.skeleton} role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.bar} style={{ width: widths[line % widths.length] }} />
      ))}
    </div>
  );
}

/** Empty state: title, explanation and one action. */
export function EmptyState(props: {
  title: string;
  detail?: ReactNode;
  icon?: ComponentType<IconProps>;
  action?: ReactNode;
  /** Whether the page has no other content. The title is then the heading of the page. */
  isPage?: boolean;
}) {
  const Title = props.isPage ? 'h1' : 'p';
  const Icon = props.icon ?? IconFolderOff;
  return (
    <div className={styles.state}>
      <Icon size={26} stroke={1.4} aria-hidden />
      <Title className={styles.title}>{props.title}</Title>
      {props.detail && <p className={styles.detail}>{props.detail}</p>}
      {props.action && <div className={styles.actions}>{props.action}</div>}
    </div>
  );
}

/** Error state: the failed action, the reason from the server, and a retry button if a retry can help. */
export function ErrorState(props: {
  failed: string;
  error: unknown;
  onRetry?: () => void;
  action?: ReactNode;
  /** Whether the page has no other content. The title is then the heading of the page. */
  isPage?: boolean;
}) {
  const Title = props.isPage ? 'h1' : 'p';
  const { failed, error, onRetry } = props;
  const isSilence = error instanceof ApiError && error.status === 0;
  const Icon = isSilence ? IconWifiOff : IconAlertCircle;
  return (
    <div className={styles.state} role="alert" data-tone="danger">
      <Icon size={26} stroke={1.4} aria-hidden />
      <Title className={styles.title}>{failed}</Title>
      <ErrorDetail failed={failed} error={error} />
      {onRetry && isRefusedForGood(error) && <p className={styles.detail}>{t`Loading it again cannot help.`}</p>}
      <div className={styles.actions}>
        {onRetry && !isRefusedForGood(error) && (
          <Button variant="default" onClick={onRetry}>
            {t`Retry`}
          </Button>
        )}
        {props.action}
      </div>
    </div>
  );
}

function ErrorDetail({ failed, error }: { failed: string; error: unknown }) {
  // Shows no reason for an internal error, because its text does not help the user and may contain patient data.
  if (!(error instanceof ApiError)) return null;
  const { traceId } = error;
  return (
    <>
      {error.message !== failed && <p className={styles.detail}>{error.message}</p>}
      {traceId && (
        <p className={styles.trace}>
          <Trans>
            Trace <span className="mono">{traceId}</span>
          </Trans>
        </p>
      )}
    </>
  );
}
