import type { KeyImage } from '@radwork/contract/reading/key-images';
import { windowOf } from '#reading/viewer/images/gray/gray-window.ts';

/** Size in pixels. It is twice the size on the screen, for high-density screens. */
const size = 160;

/** Modalities whose windows the viewer gives in SUV. The server cannot render such windows. */
const inOtherUnits = new Set(['PT', 'NM']);

/**
 * Path of the key image as the server renders it in its window (PS3.18 §8.3.5.1). Rotation, flip, zoom and pan are not
 * applied.
 */
export const thumbnailPath = (studyUid: string, { seriesInstanceUID, look, ...one }: KeyImage, modality: string) => {
  const image = `/api/wado-rs/studies/${studyUid}/series/${seriesInstanceUID}/instances/${one.sopInstanceUID}`;
  const { width, center } = look.window ? windowOf(look.window) : { width: 0, center: 0 };
  const window = width >= 1 && !inOtherUnits.has(modality) ? `&window=${center},${width},linear` : '';
  return `${image}/frames/${one.frame}/rendered?viewport=${size},${size}${window}`;
};
