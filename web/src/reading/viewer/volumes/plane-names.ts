import { t } from '@lingui/core/macro';
import type { Orientation } from './plane-viewport.tsx';

/** Names of the orientations on screens. */
export const planeNames: Record<Orientation, string> = {
  axial: t`Axial`,
  sagittal: t`Sagittal`,
  coronal: t`Coronal`,
};

/** Color of the name of each plane, and of its lines on the other planes. */
export const colorOf: Record<Orientation, string> = {
  axial: '#ff7b72',
  sagittal: '#f2c14e',
  coronal: '#5fcb8b',
};
