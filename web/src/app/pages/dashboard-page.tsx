import { readingQueue } from '@radwork/contract/reading/reading-queue';
import { may } from '#core/state/session.ts';
import { DeferredStudies } from '#app/reading-mode/deferred-studies.tsx';
import { useNextStudy } from '#app/reading-mode/use-next-study.ts';
import { DashboardScreen } from '#insight/dashboard/dashboard-screen.tsx';

/** Screen /dashboard, from which a reader enters the reading mode. */
export function DashboardPage() {
  const { open, isPending } = useNextStudy('MINE_THEN_UNASSIGNED');
  const reading = { onReadNext: () => open(), isOpening: isPending, beside: <DeferredStudies /> };
  return <DashboardScreen reading={may(readingQueue.next) ? reading : undefined} />;
}
