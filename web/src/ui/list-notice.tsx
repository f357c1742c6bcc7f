import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { ApiError, wordsFor } from '#core/api.ts';
import { formatClock } from './formats.ts';
import styles from './list-notice.module.css';
import { Notice } from './notice.tsx';

/** Notice about the list below. */
export function ListNotice(props: ComponentProps<typeof Notice>) {
  return (
    <div className={styles.notice}>
      <Notice {...props} />
    </div>
  );
}

type OutdatedProps = {
  /** Items of the list, in the plural and lower case: "studies". */
  label: string;
  shown: UseQueryResult;
  failed: string;
};

/** Warns that the list shows an earlier answer, and gives the reason. */
export function Outdated({ label, shown, failed }: OutdatedProps) {
  return <Earlier shown={shown} why={wordsFor(shown.error, failed)} below={`These are the ${label}`} />;
}

/** Same as `Outdated` for a single item, such as "study", which may be deleted meanwhile. */
export function OutdatedOne({ label, shown, failed }: OutdatedProps) {
  const isGone = shown.error instanceof ApiError && shown.error.status === 404;
  const why = isGone
    ? `This ${label} was deleted, or it is not one that you may see any more`
    : wordsFor(shown.error, failed);
  return <Earlier shown={shown} why={why} below="What stands here is" />;
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
      <Trans>
        {why.replace(/\.$/, '')}. {below} as of {formatClock(new Date(shown.dataUpdatedAt))}.
      </Trans>
    </ListNotice>
  );
}
