import type { StackViewport } from '@cornerstonejs/core';

/** Zoom relative to the fitted image, and pan in screen pixels. */
export type Placement = { zoom: number; pan: readonly [number, number] };

/** The last placement that the hanging has given each viewport. */
const placements = new WeakMap<StackViewport, Placement>();

export const isAt = (viewport: StackViewport, { zoom, pan }: Placement): boolean => {
  const [x, y] = viewport.getPan();
  return Math.abs(viewport.getZoom() - zoom) < 0.0005 && Math.hypot(x - pan[0], y - pan[1]) < 0.05;
};

/** Whether a viewport is as its hanging has placed it. Otherwise the user has moved or zoomed the image. */
export const isAsHung = (viewport: StackViewport): boolean => {
  const before = placements.get(viewport);
  return before !== undefined && isAt(viewport, before);
};

/** Zooms and moves an image for its hanging. */
export const placeImage = (viewport: StackViewport, { zoom, pan }: Placement) => {
  viewport.setZoom(zoom);
  viewport.setPan([...pan]);
  const [x, y] = viewport.getPan();
  placements.set(viewport, { zoom: viewport.getZoom(), pan: [x, y] });
  viewport.render();
};
