import { type AnyHeader, itemsIn, numberIn, numbersIn, textsIn } from './any-header.ts';
import { type Color, colorOfLab } from './cielab.ts';
import { type OverlayPlane, overlayPlanesOf } from './overlay-planes.ts';

const tag = {
  shape: '00181600',
  /** Left and right vertical, upper and lower horizontal edge. */
  edges: ['00181602', '00181604', '00181606', '00181608'],
  center: '00181610',
  radius: '00181612',
  vertices: '00181620',
  presentationValue: '00181622',
  overlayGroup: '00181623',
  color: '00181624',
  ofFrame: '00189472',
  shared: '52009229',
  perFrame: '52009230',
} as const;

/** Point in image pixels: x to the right, y downward. 0, 0 is the upper left corner of the first pixel. */
type PixelPoint = { x: number; y: number };

/**
 * Visible outline of a shutter, in image pixels (PS3.3 §C.7.6.11). If there are several shutters, each hides everything
 * outside its outline.
 */
export type Shutter = readonly PixelPoint[];

/** Converts a pixel number, counted from 1, to the position of its center. The center of the first pixel is 0.5. */
const middle = (counted: number): number => counted - 0.5;

const rectangle = (header: AnyHeader): Shutter | undefined => {
  const [left, right, upper, lower] = tag.edges.map((edge) => numberIn(header, edge));
  if (left === undefined || right === undefined || upper === undefined || lower === undefined) return undefined;
  // The pixels at the edges are fully visible, so the outline includes them.
  return [
    { x: left - 1, y: upper - 1 },
    { x: right, y: upper - 1 },
    { x: right, y: lower },
    { x: left - 1, y: lower },
  ];
};

const sides = 180;

const circle = (header: AnyHeader): Shutter | undefined => {
  const [row, column] = numbersIn(header, tag.center);
  const radius = numberIn(header, tag.radius);
  if (row === undefined || column === undefined || !radius || Number.isNaN(row + column)) return undefined;
  return Array.from({ length: sides }, (_, at) => ({
    x: middle(column) + radius * Math.cos((2 * Math.PI * at) / sides),
    y: middle(row) + radius * Math.sin((2 * Math.PI * at) / sides),
  }));
};

const polygon = (header: AnyHeader): Shutter | undefined => {
  const numbers = numbersIn(header, tag.vertices);
  if (numbers.length < 6 || numbers.some(Number.isNaN)) return undefined;
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => ({
    x: middle(numbers[2 * at + 1] ?? 0),
    y: middle(numbers[2 * at] ?? 0),
  }));
};

const shapes: Record<string, (header: AnyHeader) => Shutter | undefined> = {
  RECTANGULAR: rectangle,
  CIRCULAR: circle,
  POLYGONAL: polygon,
};

/** Returns the shutters of a state. Omits incomplete shutters, which `unreadShutters` reports. */
export const shuttersOf = (header: AnyHeader): Shutter[] =>
  textsIn(header, tag.shape)
    .map((shape) => shapes[shape]?.(header))
    .filter((outline) => outline !== undefined);

/** Returns the group of the overlay plane that is a shutter: "6000". */
const shutterGroupOf = (item: AnyHeader): string | undefined => {
  if (!textsIn(item, tag.shape).includes('BITMAP')) return undefined;
  return (numberIn(item, tag.overlayGroup) ?? 0).toString(16).toUpperCase();
};

/**
 * Returns the overlay plane that is a bitmap shutter: it hides the pixels that it marks, and is not drawn otherwise
 * (PS3.3 §C.7.6.15). `item` has the shutter, `header` the plane. Undefined without a bitmap shutter, or if its plane
 * cannot be read.
 */
export const bitmapShutterOf = (item: AnyHeader, header: AnyHeader): OverlayPlane | undefined => {
  const group = shutterGroupOf(item);
  return overlayPlanesOf(header).find(({ plane, isReadable }) => isReadable && plane.group === group)?.plane;
};

/** Returns the number of shutters that cannot be drawn. `item` has the shutters, `header` the plane of a bitmap. */
export const unreadShutters = (item: AnyHeader, header: AnyHeader = item): number =>
  textsIn(item, tag.shape).length - shuttersOf(item).length - (bitmapShutterOf(item, header) ? 1 : 0);

/**
 * Returns the item that has the shutter of a frame (from 0) of an image: its functional group, or the image (PS3.3
 * §C.7.6.11, C.7.6.16.2.17).
 */
export const shutterItemOf = (header: AnyHeader, frame: number): AnyHeader => {
  const ofFrame = itemsIn(header, tag.perFrame)[frame];
  const [ofAll] = itemsIn(header, tag.shared);
  const [item] = [ofFrame, ofAll].flatMap((group) => (group ? itemsIn(group, tag.ofFrame) : []));
  return item ?? header;
};

/**
 * Returns the color of the hidden area. The file gives a color in CIELab, or a gray as a P-Value of 16 bits. Black if it
 * gives neither.
 */
export const shutterColorOf = (item: AnyHeader): Color => {
  const color = colorOfLab(numbersIn(item, tag.color).filter(Number.isFinite));
  if (color) return color;
  const value = Math.min(Math.max(numberIn(item, tag.presentationValue) ?? 0, 0), 65_535);
  const gray = Math.round((value / 65_535) * 255);
  return [gray, gray, gray];
};

/** Calls `hide` with each run of pixels of a row that any of the shutters hides: from `start` up to before `end`. */
export const eachHiddenRun = (
  shutters: readonly Shutter[],
  { rows, columns }: { rows: number; columns: number },
  hide: (row: number, start: number, end: number) => void,
): void => {
  for (const outline of shutters) {
    for (let row = 0; row < rows; row += 1) {
      const crossings = crossingsOf(outline, row + 0.5);
      let start = 0;
      for (let at = 0; at + 1 < crossings.length; at += 2) {
        // A pixel is visible if its center is inside the outline.
        const [from, to] = [pixelAfter(crossings[at] ?? 0, columns), pixelAfter(crossings[at + 1] ?? 0, columns)];
        if (from > start) hide(row, start, from);
        start = Math.max(start, to);
      }
      if (start < columns) hide(row, start, columns);
    }
  }
};

/** Returns the first pixel whose center is not left of a place. */
const pixelAfter = (place: number, columns: number): number => Math.min(Math.max(Math.ceil(place - 0.5), 0), columns);

/** Returns the places where an outline crosses a line, from left to right. */
const crossingsOf = (outline: Shutter, y: number): number[] =>
  outline
    .flatMap((from, at) => {
      const to = outline[(at + 1) % outline.length] ?? from;
      if (from.y <= y === to.y <= y) return [];
      return [from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)];
    })
    .toSorted((one, other) => one - other);
