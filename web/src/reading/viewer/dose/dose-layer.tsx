import { t } from '@lingui/core/macro';
import type { StackViewport } from '@cornerstonejs/core';
import { useMemo } from 'react';
import type { ShownImage } from '#reading/viewer/engine/stack/shown-image.ts';
import { sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import { toScreenOf } from '#reading/viewer/presentation-states/apply-state.ts';
import type { DoseDisplay } from './dose-display.ts';
import { DoseOverImage } from './dose-over-image.tsx';

type Props = {
  viewport: StackViewport;
  shown: ShownImage;
  display: DoseDisplay;
  /** Whether the user has hidden the scales. */
  isScaleHidden: boolean;
};

/** Draws a dose over an image of a stack. */
export function DoseLayer({ viewport, shown: { image }, display, isScaleHidden }: Props) {
  const slice = useMemo(() => sliceOf(image), [image]);
  return (
    <DoseOverImage
      {...{ image, slice, display, isScaleHidden }}
      toScreen={toScreenOf(viewport)}
      outside={t`This image lies outside the dose`}
    />
  );
}
