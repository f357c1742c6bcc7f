import { t } from '@lingui/core/macro';
import type { SlideFault } from './slide.ts';

/** Returns the sentence of a fault. */
export const faultText = (fault: SlideFault): string => {
  const size = `${fault.columns.toLocaleString()} × ${fault.rows.toLocaleString()}`;
  switch (fault.kind) {
    case 'frames': {
      const { frames, needed } = fault;
      return t`The image of ${size} pixels is not shown: it has ${frames} tiles, but its header describes ${needed}.`;
    }
    case 'places':
      return t`In the image of ${size} pixels, ${fault.frames} tiles have no place and are not shown.`;
    case 'size':
      return t`An image is not shown, because its header has no size.`;
  }
};
