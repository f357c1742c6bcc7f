import { t } from '@lingui/core/macro';
import { Enums, type StackViewport } from '@cornerstonejs/core';
import { curveFunction } from '#reading/viewer/engine/gray/curve-function.ts';
import { propertyOf } from '#reading/viewer/engine/gray/gray-property.ts';
import { resetGray } from '#reading/viewer/engine/gray/reset-gray.ts';
import { chooseTable, tableChosen } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { numberOf, tag } from '#reading/viewer/images/header/dicom-json.ts';
import { modalityTableOf } from '#reading/viewer/images/gray/lookup-tables.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import type { Grayscale, Voi } from './grayscale.ts';
import { grayMappingOf, type ToDrawn } from './gray-curve.ts';
import { areaOnScreen, type Orientation, orientationOf } from './state-geometry.ts';
import type { PixelPoint } from './image-references.ts';
import type { DisplayedArea, PresentationState } from './presentation-state.ts';

/** Converts a point in image pixels to CSS pixels of the viewport. */
export type ToScreen = (point: PixelPoint) => PixelPoint;

/** Returns the conversion from image pixels to the screen. Undefined before an image is drawn. */
export const toScreenOf = (viewport: StackViewport): ToScreen | undefined => {
  const data = viewport.getImageData()?.imageData;
  if (!data) return undefined;
  const place = (column: number, row: number): PixelPoint => {
    // Subtracts 0.5, because the imaging library counts from the center of the first pixel.
    const [left, posterior, superior] = data.indexToWorld?.([column - 0.5, row - 0.5, 0]) ?? [];
    const [x, y] = viewport.worldToCanvas([left ?? 0, posterior ?? 0, superior ?? 0]);
    return { x, y };
  };
  const [origin, right, below] = [place(0, 0), place(1, 0), place(0, 1)];
  return ({ x, y }) => ({
    x: origin.x + x * (right.x - origin.x) + y * (below.x - origin.x),
    y: origin.y + x * (right.y - origin.y) + y * (below.y - origin.y),
  });
};

type Measured = { along: PixelPoint; down: PixelPoint };

const measured = (viewport: StackViewport): Measured | undefined => {
  const toScreen = toScreenOf(viewport);
  if (!toScreen) return undefined;
  const [origin, right, below] = [toScreen({ x: 0, y: 0 }), toScreen({ x: 1, y: 0 }), toScreen({ x: 0, y: 1 })];
  return {
    along: { x: right.x - origin.x, y: right.y - origin.y },
    down: { x: below.x - origin.x, y: below.y - origin.y },
  };
};

const pointsTo = (step: PixelPoint, direction: PixelPoint): boolean => {
  const length = Math.hypot(step.x, step.y);
  return (step.x * direction.x + step.y * direction.y) / length > 0.999;
};

/**
 * Rotates and mirrors the image until it has the wanted orientation. Tries all combinations and measures each. So the
 * order in which the imaging library applies them does not matter. Returns whether a combination matched.
 */
const applyOrientation = (viewport: StackViewport, target: Orientation, { rotation }: PresentationState): boolean => {
  for (const flipHorizontal of [false, true]) {
    for (const turn of [rotation, (360 - rotation) % 360, (rotation + 180) % 360, (540 - rotation) % 360]) {
      viewport.resetCamera();
      viewport.setCamera({ flipHorizontal });
      viewport.setViewPresentation({ rotation: turn });
      const drawnOrientation = measured(viewport);
      if (
        drawnOrientation &&
        pointsTo(drawnOrientation.along, target.along) &&
        pointsTo(drawnOrientation.down, target.down)
      )
        return true;
    }
  }
  return false;
};

const scaleOf = ({ along, down }: Measured) => ({
  across: Math.hypot(along.x, along.y),
  downwards: Math.hypot(down.x, down.y),
});

/** Magnifies the displayed area to fill the viewport, or to its given size, and centers the area. */
const showArea = (viewport: StackViewport, area: DisplayedArea, orientation: Orientation) => {
  const before = measured(viewport);
  if (!before) return;
  const { clientWidth, clientHeight } = viewport.element;
  const { middle, across, downwards } = areaOnScreen(area, orientation);
  const scale = scaleOf(before);
  const [width, height] = orientation.along.y === 0 ? [scale.across, scale.downwards] : [scale.downwards, scale.across];
  const factor =
    area.magnification === undefined
      ? Math.min(clientWidth / (across * width), clientHeight / (downwards * height))
      : area.magnification / window.devicePixelRatio / width;
  viewport.setZoom(viewport.getZoom() * factor);
  const at = toScreenOf(viewport)?.(middle);
  if (!at) return;
  const [panX, panY] = viewport.getPan();
  viewport.setPan([panX + clientWidth / 2 - at.x, panY + clientHeight / 2 - at.y]);
};

/**
 * Returns a function that converts a value from the scale of the presentation state to the scale of the pixels that the
 * viewport draws. Both scales are linear.
 */
const toDrawnFor = (viewport: StackViewport, { slope, intercept }: Grayscale): ToDrawn => {
  const { preScale } = viewport.getCornerstoneImage();
  const { rescaleSlope = 1, rescaleIntercept = 0, suvbw } = (preScale?.scaled && preScale.scalingParameters) || {};
  return (value) => ((value - intercept) / slope) * (rescaleSlope * (suvbw || 1)) + rescaleIntercept * (suvbw || 1);
};

/** Returns the full range of stored values. It applies to a state without a VOI stage (PS3.4 §N.2.1.2). */
const wholeRange = ({ header }: SeriesImage, { slope, intercept }: Grayscale): Voi => {
  const bits = numberOf(header, tag.BitsStored) ?? 16;
  const least = numberOf(header, tag.PixelRepresentation) === 1 ? -(2 ** (bits - 1)) : 0;
  const ends = [least, least + 2 ** bits - 1].map((stored) => stored * slope + intercept);
  return { kind: 'linear', range: { lower: Math.min(...ends), upper: Math.max(...ends) } };
};

const showGrays = (viewport: StackViewport, image: SeriesImage, greys: Grayscale, voi: Voi | undefined): string[] => {
  const mapping = grayMappingOf(greys, voi ?? wholeRange(image, greys), toDrawnFor(viewport, greys));
  const property = propertyOf(viewport);
  // Sets curves only with a graphics card, because rendering on the processor throws.
  const straight = property && { VOILUTFunction: Enums.VOILUTFunctionType.LINEAR };
  if (mapping.kind === 'window') {
    viewport.setProperties({ ...straight, voiRange: mapping.range, invert: mapping.isInverted }, true);
    return [];
  }
  const values = mapping.points.map(({ value }) => value);
  const voiRange = { lower: Math.min(...values), upper: Math.max(...values) };
  viewport.setProperties({ ...straight, voiRange, invert: false }, true);
  property?.setRGBTransferFunction(0, curveFunction(mapping.points));
  return property ? [] : [t`grayscale curve (no graphics acceleration)`];
};

/** The parts of a state that apply to one image. */
export type StateOfImage = { state: PresentationState; voi: Voi | undefined; area: DisplayedArea | undefined };

/** Applies a state to the drawn image. Returns a message for each part that could not be applied. */
export const applyState = (
  viewport: StackViewport,
  image: SeriesImage,
  { state, voi, area }: StateOfImage,
): string[] => {
  const faults: string[] = [];
  if (state.grays.isUsable && !viewport.getCornerstoneImage().color) {
    // The image values went through a modality table, but the state refers to stored values.
    if (modalityTableOf(image.imageId)) faults.push(t`grayscale (the image has a modality LUT)`);
    else faults.push(...showGrays(viewport, image, state.grays, voi));
  }
  const orientation = orientationOf(state);
  if (!applyOrientation(viewport, orientation, state)) return [...faults, t`rotation and flip`];
  if (!area) return faults;
  const drawnOrientation = measured(viewport);
  const { across, downwards } = drawnOrientation ? scaleOf(drawnOrientation) : { across: 1, downwards: 1 };
  if (area.aspectRatio && Math.abs(downwards / across / area.aspectRatio - 1) > 0.01)
    faults.push(t`pixel aspect ratio`);
  showArea(viewport, area, orientation);
  return faults;
};

/** Returns a key of the current window, curve and rotation, to detect changes by the user. */
export const graysAndTurn = (viewport: StackViewport): string => {
  const { voiRange, invert } = viewport.getProperties();
  const { flipHorizontal, flipVertical } = viewport.getCamera();
  return JSON.stringify([voiRange, invert, Math.round(viewport.getRotation()), flipHorizontal, flipVertical]);
};

/** Remembers the rotation before a state is applied. Returns a function to restore it. */
export const rememberTurn = (viewport: StackViewport) => {
  const presentation = viewport.getViewPresentation();
  const { flipHorizontal = false, flipVertical = false } = viewport.getCamera();
  return () => {
    viewport.resetCamera();
    viewport.setViewPresentation(presentation);
    // When rendering on the processor, a view presentation does not mirror.
    viewport.setCamera({ flipHorizontal, flipVertical });
  };
};

/** Remembers the window before a state is applied. Returns a function to restore it. */
export const rememberGrays = (viewport: StackViewport) => {
  const { voiRange, invert, isComputedVOI } = viewport.getProperties();
  const isInverted = invert !== viewport.getCornerstoneImage().invert;
  const table = tableChosen(viewport);
  return () => {
    resetGray(viewport);
    if (table) chooseTable(viewport, table);
    else if (voiRange && !isComputedVOI) viewport.setProperties({ voiRange }, true);
    if (isInverted) viewport.setProperties({ invert: !viewport.getCornerstoneImage().invert }, true);
  };
};
