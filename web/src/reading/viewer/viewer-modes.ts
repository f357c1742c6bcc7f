import { t } from '@lingui/core/macro';
import type { StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { ReactNode } from 'react';

/** Props of every viewer: the study, and the report pane if the user may read reports. */
export type ViewerProps = {
  study: StudyDetails;
  report: ((studyId: string) => ReactNode) | undefined;
  /** Renders the report of another study of the patient, read-only. */
  priorReport?: ((studyId: string) => ReactNode) | undefined;
  seriesMenu?: SeriesMenuOf | undefined;
};

/**
 * Renders the menu of a series. `shownImage` returns the SOP Instance UID of the image in the current pane, if it belongs
 * to the series.
 */
export type SeriesMenuOf = (
  study: StudyDetails,
  seriesInstanceUID: string,
  shownImage?: () => string | undefined,
) => ReactNode;

/** Paths of the viewers. A study ID may follow. */
export const addresses = {
  standard: '/viewer/{-$id}',
  mpr: '/mpr/$id/{-$series}',
  fusion: '/petct/{-$id}',
  ultrasound: '/usviewer/{-$id}',
} as const;

export type Mode = keyof typeof addresses;

/** Names of the viewers in the mode switch. */
export const labels: Record<Mode, string> = {
  standard: t`Standard`,
  mpr: t`MPR / 3D`,
  fusion: t`Fusion`,
  ultrasound: t`Ultrasound`,
};

/** Modalities with slices, which can form a volume. */
const inSlices = new Set(['CT', 'MR', 'PT', 'NM']);

const suits: Record<Mode, (study: StudyDetails) => boolean> = {
  standard: () => true,
  mpr: ({ series }) => series.some(({ modality }) => inSlices.has(modality)),
  fusion: ({ series }) => ['CT', 'PT'].every((needed) => series.some(({ modality }) => modality === needed)),
  ultrasound: ({ series }) => series.some(({ modality }) => modality === 'US'),
};

const isMode = (name: string): name is Mode => name in addresses;

const modes: readonly Mode[] = Object.keys(addresses).filter(isMode);

/** Returns the viewer at a path. */
export const modeAt = (pathname: string): Mode | undefined => {
  const [, name = ''] = pathname.split('/');
  return modes.find((mode) => addresses[mode].startsWith(`/${name}/`));
};

/** Returns the viewers that suit a study. */
export const modesFor = (study: StudyDetails): Mode[] => modes.filter((mode) => suits[mode](study));
