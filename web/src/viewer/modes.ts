import type { StudyDetails } from '@radwork/contract/studies';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { afterFirstPicture } from './images/first-drawn.ts';

/** What every viewer is given: the study, and what stands beside its pictures for those who may read it. */
export type ViewerProps = {
  study: StudyDetails;
  report: ((studyId: string) => ReactNode) | undefined;
  /** The report of another study of the patient, to be read. */
  priorReport?: ((studyId: string) => ReactNode) | undefined;
};

const viewer = (fetch: () => Promise<ComponentType<ViewerProps>>) => ({
  fetch,
  Viewer: lazy(async () => ({ default: await fetch() })),
});

/** The ways to look at a study, each with what it fetches when it is opened. */
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

/** Where each is found; a study may follow. */
export const addresses = {
  standard: '/viewer/{-$id}',
  mpr: '/mpr/$id/{-$series}',
  fusion: '/petct/{-$id}',
  ultrasound: '/usviewer/{-$id}',
} as const satisfies Record<Mode, string>;

/** What the viewers are called where one of them is chosen. */
export const labels: Record<Mode, string> = {
  standard: 'Standard',
  mpr: 'MPR / 3D',
  fusion: 'Fusion',
  ultrasound: 'Ultrasound',
};

/** Scanners that take slices, of which a volume can be made. */
const inSlices = new Set(['CT', 'MR', 'PT', 'NM']);

const suits: Record<Mode, (study: StudyDetails) => boolean> = {
  standard: () => true,
  mpr: ({ series }) => series.some(({ modality }) => inSlices.has(modality)),
  fusion: ({ series }) => ['CT', 'PT'].every((needed) => series.some(({ modality }) => modality === needed)),
  ultrasound: ({ series }) => series.some(({ modality }) => modality === 'US'),
};

const isMode = (name: string): name is Mode => name in viewers;

const modes: readonly Mode[] = Object.keys(viewers).filter(isMode);

/** The viewer at an address. */
export const modeAt = (pathname: string): Mode | undefined => {
  const [, name = ''] = pathname.split('/');
  return modes.find((mode) => addresses[mode].startsWith(`/${name}/`));
};

/** The viewers that make sense for a study. */
export const modesFor = (study: StudyDetails): Mode[] => modes.filter((mode) => suits[mode](study));
