import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { whenIdle } from '#core/browser/when-idle.ts';
import { hasRecentInput } from '#core/state/attention.ts';
import { may } from '#core/state/session.ts';
import { DeferredStudies } from '#app/reading-mode/deferred-studies.tsx';
import { fetchReadingBar } from '#app/reading-mode/reading-bar-on-demand.tsx';
import { fetchReportWorkspace } from '#app/reports/report-workspace-on-demand.tsx';
import { forgetRound, readRound } from '#app/reading-mode/reading-round.ts';
import { QueueSelect } from '#app/reading-mode/queue-select.tsx';
import { rememberQueue, replaceQueue, useReadingQueue } from '#app/reading-mode/use-reading-queue.ts';
import { useNextStudy } from '#app/reading-mode/use-next-study.ts';
import { DashboardScreen } from '#insight/dashboard/dashboard-screen.tsx';

/** Loads the code of the reading mode, so that N shows images at once. If this fails, it loads after N. */
const fetchReadingMode = () => {
  void fetchReadingBar();
  fetchReportWorkspace().catch(() => undefined);
  import('#reading/viewer/prefetch-viewer.ts')
    .then(({ fetchViewer }) => fetchViewer('standard'))
    .catch(() => undefined);
};

/**
 * Fetches the studies that N opens next. If this fails, they load after N. On an unattended page, fetches nothing: these
 * calls would keep the session open.
 */
const prefetchNext = async (client: QueryClient, ids: readonly string[]) => {
  if (!hasRecentInput()) return;
  const [{ prefetchStudies }, { prefetchPictures }] = await Promise.all([
    import('#app/reading-mode/use-prefetched-studies.ts'),
    import('#reading/viewer/prefetch-viewer.ts'),
  ]);
  await prefetchStudies(client, ids, prefetchPictures);
};

/** Screen /dashboard, from which a reader enters the reading mode. */
export function DashboardPage() {
  const queue = useReadingQueue();
  const { open, isPending } = useNextStudy(queue);
  const isReader = may(readingQueue.next);
  useEffect(() => (isReader ? whenIdle(fetchReadingMode) : undefined), [isReader]);
  const client = useQueryClient();
  const onNext = useCallback(
    (ids: readonly string[]) => whenIdle(() => void prefetchNext(client, ids).catch(() => undefined)),
    [client],
  );
  const [skipped, setSkipped] = useState(() => readRound().skipped);
  const reading = {
    queue,
    skipped,
    onOfferSkipped: () => {
      forgetRound();
      setSkipped([]);
    },
    onNext,
    onReadNext: () => open(),
    isOpening: isPending,
    onReplaced: replaceQueue,
    beside: (
      <>
        <DeferredStudies />
        <QueueSelect queue={queue} onChoose={rememberQueue} />
      </>
    ),
  };
  return <DashboardScreen reading={isReader ? reading : undefined} />;
}
