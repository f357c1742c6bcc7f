import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ApiError, errorMessageOf } from '#core/http/api.ts';
import { formatClock } from '#ui/formats/formats.ts';
import styles from './list-notice.module.css';
import { Notice } from '#ui/feedback/notice.tsx';

/** Notice about the list that follows it. */
export function ListNotice(props: ComponentProps<typeof Notice>) {
  return (
    <div className={styles.notice}>
      <Notice {...props} />
    </div>
  );
}

type OutdatedProps = {
  /** Name of the items in the plural, in lower case: "studies". */
  label: string;
  result: UseQueryResult;
  failed: string;
};

/** Warns that the list shows older data, and gives the reason. */
export function OutdatedList({ label, result, failed }: OutdatedProps) {
  const time = formatClock(new Date(result.dataUpdatedAt));
  return (
    <Earlier result={result} why={errorMessageOf(result.error, failed)} below={t`Showing ${label} as of ${time}.`} />
  );
}

/** Like `OutdatedList` for a single item, which may have been deleted meanwhile. */
export function OutdatedItem({ result, failed }: Omit<OutdatedProps, 'label'>) {
  const isGone = result.error instanceof ApiError && result.error.status === 404;
  const why = isGone ? t`This record was deleted, or you no longer have access.` : errorMessageOf(result.error, failed);
  const time = formatClock(new Date(result.dataUpdatedAt));
  return <Earlier result={result} why={why} below={t`Showing data as of ${time}.`} />;
}

function Earlier({ result, why, below }: { result: UseQueryResult; why: string; below: string }) {
  if (!result.isRefetchError) return null;
  return (
    <ListNotice
      tone="danger"
      action={
        <Button size="compact-xs" variant="default" onClick={() => void result.refetch()}>
          {t`Retry`}
        </Button>
      }
    >
      {why.replace(/\.?$/, '.')} {below}
    </ListNotice>
  );
}
