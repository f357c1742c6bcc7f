import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { whenIdle } from '#core/browser/when-idle.ts';
import { answerQuestion, question } from '#ui/dialogs/confirm.tsx';
import { LoadFailureDialog } from '#ui/feedback/load-failure.tsx';

const loadOverlays = async (): Promise<ComponentType> => (await import('./overlays.tsx')).Overlays;

/**
 * Confirmation dialog and toasts. Their code loads when the page is idle, or with the first question or toast. The first
 * screen need not wait for it. Until then, their stores hold questions and toasts. After a failure, the code loads with
 * the next question or toast, or when the connection returns.
 */
export function OverlaysOnDemand({ load = loadOverlays }: { load?: typeof loadOverlays }) {
  const [Overlays, setOverlays] = useState<ComponentType>();
  const [hasFailed, setFailed] = useState(false);
  const isAsking = useSyncExternalStore(question.onChange, question.isOpen);
  const show = useCallback(() => {
    setFailed(false);
    load().then(
      (loaded) => setOverlays(() => loaded),
      () => setFailed(true),
    );
  }, [load]);
  useEffect(() => {
    if (Overlays) return undefined;
    const stops = [whenIdle(show), question.onChange(show), notificationsStore.subscribe(show)];
    window.addEventListener('online', show);
    return () => {
      for (const stop of stops) stop();
      window.removeEventListener('online', show);
    };
  }, [Overlays, show]);
  if (Overlays) return <Overlays />;
  return hasFailed && isAsking ? <LoadFailureDialog onRetry={show} onClose={() => answerQuestion(false)} /> : null;
}
