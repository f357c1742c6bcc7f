import type { ImageLook } from '@radwork/contract/reading/key-images';
import type { SeriesSummary } from '@radwork/contract/imaging/study-rows';
import type { HangingRule, HangingWindow } from '@radwork/contract/reading/hanging-rules';
import type { Layout } from './layouts.ts';
import type { Turn } from './projection.ts';

/** Series in a viewport, with the index of its first image (from 0) and the initial display. */
export type HungSeries = {
  series: SeriesSummary;
  start: number;
  /** Shows the documents of a series that also has images. */
  part?: 'documents' | undefined;
  turn?: Turn | undefined;
  /** Name of a window preset. */
  window?: HangingWindow | undefined;
  /** ID of the first image, which takes precedence over `start`, and how exactly to show it. */
  image?: string | undefined;
  look?: ImageLook | undefined;
};

export type Hanging = {
  /** Reason for this hanging, shown to the user. */
  name: string;
  layout: Layout;
  /** Layouts with the same meaning. The shape of the space decides which one is used. */
  shapes?: readonly Layout[] | undefined;
  panes: readonly (HungSeries | undefined)[];
  /** Panes for the prior. Each has the image of the study whose counterpart in the prior it shows. */
  priorPanes?: readonly (HungSeries | undefined)[] | undefined;
  /** Rule by which the study hangs. Undefined for the built-in hanging and for saved layouts. */
  rule?: HangingRule | undefined;
};
