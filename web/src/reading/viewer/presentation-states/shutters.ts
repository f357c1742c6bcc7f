import { type DicomJson, numberOf, valuesOf } from '@radwork/dicom/dataset';
import type { PixelPoint } from './image-references.ts';

/**
 * Visible outline of a shutter, in image pixels (PS3.3 §C.7.6.11). If there are several shutters, each hides everything
 * outside its outline.
 */
export type Shutter = readonly PixelPoint[];

/** Converts a pixel number, counted from 1, to the position of its center. The center of the first pixel is 0.5. */
const middle = (counted: number): number => counted - 0.5;

const rectangle = (header: DicomJson): Shutter | undefined => {
  const edges = ['Left', 'Right'].map((side) => numberOf(header, `Shutter${side}VerticalEdge`));
  const others = ['Upper', 'Lower'].map((side) => numberOf(header, `Shutter${side}HorizontalEdge`));
  const [left, right, upper, lower] = [...edges, ...others];
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

const circle = (header: DicomJson): Shutter | undefined => {
  const [row, column] = valuesOf(header, 'CenterOfCircularShutter').map(Number);
  const radius = numberOf(header, 'RadiusOfCircularShutter');
  if (row === undefined || column === undefined || radius === undefined) return undefined;
  return Array.from({ length: sides }, (_, at) => ({
    x: middle(column) + radius * Math.cos((2 * Math.PI * at) / sides),
    y: middle(row) + radius * Math.sin((2 * Math.PI * at) / sides),
  }));
};

const polygon = (header: DicomJson): Shutter | undefined => {
  const numbers = valuesOf(header, 'VerticesOfThePolygonalShutter').map(Number);
  if (numbers.length < 6) return undefined;
  return Array.from({ length: Math.floor(numbers.length / 2) }, (_, at) => ({
    x: middle(numbers[2 * at + 1] ?? 0),
    y: middle(numbers[2 * at] ?? 0),
  }));
};

const shapes: Record<string, (header: DicomJson) => Shutter | undefined> = {
  RECTANGULAR: rectangle,
  CIRCULAR: circle,
  POLYGONAL: polygon,
};

/** Returns the shutters of a state. Omits incomplete shutters, which `unreadShutters` reports. */
export const shuttersOf = (header: DicomJson): Shutter[] =>
  valuesOf(header, 'ShutterShape')
    .map((shape) => shapes[typeof shape === 'string' ? shape.trim() : '']?.(header))
    .filter((outline) => outline !== undefined);

export const unreadShutters = (header: DicomJson): number =>
  valuesOf(header, 'ShutterShape').length - shuttersOf(header).length;
