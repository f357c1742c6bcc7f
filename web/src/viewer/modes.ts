import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/studies';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { afterFirstPicture } from './images/first-drawn.ts';

/** Props of every viewer: the study, and the report pane if the user may read reports. */
export type ViewerProps = {
  study: StudyDetails;
  report: ((studyId: string) => ReactNode) | undefined;
  /** Shows the report of another study of the patient, read-only. */
  priorReport?: ((studyId: string) => ReactNode) | undefined;
};

const viewer = (fetch: () => Promise<ComponentType<ViewerProps>>) => ({
  fetch,
  Viewer: lazy(async () => ({ default: await fetch() })),
});

/** The viewers, each with the code it loads when opened. */
export const viewers = {
  standard: viewer(async () => {
    await afterFirstPicture();
    return (await import('./standard/study-viewer.tsx')).StudyViewer;
  }),
  mpr: viewer(() => import('./mpr/mpr-viewer.tsx').then(({ MprViewer }) => MprViewer)),
  fusion: viewer(() => import('./fusion/fusion-viewer.tsx').then(({ FusionViewer }) => FusionViewer)),
  ultrasound: viewer(() =>
    import('./ultrasound/ultrasound-viewer.tsx').then(({ UltrasoundViewer }) => UltrasoundViewer),
  ),
};

export type Mode = keyof typeof viewers;

/** Routes of the viewers; a study ID may follow. */
export const addresses = {
  standard: '/viewer/{-$id}',
  mpr: '/mpr/$id/{-$series}',
  fusion: '/petct/{-$id}',
  ultrasound: '/usviewer/{-$id}',
} as const satisfies Record<Mode, string>;

/** Names of the viewers in the mode switch. */
export const labels: Record<Mode, string> = {
  standard: t`Standard`,
  mpr: t`MPR / 3D`,
  fusion: t`Fusion`,
  ultrasound: t`Ultrasound`,
};

/** Modalities with slices, from which a volume can be built. */
const inSlices = new Set(['CT', 'MR', 'PT', 'NM']);

const suits: Record<Mode, (study: StudyDetails) => boolean> = {
  standard: () => true,
  mpr: ({ series }) => series.some(({ modality }) => inSlices.has(modality)),
  fusion: ({ series }) => ['CT', 'PT'].every((needed) => series.some(({ modality }) => modality === needed)),
  ultrasound: ({ series }) => series.some(({ modality }) => modality === 'US'),
};

const isMode = (name: string): name is Mode => name in viewers;

const modes: readonly Mode[] = Object.keys(viewers).filter(isMode);

/** Returns the viewer at a path. */
export const modeAt = (pathname: string): Mode | undefined => {
  const [, name = ''] = pathname.split('/');
  return modes.find((mode) => addresses[mode].startsWith(`/${name}/`));
};

/** Returns the viewers that suit a study. */
export const modesFor = (study: StudyDetails): Mode[] => modes.filter((mode) => suits[mode](study));
