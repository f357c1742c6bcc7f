import { Enums, type StackViewport, StackViewport as Viewport } from '@cornerstonejs/core';
import { lookOf, showAs } from '#reading/viewer/engine/stack/image-look.ts';
import { chooseMapColors, mapColorsOf } from '#reading/viewer/engine/gray/map-colors.ts';
import { chooseTable, greysThroughTables, tableChosen } from '#reading/viewer/engine/gray/voi-lut-gray.ts';
import { fittedScale } from '#reading/viewer/images/geometry/fitted-scale.ts';
import { copyOf } from './picture-overlays.ts';
import { afterNextRender } from './capture-screen.ts';
import type { Box, Layers } from './picture.ts';

/** Returns the position of the whole image on the screen of its viewport, and the CSS pixels per column. */
const placeOf = (viewport: StackViewport): { box: Box; scale: number } => {
  const { origin, spacing, direction, dimensions } = viewport.getImageData();
  const [columns, rows] = dimensions;
  const onScreen = (column: number, row: number) => {
    const world = (axis: 0 | 1 | 2) =>
      origin[axis] + column * spacing[0] * direction[axis] + row * spacing[1] * (direction[axis + 3] ?? 0);
    return viewport.worldToCanvas([world(0), world(1), world(2)]);
  };
  const corners = [0, columns].flatMap((column) => [0, rows].map((row) => onScreen(column - 0.5, row - 0.5)));
  const [across, down] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  const [left, top] = [Math.min(...across), Math.min(...down)];
  const [first, next] = [onScreen(0, 0), onScreen(1, 0)];
  return {
    box: { left, top, width: Math.max(...across) - left, height: Math.max(...down) - top },
    scale: Math.hypot(next[0] - first[0], next[1] - first[1]),
  };
};

let lastNumber = 0;

/** Adds an invisible element of a given size in device pixels to the page. */
const hiddenPlace = (width: number, height: number): HTMLDivElement => {
  const element = document.createElement('div');
  const size = (pixels: number) => `${pixels / window.devicePixelRatio}px`;
  Object.assign(element.style, {
    position: 'fixed',
    left: '-99999px',
    top: '0',
    width: size(width),
    height: size(height),
  });
  element.setAttribute('aria-hidden', 'true');
  document.body.append(element);
  return element;
};

/**
 * Draws the whole current image with the same rotation and window, one picture pixel per column. If rows are spaced
 * wider than columns, rows get more pixels, so the proportions stay.
 */
export const wholeImageOf = (viewport: StackViewport, over: Layers['over']): (() => Promise<Layers>) | undefined => {
  const look = lookOf(viewport);
  const engine = viewport.getRenderingEngine();
  const [table, colors] = [tableChosen(viewport), mapColorsOf(viewport)];
  if (!look) return undefined;
  const { imageId, columns, rows, columnPixelSpacing, rowPixelSpacing } = viewport.getCornerstoneImage();
  const { box, scale } = placeOf(viewport);
  const [width, height] = [Math.round(box.width / scale), Math.round(box.height / scale)];
  const spacing = columnPixelSpacing || 1;
  const fitted = fittedScale({ width: columns * spacing, height: rows * (rowPixelSpacing || 1) }, { width, height });
  const zoom = fitted / ((height * spacing) / 2);

  return async () => {
    lastNumber += 1;
    const viewportId = `${engine.id}-whole-${lastNumber}`;
    const element = hiddenPlace(width, height);
    try {
      engine.enableElement({ viewportId, type: Enums.ViewportType.STACK, element });
      const wholeViewport = engine.getViewport(viewportId);
      if (!(wholeViewport instanceof Viewport)) throw new Error('The engine made another kind of viewport');
      greysThroughTables(wholeViewport);
      await wholeViewport.setStack([imageId]);
      chooseMapColors(wholeViewport, colors);
      showAs(wholeViewport, imageId, { ...look, zoom, pan: [0, 0] });
      if (table !== undefined && chooseTable(wholeViewport, table)) wholeViewport.render();
      const canvas = await afterNextRender(wholeViewport, () => copyOf(wholeViewport.canvas));
      if (!canvas || wholeViewport.getCornerstoneImage()?.imageId !== imageId)
        throw new Error('The image could not be drawn');
      // Leaves out overlays that are canvases, because they only exist for the visible part.
      return { canvas, over: over.filter((one) => 'markup' in one), box };
    } finally {
      if (!engine.hasBeenDestroyed) engine.disableElement(viewportId);
      element.remove();
    }
  };
};
