import { plural, t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { studies } from '@radwork/contract/imaging/studies';
import { type ReadingQueue, readingQueue } from '@radwork/contract/reading/reading-queue';
import { IconChecks } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { pollingQuery } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { useShortcuts } from '#ui/keyboard/shortcuts.ts';
import { EmptyState } from '#ui/feedback/content-states.tsx';
import { DashboardPanel } from './dashboard-panel.tsx';
import { StudyLines } from './study-lines.tsx';

const shownAtOnce = 6;
/** Number of studies that are prefetched. */
const fetchedAhead = 2;

/** Ways into the reading mode, and its queue. The application supplies them. */
export type ReadingStart = {
  queue: ReadingQueue;
  /** IDs of studies that the reader has skipped in this round. */
  skipped: string[];
  onOfferSkipped: () => void;
  /** Called when the server offers another queue, because the chosen one no longer exists. */
  onReplaced: (queue: ReadingQueue) => void;
  /** Called with the IDs of the first studies, so that they can be prefetched. Returns a function that cancels this. */
  onNext: (studyIds: readonly string[]) => () => void;
  onReadNext: () => void;
  isOpening: boolean;
  /** Rendered beside the button. */
  beside: ReactNode;
};

/**
 * Lists the studies to read next: the first of the queue of the reading mode, in its order. A shortcut opens the first
 * one in reading mode. The server leaves out studies that the user has deferred, and those that another user reads.
 */
export function ReadNext({
  queue,
  skipped,
  onOfferSkipped,
  onReplaced,
  onNext,
  onReadNext,
  isOpening,
  beside,
}: ReadingStart) {
  const result = useQuery({
    ...pollingQuery(readingQueue.list, { body: { queue, skipped, size: shownAtOnce } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(60_000),
  });
  const judged = result.isPlaceholderData ? queue : (result.data?.queue ?? queue);
  useEffect(() => {
    if (judged !== queue) onReplaced(judged);
  }, [judged, queue, onReplaced]);
  const [next] = result.data?.studies ?? [];
  const first = (result.data?.studies ?? []).slice(0, fetchedAhead);
  const firstIds = first.map(({ id }) => id).join(' ');
  useEffect(() => (firstIds === '' ? undefined : onNext(firstIds.split(' '))), [firstIds, onNext]);
  useShortcuts(
    t`Dashboard`,
    next ? [{ keys: 'n', does: t`Read next study`, hint: t`read next`, run: onReadNext }] : [],
  );
  return (
    <DashboardPanel
      title={t`Read next`}
      result={result}
      lines={shownAtOnce}
      actions={
        <>
          {beside}
          {next && (
            <Button size="compact-sm" loading={isOpening} rightSection={<KeyCaps keys="n" />} onClick={onReadNext}>
              {t`Read next`}
            </Button>
          )}
        </>
      }
    >
      {({ studies: queued }) =>
        queued.length > 0 ? (
          <StudyLines label={t`Studies to read next`} studies={queued} at={result.dataUpdatedAt} />
        ) : (
          <NoneToRead skipped={skipped.length} onOfferSkipped={onOfferSkipped} />
        )
      }
    </DashboardPanel>
  );
}

type NoneProps = { skipped: number; onOfferSkipped: () => void };

/** Shown when no study of the queue waits, except perhaps those that the reader has skipped. */
function NoneToRead({ skipped, onOfferSkipped }: NoneProps) {
  if (skipped === 0) {
    return <EmptyState icon={IconChecks} title={t`No studies in this queue`} detail={t`New studies appear here.`} />;
  }
  return (
    <EmptyState
      icon={IconChecks}
      title={t`No more studies to read`}
      detail={t`${plural(skipped, { one: '# study was skipped.', other: '# studies were skipped.' })}`}
      action={
        <Button variant="default" onClick={onOfferSkipped}>
          {t`Offer skipped studies again`}
        </Button>
      }
    />
  );
}

/** Lists the studies waiting to be read, for users who do not report. */
export function Pending() {
  const result = useQuery({
    ...pollingQuery(studies.pending, { query: { size: shownAtOnce } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(60_000),
  });
  return (
    <DashboardPanel
      title={t`Pending`}
      beside={t`most urgent first`}
      result={result}
      lines={shownAtOnce}
      actions={
        <Link to="/studies" search={{ view: 'PENDING', sort: 'priority,desc' }}>
          {t`All pending`}
        </Link>
      }
    >
      {({ content }) =>
        content.length > 0 ? (
          <StudyLines label={t`Pending studies`} studies={content} at={result.dataUpdatedAt} />
        ) : (
          <EmptyState icon={IconChecks} title={t`No pending studies`} detail={t`New studies appear here.`} />
        )
      }
    </DashboardPanel>
  );
}

/** Lists the studies that arrived last. */
export function Recent() {
  const result = useQuery({
    ...pollingQuery(studies.recent, { query: { size: 5 } }),
    placeholderData: keepPreviousData,
    refetchInterval: usePollInterval(60_000),
  });
  return (
    <DashboardPanel
      title={t`Recent studies`}
      result={result}
      lines={5}
      actions={
        <Link to="/studies" search={{ sort: 'createdDate,desc' }}>
          {t`All studies`}
        </Link>
      }
    >
      {(content) => <StudyLines label={t`Recent studies`} studies={content} at={result.dataUpdatedAt} />}
    </DashboardPanel>
  );
}
