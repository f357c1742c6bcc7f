import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { wordsFor } from '#core/api.ts';
import { formatClock } from './formats.ts';
import styles from './list-notice.module.css';
import { Notice } from './notice.tsx';

/** What one must know of the list that stands below. */
export function ListNotice(props: ComponentProps<typeof Notice>) {
  return (
    <div className={styles.notice}>
      <Notice {...props} />
    </div>
  );
}

type OutdatedProps = {
  /** What the list holds, in the plural and lower case: "studies". */
  label: string;
  shown: UseQueryResult;
  failed: string;
};

/** Says when the list is still that of an earlier answer, and why. */
export function Outdated({ label, shown, failed }: OutdatedProps) {
  if (!shown.isRefetchError) return null;
  const why = wordsFor(shown.error, failed).replace(/\.$/, '');
  return (
    <ListNotice
      tone="danger"
      action={
        <Button size="compact-xs" variant="default" onClick={() => void shown.refetch()}>
          Retry
        </Button>
      }
    >
      {why}. These are the {label} as of {formatClock(new Date(shown.dataUpdatedAt))}.
    </ListNotice>
  );
}
