import { t } from '@lingui/core/macro';
import { isOnFrame, planeBitsOf } from '@radwork/dicom/overlay-planes';
import { useMemo } from 'react';
import { bitmapOfPlanes, bitmapOfShutter } from '#reading/viewer/file-layers/layer-bitmaps.ts';
import { LayerPicture } from '#reading/viewer/file-layers/layer-picture.tsx';
import { numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { ToScreen } from './apply-state.ts';
import type { PresentationState } from './presentation-state.ts';
import { Shutters } from './shutter-mask.tsx';
import type { StateOverlay } from './state-overlays.ts';

type Props = { state: PresentationState; image: SeriesImage; toScreen: ToScreen };

type Drawn = Pick<PresentationState, 'overlays' | 'shutterColor'>;

/** Returns the bitmaps of a state for an image: its shutter, and its overlay planes in their colors. */
export const bitmapsOf = (
  { overlays, shutterColor }: Drawn,
  { header, frame }: Pick<SeriesImage, 'header' | 'frame'>,
) => {
  const size = { rows: numberOf(header, tag.Rows) ?? 0, columns: numberOf(header, tag.Columns) ?? 0 };
  const bitsOf = ({ plane, data }: StateOverlay) => (isOnFrame(plane, frame) ? [planeBitsOf(plane, data, frame)] : []);
  const [shutter] = overlays.shutter ? bitsOf(overlays.shutter) : [];
  return {
    shutter: bitmapOfShutter(shutter, size, shutterColor),
    planes: overlays.drawn.flatMap((overlay) => bitmapOfPlanes(bitsOf(overlay), size, overlay.color) ?? []),
  };
};

/** Draws the shutters and the overlay planes of a state, the shutters below (PS3.4 §N.2). */
export function StateCovers({ state, image, toScreen }: Props) {
  const { shutter, planes } = useMemo(() => bitmapsOf(state, image), [state, image]);
  const names = [...new Set(state.overlays.drawn.map(({ plane }) => plane.name))].filter(Boolean).join(', ');
  return (
    <>
      <Shutters shutters={state.shutters} toScreen={toScreen} color={state.shutterColor} />
      {shutter && <LayerPicture bitmap={shutter} toScreen={toScreen} name="bitmap-shutter" layer="cover" />}
      {planes.map((bitmap, at) => (
        <LayerPicture key={at} bitmap={bitmap} toScreen={toScreen} name="state-planes" layer="planes" />
      ))}
      {names && <span data-picture-title hidden>{t`Overlay: ${names}`}</span>}
    </>
  );
}
