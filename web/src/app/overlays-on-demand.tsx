import { t } from '@lingui/core/macro';
import { notificationsStore } from '@mantine/notifications';
import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '#core/browser/when-idle.ts';
import { answerQuestion, question } from '#ui/dialogs/confirm.tsx';

/**
 * Confirmation dialog and toasts. Their code loads when the page is idle, so that the first screen need not wait for it,
 * or with the first question or toast. Until then, their stores hold questions and toasts.
 */
export function OverlaysOnDemand() {
  const [Overlays, setOverlays] = useState<ComponentType>();
  useEffect(() => {
    if (Overlays) return undefined;
    const load = () => {
      import('./overlays.tsx').then(({ Overlays: loaded }) => setOverlays(() => loaded), refuse);
    };
    const stops = [whenIdle(load), question.onChange(load), notificationsStore.subscribe(load)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [Overlays]);
  return Overlays ? <Overlays /> : null;
}

/** Cancels a question that cannot be shown. A toast waits for the next attempt. */
const refuse = (): void => {
  if (!question.isOpen()) return;
  answerQuestion(false);
  window.alert(t`This part of the application did not load. Reload the page.`);
};
