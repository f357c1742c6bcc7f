import type { Orientation, Pyramid } from './slide.ts';

export type Point = { x: number; y: number };
export type Size = { width: number; height: number };
export type Box = { left: number; top: number; right: number; bottom: number };

/**
 * View of a slide: the place at the center of the screen, in pixels of the largest level, and the number of CSS pixels
 * for one of them. Width and height of a pyramid count in the same pixels.
 */
export type SlideView = Point & { scale: number; turn: Orientation };

/** Returns the vector on the screen of a vector on the slide. */
const turned = ({ x, y }: Point, { angle, isMirrored }: Orientation): Point => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = isMirrored ? -x : x;
  return { x: cos * along - sin * y, y: sin * along + cos * y };
};

const turnedBack = ({ x, y }: Point, { angle, isMirrored }: Orientation): Point => {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = cos * x + sin * y;
  return { x: isMirrored ? -along : along, y: cos * y - sin * x };
};

/** Returns the place on the screen, in CSS pixels from the top left corner, of a place on the slide. */
export const toScreen = (view: SlideView, size: Size, place: Point): Point => {
  const { x, y } = turned({ x: (place.x - view.x) * view.scale, y: (place.y - view.y) * view.scale }, view.turn);
  return { x: x + size.width / 2, y: y + size.height / 2 };
};

/** Returns the place on the slide of a place on the screen. */
export const toSlide = (view: SlideView, size: Size, place: Point): Point => {
  const { x, y } = turnedBack({ x: place.x - size.width / 2, y: place.y - size.height / 2 }, view.turn);
  return { x: view.x + x / view.scale, y: view.y + y / view.scale };
};

const cornersOf = ({ left, top, right, bottom }: Box): Point[] => [
  { x: left, y: top },
  { x: right, y: top },
  { x: right, y: bottom },
  { x: left, y: bottom },
];

const boxAround = (points: readonly Point[]): Box => ({
  left: Math.min(...points.map(({ x }) => x)),
  top: Math.min(...points.map(({ y }) => y)),
  right: Math.max(...points.map(({ x }) => x)),
  bottom: Math.max(...points.map(({ y }) => y)),
});

/** Returns the corners of the screen as places on the slide, clockwise on the screen. */
export const screenCorners = (view: SlideView, size: Size): Point[] =>
  cornersOf({ left: 0, top: 0, right: size.width, bottom: size.height }).map((corner) => toSlide(view, size, corner));

/** Returns the smallest box of the slide that contains everything on the screen. */
export const visibleBox = (view: SlideView, size: Size): Box => boxAround(screenCorners(view, size));

export type Extent = Pick<Pyramid, 'width' | 'height'>;

/** Returns the view that shows the whole slide, with a small margin. */
export const fittedView = ({ width, height }: Extent, size: Size, turn: Orientation): SlideView => {
  const { left, top, right, bottom } = boxAround(
    cornersOf({ left: 0, top: 0, right: width, bottom: height }).map((corner) => turned(corner, turn)),
  );
  const scale = 0.96 * Math.min(size.width / (right - left), size.height / (bottom - top));
  return { x: width / 2, y: height / 2, scale: scale > 0 && Number.isFinite(scale) ? scale : 1, turn };
};

/** Largest magnification: CSS pixels for one pixel of the largest level. */
export const mostZoom = 8;

/** Limits the view: at most `mostZoom`, not much smaller than the whole slide, and with its center on the slide. */
export const limitedView = (view: SlideView, pyramid: Extent, size: Size): SlideView => {
  const smallest = fittedView(pyramid, size, view.turn).scale / 2;
  return {
    ...view,
    scale: Math.min(Math.max(view.scale, Math.min(smallest, mostZoom)), Math.max(mostZoom, smallest)),
    x: Math.min(Math.max(view.x, 0), pyramid.width),
    y: Math.min(Math.max(view.y, 0), pyramid.height),
  };
};

/** Zooms by a factor. The place at a point of the screen stays there, unless the view reaches its limits. */
export const zoomedAt = (view: SlideView, pyramid: Extent, size: Size, at: Point, factor: number): SlideView => {
  const held = toSlide(view, size, at);
  const { scale } = limitedView({ ...view, scale: view.scale * factor }, pyramid, size);
  const moved = toSlide({ ...view, scale }, size, at);
  const next = { ...view, scale, x: view.x + held.x - moved.x, y: view.y + held.y - moved.y };
  return limitedView(next, pyramid, size);
};

/** Moves the content of the screen by a number of CSS pixels. */
export const movedBy = (view: SlideView, pyramid: Extent, size: Size, by: Point): SlideView => {
  const { x, y } = turnedBack(by, view.turn);
  return limitedView({ ...view, x: view.x - x / view.scale, y: view.y - y / view.scale }, pyramid, size);
};

/** Turns the view clockwise by a quarter. */
export const turnedByQuarter = (view: SlideView): SlideView => ({
  ...view,
  turn: { ...view.turn, angle: (view.turn.angle + Math.PI / 2) % (2 * Math.PI) },
});
