import { plural, t } from '@lingui/core/macro';
import { ActionIcon, Button } from '@mantine/core';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { mostCountedInQueue, type ReadingQueue, readingQueue } from '@radwork/contract/reading/reading-queue';
import { IconWindowMaximize } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import { pollingQuery } from '#core/http/api.ts';
import { usePollInterval } from '#core/live/live.ts';
import { KeyCaps } from '#ui/keyboard/key-caps.tsx';
import { mayLeave } from '#ui/dialogs/use-leave-warning.ts';
import { viewerPath } from '#imaging/studies/study-actions.tsx';
import { CommandTooltip } from '#ui/keyboard/command-tooltip.tsx';
import { useCommands, useKeysOf } from '#ui/keyboard/commands.ts';
import { useReadingLock } from '#reading/reports/locks/use-reading-lock.ts';
import { useImagesWindow } from '#app/viewers/use-images-window.ts';
import { loadOnDemand } from '#ui/feedback/on-demand.tsx';
import { DeferredStudies } from './deferred-studies.tsx';
import { DeferDialog } from './defer-dialog.tsx';
import styles from './reading-bar.module.css';
import { QueueSelect } from './queue-select.tsx';
import { readingCommands } from './reading-commands.ts';
import { noteOpened, openedBefore, readRound } from './reading-round.ts';
import { useNextStudy } from './use-next-study.ts';
import { rememberQueue, replaceQueue } from './use-reading-queue.ts';
import { type PrefetchImages, usePrefetchedStudies } from './use-prefetched-studies.ts';

const StudyDrawer = loadOnDemand(async () => (await import('./study-drawer.tsx')).StudyDrawer);

type Props = { study: StudyDetails; queue: ReadingQueue; prefetchImages: PrefetchImages };

/** Bar of the reading mode: the queue with its waiting studies, and the ways to the next study. */
export function ReadingBar({ study, queue, prefetchImages }: Props) {
  const navigate = useNavigate();
  const next = useNextStudy(queue);
  const [isDeferring, setDeferring] = useState(false);
  const [isShowingStudy, setShowingStudy] = useState(false);
  const [countAtOpening] = useState(study.instanceCount);
  const before = openedBefore(study.id);
  useEffect(() => noteOpened(study.id), [study.id]);
  const isRead = study.status === 'COMPLETED';
  const lock = useReadingLock(study.id, false, { isReading: true, isNeeded: !isRead });
  const ahead = useQuery({
    ...pollingQuery(readingQueue.ahead, { body: { queue, current: study.id, skipped: readRound().skipped } }),
    refetchInterval: usePollInterval(30_000),
  });
  usePrefetchedStudies(ahead.data?.studies, prefetchImages);
  const leave = () => void navigate({ to: '/dashboard' });
  const goOn = async () => {
    // Asks before the claim changes, because the reader may stay.
    if (!(await mayLeave())) return;
    next.open(study.id, { isSkipped: !isRead });
  };
  const defer = async () => {
    if (await mayLeave()) setDeferring(true);
  };
  const back = () => {
    if (before) void navigate({ to: '/viewer/{-$id}', params: { id: before }, search: { queue } });
  };
  const choose = (chosen: ReadingQueue) => {
    rememberQueue(chosen);
    void navigate({ to: '/viewer/{-$id}', params: { id: study.id }, search: { queue: chosen }, replace: true });
  };
  const judged = ahead.data?.queue ?? queue;
  const whenReplaced = useEffectEvent(() => {
    replaceQueue(judged);
    void navigate({ to: '/viewer/{-$id}', params: { id: study.id }, search: { queue: judged }, replace: true });
  });
  const isReplaced = judged !== queue;
  useEffect(() => {
    if (isReplaced) whenReplaced();
  }, [isReplaced]);
  const openImages = useImagesWindow({
    to: viewerPath(study),
    id: study.id,
    onOpen: (opened) =>
      void navigate({ to: '/viewer/{-$id}', params: { id: opened }, search: { queue }, ignoreBlocker: true }),
  });
  const keysFor = useKeysOf();
  useCommands([
    { command: readingCommands.next, run: () => void goOn() },
    { command: readingCommands.previous, run: before ? back : undefined },
    { command: readingCommands.defer, run: () => void defer() },
    { command: readingCommands.study, run: () => setShowingStudy(true) },
    { command: readingCommands.secondWindow, run: openImages },
    { command: readingCommands.stop, run: leave },
  ]);
  return (
    <section className={styles.bar} aria-label={t`Reading`}>
      <QueueSelect queue={queue} onChoose={choose} />
      <p className={styles.waiting} role="status">
        {ahead.data && <WaitingText waiting={ahead.data.waiting} skipped={readRound().skipped.length} />}
        <ArrivedText count={study.instanceCount - countAtOpening} />
        {lock === 'refused' && !isRead && <span className={styles.refused}>{t`Not reserved for you`}</span>}
        {lock === 'uncertain' && (
          <span className={styles.refused}>{t`The server is not responding. Another user may open this study.`}</span>
        )}
      </p>
      <DeferredStudies />
      <div className={styles.actions}>
        <CommandTooltip command={readingCommands.secondWindow}>
          <ActionIcon size={22} aria-label={t`Images in a second window`} onClick={openImages}>
            <IconWindowMaximize size={15} stroke={1.6} />
          </ActionIcon>
        </CommandTooltip>
        <CommandTooltip command={readingCommands.study}>
          <Button size="compact-xs" variant="subtle" onClick={() => setShowingStudy(true)}>
            {t`Study`}
          </Button>
        </CommandTooltip>
        <CommandTooltip command={readingCommands.previous}>
          <Button size="compact-xs" variant="subtle" disabled={!before} onClick={back}>
            {t`Previous`}
          </Button>
        </CommandTooltip>
        <CommandTooltip command={readingCommands.defer}>
          <Button size="compact-xs" variant="default" onClick={() => void defer()}>
            {t`Defer`}
          </Button>
        </CommandTooltip>
        <Button
          size="compact-xs"
          variant="default"
          loading={next.isPending}
          rightSection={<KeyCaps keys={keysFor(readingCommands.next)} />}
          onClick={() => void goOn()}
        >
          {isRead ? t`Next study` : t`Skip`}
        </Button>
        <CommandTooltip command={readingCommands.stop}>
          <Button size="compact-xs" variant="subtle" onClick={leave}>
            {t`Stop reading`}
          </Button>
        </CommandTooltip>
      </div>
      {isShowingStudy && <StudyDrawer study={study} onClose={() => setShowingStudy(false)} />}
      <DeferDialog
        study={study}
        opened={isDeferring}
        onClose={() => setDeferring(false)}
        onDeferred={() => next.open(study.id)}
      />
    </section>
  );
}

type Waiting = { waiting: number; skipped: number };

function WaitingText({ waiting, skipped }: Waiting) {
  const count = waiting >= mostCountedInQueue ? t`1,000+ waiting` : t`${waiting} waiting`;
  return skipped > 0 ? `${count} · ${t`${skipped} skipped`}` : count;
}

/** Says that images arrived while the reader reads. They are counted again at signing. */
function ArrivedText({ count }: { count: number }) {
  if (count <= 0) return null;
  return (
    <span className={styles.refused}>
      {t`${plural(count, { one: '# new image', other: '# new images' })} since you opened this study`}
    </span>
  );
}
