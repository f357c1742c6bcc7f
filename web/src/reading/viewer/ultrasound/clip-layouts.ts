import { t } from '@lingui/core/macro';
import { IconGrid3x3, IconLayoutGrid, type IconProps, IconSquare } from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** Layouts: the number of clips on screen. */
export const layouts = {
  one: { across: 1, grid: '1x1', label: t`One clip`, icon: IconSquare },
  four: { across: 2, grid: '2x2', label: t`2 × 2 clips`, icon: IconLayoutGrid },
  nine: { across: 3, grid: '3x3', label: t`3 × 3 clips`, icon: IconGrid3x3 },
} as const satisfies Record<
  string,
  { across: number; grid: `${number}x${number}`; label: string; icon: ComponentType<IconProps> }
>;

export type Layout = keyof typeof layouts;

export const layoutNames = ['one', 'four', 'nine'] as const satisfies readonly Layout[];

/** Returns the next layout. After the last layout comes the first. */
export const layoutAfter = (layout: Layout): Layout =>
  layoutNames[(layoutNames.indexOf(layout) + 1) % layoutNames.length] ?? 'one';
