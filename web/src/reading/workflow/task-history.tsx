import { t } from '@lingui/core/macro';
import { ActionIcon, Anchor, Button, Tooltip } from '@mantine/core';
import type { TaskEntry } from '@radwork/contract/reading/workflow';
import { IconFileDownload } from '@tabler/icons-react';
import { errorMessageOf } from '#core/http/api.ts';
import { formatEventTime } from '#ui/formats/formats.ts';
import { Notice } from '#ui/feedback/notice.tsx';
import { Skeleton } from '#ui/feedback/content-states.tsx';
import { eventTones, eventValueLabel } from './event-labels.ts';
import styles from './task-history.module.css';
import { useHistoryExport } from './use-history-export.ts';
import { useTaskHistory } from './use-task-history.ts';

/** Task history of a study, newest first. */
export function TaskHistory({ studyId }: { studyId: string }) {
  const history = useTaskHistory(studyId);
  return (
    <section className={styles.history} aria-labelledby={`history-of-${studyId}`}>
      <div className={styles.head}>
        <h2 id={`history-of-${studyId}`}>
          {t`Task History`} {history.data && <span className={styles.count}>{history.data.total}</span>}
        </h2>
        <ExportButton studyId={studyId} isEmpty={!history.data?.entries.length} />
      </div>
      {history.isPending && <Skeleton lines={4} label={t`Loading history`} />}
      {history.error && <HistoryError error={history.error} onRetry={() => void history.refetch()} />}
      {history.data?.entries.length === 0 && <p className="muted">{t`No history available`}</p>}
      <ol className={styles.timeline} tabIndex={0} aria-label={t`Events`}>
        {history.data?.entries.map((entry) => (
          <Event key={entry.id} entry={entry} />
        ))}
      </ol>
      {history.hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          loading={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t`Load more`}
        </Button>
      )}
    </section>
  );
}

function HistoryError({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const reason = errorMessageOf(error, t`Error fetching task history`);
  return (
    <Notice
      tone="danger"
      action={
        <Anchor component="button" type="button" size="sm" onClick={onRetry}>
          {t`Retry`}
        </Anchor>
      }
    >
      {t`History error: ${reason}`}
    </Notice>
  );
}

function Event({ entry }: { entry: TaskEntry }) {
  const { type, typeDescription, timestamp, details, user } = entry;
  return (
    <li className={styles.event} data-tone={eventTones[type]}>
      <p className={styles.title}>
        <span className={styles.kind}>{typeDescription}</span> {eventValueLabel(entry)}
      </p>
      {details && <p className={styles.details}>{details}</p>}
      <p className={styles.when}>
        <time dateTime={timestamp}>{formatEventTime(timestamp)}</time> · {user.username}
      </p>
    </li>
  );
}

function ExportButton({ studyId, isEmpty }: { studyId: string; isEmpty: boolean }) {
  const exported = useHistoryExport(studyId);
  return (
    <>
      <Tooltip label={t`Export history as CSV`}>
        <ActionIcon
          aria-label={t`Export history as CSV`}
          loading={exported.isPending}
          disabled={isEmpty}
          onClick={() => exported.mutate()}
        >
          <IconFileDownload size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
      {exported.error && (
        <Notice tone="danger" onClose={exported.reset}>
          {errorMessageOf(exported.error, t`Error exporting assignment history`)}
        </Notice>
      )}
    </>
  );
}
