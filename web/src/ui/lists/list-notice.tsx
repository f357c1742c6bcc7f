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
  shown: UseQueryResult;
  failed: string;
};

/** Warns that the list shows older data, and gives the reason. */
export function OutdatedList({ label, shown, failed }: OutdatedProps) {
  const time = formatClock(new Date(shown.dataUpdatedAt));
  return <Earlier shown={shown} why={errorMessageOf(shown.error, failed)} below={t`Showing ${label} as of ${time}.`} />;
}

/** Like `OutdatedList` for a single item, which may have been deleted meanwhile. */
export function OutdatedItem({ shown, failed }: Omit<OutdatedProps, 'label'>) {
  const isGone = shown.error instanceof ApiError && shown.error.status === 404;
  const why = isGone ? t`This record was deleted, or you no longer have access.` : errorMessageOf(shown.error, failed);
  const time = formatClock(new Date(shown.dataUpdatedAt));
  return <Earlier shown={shown} why={why} below={t`Showing data as of ${time}.`} />;
}

function Earlier({ shown, why, below }: { shown: UseQueryResult; why: string; below: string }) {
  if (!shown.isRefetchError) return null;
  return (
    <ListNotice
      tone="danger"
      action={
        <Button size="compact-xs" variant="default" onClick={() => void shown.refetch()}>
          {t`Retry`}
        </Button>
      }
    >
      {why.replace(/\.?$/, '.')} {below}
    </ListNotice>
  );
}
