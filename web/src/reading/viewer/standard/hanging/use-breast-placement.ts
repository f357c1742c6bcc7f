import { Enums } from '@cornerstonejs/core';
import { useEffect } from 'react';
import { isTurned } from '#reading/viewer/engine/stack/hang-per-image.ts';
import { isAsHung, isAt, placeImage } from '#reading/viewer/engine/stack/given-placement.ts';
import type { View } from '#reading/viewer/engine/stack/shown-image.ts';
import { detailOf } from '#reading/viewer/hanging/projection-kind.ts';
import { chestWallOf, projectionOf, turnOf } from '#reading/viewer/hanging/projection.ts';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type PlacedBreast, placeBreasts } from './breast-placement.ts';

const { CAMERA_MODIFIED, IMAGE_RENDERED } = Enums.Events;

const isUntouched = (viewport: View['viewport']): boolean =>
  isAt(viewport, { zoom: 1, pan: [0, 0] }) || isAsHung(viewport);

/** Returns the mammogram in a view: a whole breast in a standard view, turned as it should be. */
const breastIn = ({ viewport, images }: View): PlacedBreast | undefined => {
  if (viewport.isDisabled) return undefined;
  const drawnImage = viewport.getCornerstoneImage();
  const header = drawnImage && images.find(({ imageId }) => imageId === drawnImage.imageId)?.header;
  if (!header || textOf(header, tag.Modality) !== 'MG') return undefined;
  const { side, view } = projectionOf(header);
  if (side === '' || !['CC', 'MLO'].includes(view) || detailOf(header) !== '') return undefined;
  const data = viewport.getImageData();
  if (!data || !isTurned(viewport, turnOf(header))) return undefined;
  const { clientWidth: width, clientHeight: height } = viewport.element;
  const [columns, rows] = data.dimensions;
  const [across, down] = data.spacing;
  if (width < 1 || height < 1) return undefined;
  return {
    pane: { width, height },
    image: { width: columns * across, height: rows * down },
    isInMillimeters: data.hasPixelSpacing === true,
    chestWall: chestWallOf(header),
  };
};

const place = (views: readonly View[]) => {
  const breasts = views.flatMap((view) => {
    const breast = breastIn(view);
    return breast ? [{ view, breast }] : [];
  });
  const placements = placeBreasts(breasts.map(({ breast }) => breast));
  for (const [at, { view }] of breasts.entries()) {
    const placement = placements[at];
    if (placement && isUntouched(view.viewport) && !isAt(view.viewport, placement))
      placeImage(view.viewport, placement);
  }
};

/**
 * Shows the mammograms of a hanging at the same scale, with the chest walls together, until the user moves or zooms one
 * of them. An enlarged pane has its own scale.
 */
export const useBreastPlacement = (views: readonly (View | undefined)[], enlarged: number | undefined) => {
  useEffect(() => {
    const visibleViews = (enlarged === undefined ? views : [views[enlarged]]).filter((view) => view !== undefined);
    if (!visibleViews.some(({ images }) => images.some(({ header }) => textOf(header, tag.Modality) === 'MG')))
      return undefined;
    let request: number | undefined;
    const later = () => {
      request ??= requestAnimationFrame(() => {
        request = undefined;
        place(visibleViews);
      });
    };
    const elements = visibleViews.map(({ viewport }) => viewport.element);
    for (const element of elements) {
      element.addEventListener(CAMERA_MODIFIED, later);
      element.addEventListener(IMAGE_RENDERED, later);
    }
    later();
    return () => {
      if (request !== undefined) cancelAnimationFrame(request);
      for (const element of elements) {
        element.removeEventListener(CAMERA_MODIFIED, later);
        element.removeEventListener(IMAGE_RENDERED, later);
      }
    };
  });
};
