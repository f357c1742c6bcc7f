import { t } from '@lingui/core/macro';
import type { StackViewport } from '@cornerstonejs/core';
import {
  IconArrowsMaximize,
  IconCircleHalf2,
  type IconProps,
  IconFlipHorizontal,
  IconFlipVertical,
  IconRestore,
  IconRotateClockwise,
  IconTrash,
  IconRelationOneToOne,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import {
  fit,
  flip,
  invert,
  magnify,
  removeMeasurement,
  reset,
  rotate,
} from '#reading/viewer/engine/stack/view-commands.ts';

export type ViewAction = {
  label: string;
  keys: string;
  icon: ComponentType<IconProps>;
  run: (viewport: StackViewport, shownImage: ShownImage) => void;
};

/** Actions on an image, in the order of the toolbar and the keyboard help. */
export const viewActions: readonly ViewAction[] = [
  { label: t`Invert`, keys: 'i', icon: IconCircleHalf2, run: invert },
  { label: t`Rotate right`, keys: 'o', icon: IconRotateClockwise, run: rotate },
  {
    label: t`Flip horizontally`,
    keys: 'h',
    icon: IconFlipHorizontal,
    run: (viewport) => flip(viewport, 'flipHorizontal'),
  },
  {
    label: t`Flip vertically`,
    keys: 'u',
    icon: IconFlipVertical,
    run: (viewport) => flip(viewport, 'flipVertical'),
  },
  { label: t`Fit to window`, keys: 'f', icon: IconArrowsMaximize, run: fit },
  {
    label: t`Actual pixels (1:1)`,
    keys: 'x',
    icon: IconRelationOneToOne,
    run: (viewport, { magnification }) => magnify(viewport, 1, magnification),
  },
  { label: t`Reset view`, keys: 'r', icon: IconRestore, run: reset },
  { label: t`Remove measurement`, keys: 'Delete', icon: IconTrash, run: removeMeasurement },
];
