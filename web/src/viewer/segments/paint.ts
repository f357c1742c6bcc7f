import type { StackViewport } from '@cornerstonejs/core';
import { plus, times, type Vector } from '#viewer/images/image-plane.ts';
import { type Pixel, pointAt, type Slice } from '#viewer/images/slice.ts';
import { cssColour } from './colour.ts';
import type { Prepared } from './prepare-parts.ts';

/** How segments are drawn: as areas, as lines or both; areas so far from 0 (not seen) to 1 (nothing seen through them). */
export type SegmentLook = { style: 'both' | 'outline' | 'fill'; opacity: number };

const lineWidth = 1.75;

type Place = (pixel: Pixel) => readonly [number, number];

/** The places of a viewport's own image, which need not lie anywhere in the patient. */
const gridOfImage = (viewport: StackViewport): ((pixel: Pixel) => Vector) | undefined => {
  const data = viewport.getImageData();
  if (!data) return undefined;
  const [left, posterior, superior] = data.origin;
  const directions = Array.from(data.direction);
  const vector = (from: number): Vector => [
    directions[from] ?? 0,
    directions[from + 1] ?? 0,
    directions[from + 2] ?? 0,
  ];
  const [along, down] = [vector(0), vector(3)];
  return ({ row, column }) =>
    plus([left, posterior, superior], plus(times(along, column * data.spacing[0]), times(down, row * data.spacing[1])));
};

const placeOn = (viewport: StackViewport, grid: Slice | undefined): Place | undefined => {
  const pointOf = grid ? (pixel: Pixel) => pointAt(grid, pixel) : gridOfImage(viewport);
  if (!pointOf) return undefined;
  return (pixel) => {
    const [left, posterior, superior] = pointOf(pixel);
    return viewport.worldToCanvas([left, posterior, superior]);
  };
};

/** How far apart the places are that a grid is measured with, in its pixels. */
const measured = 100;

/** How the columns and rows of a grid lie on the screen now, whichever way the view is turned, mirrored, moved or enlarged. */
const matrixOf = (place: Place): DOMMatrix => {
  const [x, y] = place({ row: 0, column: 0 });
  const [acrossX, acrossY] = place({ row: 0, column: measured });
  const [downX, downY] = place({ row: measured, column: 0 });
  return new DOMMatrix([
    (acrossX - x) / measured,
    (acrossY - y) / measured,
    (downX - x) / measured,
    (downY - y) / measured,
    x,
    y,
  ]);
};

const moved = (path: Path2D, matrix: DOMMatrix): Path2D => {
  const result = new Path2D();
  result.addPath(path, matrix);
  return result;
};

/** Makes the canvas as large as its element, in pixels of the screen, and empty. */
const emptied = (canvas: HTMLCanvasElement): CanvasRenderingContext2D | null => {
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  context?.reset();
  context?.scale(ratio, ratio);
  return context;
};

/** Nothing is drawn beyond the image, where there is nothing to compare it with. */
const keepWithin = (context: CanvasRenderingContext2D, size: { rows: number; columns: number }, place: Place) => {
  const [top, bottom, left, right] = [-0.5, size.rows - 0.5, -0.5, size.columns - 0.5];
  const corners = [
    { row: top, column: left },
    { row: top, column: right },
    { row: bottom, column: right },
    { row: bottom, column: left },
  ];
  context.beginPath();
  for (const corner of corners) context.lineTo(...place(corner));
  context.closePath();
  context.clip();
};

const fill = (context: CanvasRenderingContext2D, one: Prepared, matrix: DOMMatrix) => {
  if (one.area) {
    context.fillStyle = cssColour(one.colour);
    context.fill(moved(one.area, matrix), 'evenodd');
  }
  if (!one.picture) return;
  const { bitmap, column, row } = one.picture;
  context.save();
  context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
  // What was marked are pixels: nothing is made up between them.
  context.imageSmoothingEnabled = false;
  context.drawImage(bitmap, column - 0.5, row - 0.5);
  context.restore();
};

export type Canvas = {
  canvas: HTMLCanvasElement;
  viewport: StackViewport;
  /** The image that is drawn below. */
  image: { rows: number; columns: number };
};

/** Draws over a picture what goes on it, and nothing else. */
export const paint = ({ canvas, viewport, image }: Canvas, prepared: readonly Prepared[], look: SegmentLook): void => {
  const context = emptied(canvas);
  const own = placeOn(viewport, undefined);
  if (!context || !own || prepared.length === 0) return;
  keepWithin(context, image, own);
  const placed = prepared.flatMap((one) => {
    const place = one.grid ? placeOn(viewport, one.grid) : own;
    return place ? [{ one, matrix: matrixOf(place) }] : [];
  });
  if (look.style !== 'outline') {
    context.globalAlpha = look.opacity;
    for (const { one, matrix } of placed) fill(context, one, matrix);
  }
  context.globalAlpha = 1;
  context.lineWidth = lineWidth;
  context.lineCap = 'round';
  for (const { one, matrix } of placed) {
    // Points and open lines have no area: they are lines whatever the style.
    if (look.style === 'fill' && (one.picture || one.area)) continue;
    context.strokeStyle = cssColour(one.colour);
    context.stroke(moved(one.line, matrix));
  }
};

/** Takes away what is drawn. */
export const clear = (canvas: HTMLCanvasElement): void => void emptied(canvas);
