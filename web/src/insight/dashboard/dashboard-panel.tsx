import { t } from '@lingui/core/macro';
import { Popover, ActionIcon } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { OutdatedList } from '#ui/lists/list-notice.tsx';
import { ErrorState, Skeleton } from '#ui/feedback/content-states.tsx';
import styles from './dashboard.module.css';

type Props<T> = {
  title: string;
  /** A short text next to the title. */
  beside?: ReactNode;
  /** Text that explains how the numbers are counted. */
  info?: string;
  actions?: ReactNode;
  result: UseQueryResult<T>;
  /** Number of placeholder lines while loading. Should be close to the final number of lines. */
  lines?: number;
  children: (data: T) => ReactNode;
};

/** Panel of the dashboard that loads, fails and retries on its own. */
export function DashboardPanel<T>({ title, beside, info, actions, result, lines = 5, children }: Props<T>) {
  const id = useId();
  const failed = t`Could not load “${title}”`;
  return (
    <section className={styles.panel} aria-labelledby={id} aria-busy={result.isPending}>
      <header className={styles.panelHead}>
        <h2 id={id}>{title}</h2>
        {beside && <span className={styles.beside}>{beside}</span>}
        {info && <Info about={title} text={info} />}
        {actions && <div className={styles.panelActions}>{actions}</div>}
      </header>
      <OutdatedList label={t`data`} result={result} failed={failed} />
      {result.isPending && <Skeleton lines={lines} label={t`Loading ${title}`} />}
      {result.isLoadingError && (
        <ErrorState failed={failed} error={result.error} onRetry={() => void result.refetch()} />
      )}
      {result.data !== undefined && children(result.data)}
    </section>
  );
}

function Info({ about, text }: { about: string; text: string }) {
  return (
    <Popover width={280} withArrow>
      <Popover.Target>
        <ActionIcon size={24} aria-label={t`Definition of ${about}`}>
          <IconInfoCircle size={15} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown className={styles.info}>{text}</Popover.Dropdown>
    </Popover>
  );
}
