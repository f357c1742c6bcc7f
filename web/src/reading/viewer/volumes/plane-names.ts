import { t } from '@lingui/core/macro';
import type { Orientation } from './plane-viewport.tsx';

/** Names of the orientations on screens. */
export const planeNames: Record<Orientation, string> = {
  axial: t`Axial`,
  sagittal: t`Sagittal`,
  coronal: t`Coronal`,
};
