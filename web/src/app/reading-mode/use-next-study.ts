import { t } from '@lingui/core/macro';
import { type ReadingQueue, readingQueue } from '@radwork/contract/reading/reading-queue';
import { useNavigate } from '@tanstack/react-router';
import { useAction } from '#core/http/api.ts';
import { toast } from '#core/browser/toasts.ts';
import { forgetRound, noteOpened, noteSkipped, readRound } from './reading-round.ts';
import { replaceQueue } from './use-reading-queue.ts';

/**
 * Opens the next study of a queue in reading mode, and releases the study that the reader leaves. At the end of the
 * queue, returns to the dashboard.
 */
export const useNextStudy = (queue: ReadingQueue) => {
  const navigate = useNavigate();
  const claim = useAction(readingQueue.next, { failed: t`Error opening next study` });
  const open = async (leave?: string, isSkipped = false) => {
    const { skipped: passed } = readRound();
    const body = { queue, skipped: isSkipped && leave !== undefined ? [...passed, leave] : passed, leave };
    const { queue: judged, study, deferred } = await claim.mutateAsync({ body });
    if (judged !== queue) replaceQueue(judged);
    if (isSkipped && leave !== undefined) noteSkipped(leave);
    if (study) {
      noteOpened(study.id);
      // The reader was asked about unsaved text before the claim.
      await navigate({
        to: '/viewer/{-$id}',
        params: { id: study.id },
        search: { queue: judged },
        ignoreBlocker: true,
      });
      return;
    }
    forgetRound();
    toast.success(endOfQueue(body.skipped.length, deferred));
    await navigate({ to: '/dashboard', ignoreBlocker: true });
  };
  return {
    isPending: claim.isPending,
    open: (leave?: string, { isSkipped = false } = {}) => {
      // The action shows its error. A second press while the first runs would claim two studies.
      if (!claim.isPending) open(leave, isSkipped).catch(() => undefined);
    },
  };
};

const endOfQueue = (skipped: number, deferred: number): string => {
  if (skipped > 0) return t`No more studies in this queue. Skipped studies are offered again next time.`;
  return deferred > 0
    ? t`No more studies in this queue. Deferred studies return later.`
    : t`No more studies in this queue.`;
};
