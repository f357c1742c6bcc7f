import type { ImageLook } from '@radwork/contract/reading/key-images';
import type { PixelShape } from '#imaging/archive/pixels/pixel-format.ts';

/** How a user viewed an image: the pixel spacing and all settings except the gray window. */
export type ViewedAs = Omit<ImageLook, 'window'> & {
  columnSpacing: number;
  rowSpacing: number;
  /** Shape of the pixels. */
  shape: PixelShape;
  /** True when the table of the image is used, even if the image also has a window. */
  isThroughTable: boolean;
  /** The range from dark to bright in each color, of 255. Null for unchanged colors. */
  brightness: ImageLook['window'];
};

type Size = { columns: number; rows: number };
type Point = readonly [x: number, y: number];
type Rectangle = { left: number; top: number; width: number; height: number };

/** Steps from an image to the view: crop, scale, mirror, rotate, and crop again after an oblique rotation. */
export type ViewedRegion = {
  /** In columns and rows of the image. */
  cut: Rectangle;
  /** In pixels of the rendered image. */
  size: { width: number; height: number };
  /** The visible square after the rotation, measured from the center. Undefined when all is visible. */
  square: { middle: Point; half: number } | undefined;
};

/** Rotates clockwise on the screen, because rows count downward. */
const turned = ([x, y]: Point, degrees: number): Point => {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return [x * cos - y * sin, x * sin + y * cos];
};

const mirrored = ([x, y]: Point, { isMirroredAcross, isMirroredDown }: ViewedAs): Point => [
  isMirroredAcross ? -x : x,
  isMirroredDown ? -y : y,
];

const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** Returns the range of columns or rows between places, which are measured from the center of the image. */
const pixelsBetween = (places: readonly number[], spacing: number, count: number) => {
  const from = within(Math.floor(Math.min(...places) / spacing + count / 2 + 1e-6), count);
  const to = within(Math.ceil(Math.max(...places) / spacing + count / 2 - 1e-6), count);
  return { from, length: to - from };
};

/**
 * Returns the visible square around the center of the screen. Its side is the longer side of the image, divided by the
 * zoom.
 */
const squareOf = (view: ViewedAs, { columns, rows }: Size) => ({
  middle: [-view.pan[0], -view.pan[1]] as Point,
  half: Math.max(columns * view.columnSpacing, rows * view.rowSpacing) / view.zoom / 2,
});

const cutOf = (view: ViewedAs, size: Size): Rectangle => {
  const { middle, half } = squareOf(view, size);
  const corners = [-half, half].flatMap((x) =>
    [-half, half].map((y) => mirrored(turned([middle[0] + x, middle[1] + y], -view.rotation), view)),
  );
  const across = pixelsBetween(
    corners.map(([x]) => x),
    view.columnSpacing,
    size.columns,
  );
  const down = pixelsBetween(
    corners.map(([, y]) => y),
    view.rowSpacing,
    size.rows,
  );
  return { left: across.from, top: down.from, width: across.length, height: down.length };
};

/**
 * Returns the part of an image that a user saw after zoom and pan. The width of the screen is unknown, so the part is
 * the square that every screen shows. An image without magnification, or moved off the screen, is shown whole. No side
 * has more than `longest` pixels, and the image is never enlarged.
 */
export const viewedRegion = (view: ViewedAs, image: Size, longest: number): ViewedRegion => {
  const wholeImage = { left: 0, top: 0, width: image.columns, height: image.rows };
  const part = view.zoom > 1 ? cutOf(view, image) : wholeImage;
  const isSeen = part.width > 0 && part.height > 0;
  const cut = isSeen ? part : wholeImage;
  const { shape, columnSpacing, rowSpacing } = view;
  const [width, height] = [cut.width * shape.wide, cut.height * shape.tall];
  const scale = Math.min(1, longest / Math.max(width, height));
  const isShapeSeen = Math.abs((columnSpacing * shape.tall) / (rowSpacing * shape.wide) - 1) < 0.01;
  const isTurned = isSeen && view.zoom > 1 && view.rotation % 90 !== 0;
  return {
    cut,
    size: { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) },
    square:
      isTurned && isShapeSeen ? squareAfterTurn(view, image, cut, (scale * shape.wide) / columnSpacing) : undefined,
  };
};

/** Returns the visible square after mirroring and rotation, in pixels from the center of the cropped part. */
const squareAfterTurn = (view: ViewedAs, image: Size, cut: Rectangle, scale: number) => {
  const { middle, half } = squareOf(view, image);
  const middleOfCut: Point = [
    (cut.left + cut.width / 2 - image.columns / 2) * view.columnSpacing,
    (cut.top + cut.height / 2 - image.rows / 2) * view.rowSpacing,
  ];
  const [x, y] = turned(mirrored(middleOfCut, view), view.rotation);
  return { middle: [(middle[0] - x) * scale, (middle[1] - y) * scale] as Point, half: half * scale };
};
