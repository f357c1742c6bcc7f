import type { StackViewport } from '@cornerstonejs/core';
import { plus, times, type Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import { type Pixel, pointAt, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import { cssColor } from './color.ts';
import type { PreparedPart } from './prepare-parts.ts';

/** Style of segments: areas, outlines or both. `opacity` applies to areas, from 0 (invisible) to 1 (opaque). */
export type SegmentLook = { style: 'both' | 'outline' | 'fill'; opacity: number };

const lineWidth = 1.75;

type Place = (pixel: Pixel) => readonly [number, number];

/** Returns a conversion from pixels of the drawn image to the screen. Works without a position in the patient. */
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

/** Distance in pixels between the two points from which the scale of a grid is measured. */
const measured = 100;

/**
 * Returns the matrix from columns and rows of a grid to the screen, for the current pan, zoom, rotation and mirroring.
 */
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

/** Clears the canvas and gives it the size of its element, in screen pixels. */
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

/** Clips to the image, because segments outside it cannot be compared with anything. */
const clipToImage = (context: CanvasRenderingContext2D, size: { rows: number; columns: number }, place: Place) => {
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

const fill = (context: CanvasRenderingContext2D, one: PreparedPart, matrix: DOMMatrix) => {
  if (one.area) {
    context.fillStyle = cssColor(one.color);
    context.fill(moved(one.area, matrix), 'evenodd');
  }
  if (!one.picture) return;
  const { bitmap, column, row } = one.picture;
  context.save();
  context.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
  // No interpolation, because segments consist of whole pixels.
  context.imageSmoothingEnabled = false;
  context.drawImage(bitmap, column - 0.5, row - 0.5);
  context.restore();
};

export type Canvas = {
  canvas: HTMLCanvasElement;
  viewport: StackViewport;
  /** Size of the image below the segments. */
  image: { rows: number; columns: number };
};

/** Clears the canvas and draws the segments of an image. */
export const paintSegments = (
  { canvas, viewport, image }: Canvas,
  prepared: readonly PreparedPart[],
  look: SegmentLook,
): void => {
  const context = emptied(canvas);
  const own = placeOn(viewport, undefined);
  if (!context || !own || prepared.length === 0) return;
  clipToImage(context, image, own);
  const positioned = prepared.flatMap((one) => {
    const place = one.grid ? placeOn(viewport, one.grid) : own;
    return place ? [{ one, matrix: matrixOf(place) }] : [];
  });
  if (look.style !== 'outline') {
    context.globalAlpha = look.opacity;
    for (const { one, matrix } of positioned) fill(context, one, matrix);
  }
  context.globalAlpha = 1;
  context.lineWidth = lineWidth;
  context.lineCap = 'round';
  for (const { one, matrix } of positioned) {
    // Points and open lines have no area, so they are drawn as lines in each style.
    if (look.style === 'fill' && (one.picture || one.area)) continue;
    context.strokeStyle = cssColor(one.color);
    context.stroke(moved(one.line, matrix));
  }
};

export const clear = (canvas: HTMLCanvasElement): void => void emptied(canvas);
