import { t } from '@lingui/core/macro';
import { CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import styles from './notice.module.css';

type Props = { tone: 'info' | 'warning' | 'danger'; children: ReactNode; action?: ReactNode; onClose?: () => void };

/** Permanent message: an error, or a fact that the user needs. Unlike a toast, it stays. */
export function Notice({ tone, children, action, onClose }: Props) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle;
  return (
    <div className={styles.notice} data-tone={tone} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon size={16} stroke={1.7} aria-hidden />
      <div className={styles.words}>{children}</div>
      {action}
      {onClose && <CloseButton size={24} aria-label={t`Dismiss`} onClick={onClose} />}
    </div>
  );
}
