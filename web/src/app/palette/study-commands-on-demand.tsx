import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from '#core/browser/when-idle.ts';

type Props = { study: StudyDetails };

/**
 * Commands on the study of a viewer. Their code loads when the page is idle, so that the images need not wait. If it
 * fails to load, the viewer works without these commands.
 */
export function StudyCommandsOnDemand({ study }: Props) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  useEffect(
    () =>
      whenIdle(() => {
        import('./study-commands.tsx').then(
          ({ StudyCommands }) => setLoaded(() => StudyCommands),
          () => undefined,
        );
      }),
    [],
  );
  return Loaded ? <Loaded study={study} /> : null;
}
