import type { KeyImage } from '@radwork/contract/key-images';
import { windowOf } from '#viewer/images/grey-window.ts';

/** Twice what it takes on the screen, for dense ones. */
const size = 160;

/** Uptake is windowed in SUV here, which the server does not draw in. */
const inOtherUnits = new Set(['PT', 'NM']);

/** Where the server draws a key image, in its window (PS3.18 §8.3.5.1). It is neither turned nor cut. */
export const thumbnailPath = (studyUid: string, { seriesInstanceUID, look, ...one }: KeyImage, modality: string) => {
  const image = `/api/wado-rs/studies/${studyUid}/series/${seriesInstanceUID}/instances/${one.sopInstanceUID}`;
  const { width, center } = look.window ? windowOf(look.window) : { width: 0, center: 0 };
  const window = width >= 1 && !inOtherUnits.has(modality) ? `&window=${center},${width},linear` : '';
  return `${image}/frames/${one.frame}/rendered?viewport=${size},${size}${window}`;
};
