import { type ComponentType, lazy } from 'react';
import { afterFirstPicture } from './images/series/first-image-wait.ts';
import type { Mode, ViewerProps } from './viewer-modes.ts';

const viewer = (fetch: () => Promise<ComponentType<ViewerProps>>) => ({
  fetch,
  Viewer: lazy(async () => ({ default: await fetch() })),
});

/** The viewers, each with the code that it loads when opened. */
export const viewers = {
  standard: viewer(async () => {
    await afterFirstPicture();
    return (await import('./standard/study-viewer.tsx')).StudyViewer;
  }),
  mpr: viewer(async () => {
    await afterFirstPicture();
    return (await import('./mpr/mpr-viewer.tsx')).MprViewer;
  }),
  fusion: viewer(() => import('./fusion/fusion-viewer.tsx').then(({ FusionViewer }) => FusionViewer)),
  ultrasound: viewer(() =>
    import('./ultrasound/ultrasound-viewer.tsx').then(({ UltrasoundViewer }) => UltrasoundViewer),
  ),
} satisfies Record<Mode, unknown>;
