import type { StackViewport, Types } from '@cornerstonejs/core';
import {
  type ColorTable,
  coveredArea,
  drawPlane,
  type PlacedPlane,
  type PlacePoint,
  type PlaneValues,
} from '#reading/viewer/images/gray/plane-picture.ts';

/** Curve of the imaging library from values to colors. `getTable` writes red, green and blue from 0 to 1. */
type Curve = {
  getRange: () => [number, number];
  getMTime: () => number;
  getTable: (lower: number, upper: number, size: number, colors: Float32Array) => void;
};

/** The used part of the image that a viewport draws (vtk.js ImageSlice, ImageMapper, ImageProperty and ImageData). */
type DrawnSlice = {
  isA: (name: string) => boolean;
  getVisibility: () => boolean;
  getMapper: () => {
    getColorTextureWidth: () => number;
    getNumberOfClippingPlanes: () => number;
    getInputData: () => {
      getDimensions: () => [number, number, number];
      worldToIndex: (point: Types.Point3) => Types.Point3;
      getPointData: () => { getScalars: () => { getData: () => unknown; getNumberOfComponents: () => number } };
    };
  };
  getProperty: () => {
    getOpacity: () => number;
    getInterpolationType: () => number;
    getUseLabelOutline: () => boolean;
    getUseLookupTableScalarRange: () => boolean;
    getRGBTransferFunction: (component: number) => Curve | null;
    getPiecewiseFunction: (component: number) => unknown;
  };
};

/** The fields of a viewport that its own drawing uses. */
type ViewportInternals = {
  canvas: HTMLCanvasElement;
  sWidth: number;
  sHeight: number;
  viewportStatus: unknown;
  suppressEvents?: boolean;
  getUseCustomRenderingPipeline: () => boolean;
  customRenderViewportToCanvas: () => unknown;
};

const internalsOf = (viewport: StackViewport) => viewport as unknown as ViewportInternals;

/** Smallest side of a viewport that the imaging library draws, in pixels. */
const smallestSide = 2;

/** Returns the only image of a viewport if it has one value for each pixel, drawn through a curve alone. */
const plainSliceOf = (viewport: StackViewport): DrawnSlice | undefined => {
  const [entry, another] = viewport.getActors();
  const slice = entry?.actor as unknown as DrawnSlice | undefined;
  if (!slice || another || !slice.isA('vtkImageSlice') || !slice.getVisibility()) return undefined;
  const [mapper, property] = [slice.getMapper(), slice.getProperty()];
  const { smoothing = 0, sharpening = 0 } = viewport.getProperties();
  const data = mapper.getInputData();
  const scalars = data.getPointData().getScalars();
  const isPlain =
    scalars.getNumberOfComponents() === 1 &&
    isTyped(scalars.getData()) &&
    data.getDimensions()[2] === 1 &&
    property.getOpacity() === 1 &&
    !property.getUseLabelOutline() &&
    property.getUseLookupTableScalarRange() &&
    property.getRGBTransferFunction(0) !== null &&
    !property.getPiecewiseFunction(0) &&
    mapper.getNumberOfClippingPlanes() === 0 &&
    smoothing === 0 &&
    sharpening === 0;
  return isPlain ? slice : undefined;
};

const types = [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array, Float32Array];

const isTyped = (values: unknown): values is PlaneValues => types.some((type) => values instanceof type);

/** Number of colors in a table: more than grays of a screen, and a multiple of the points of most curves. */
const fewestEntries = 4096;

const tables = new WeakMap<Curve, { at: number; width: number; table: ColorTable }>();

/**
 * Returns the colors of a curve as the graphics card takes them: from `width` points, interpolated between their centers.
 * The table stays until the curve changes.
 */
const tableOf = (curve: Curve, width: number): ColorTable => {
  const before = tables.get(curve);
  const at = curve.getMTime();
  if (before?.at === at && before.width === width) return before.table;
  const [lower, upper] = curve.getRange();
  const points = new Float32Array(width * 3);
  curve.getTable(lower, upper, width, points);
  const entries = new Uint32Array(Math.max(fewestEntries, width));
  for (const index of entries.keys()) {
    const place = Math.min(width - 1, Math.max(0, ((index + 0.5) / entries.length) * width - 0.5));
    const first = Math.min(Math.floor(place), Math.max(0, width - 2));
    const part = (color: 0 | 1 | 2): number => {
      const [one = 0, other = 0] = [points[first * 3 + color], points[first * 3 + 3 + color]];
      return Math.round(255 * Math.min(1, Math.max(0, one + (other - one) * (place - first))));
    };
    entries[index] = 0xff_00_00_00 | (part(2) << 16) | (part(1) << 8) | part(0);
  }
  const table = { entries, lower, upper };
  tables.set(curve, { at, width, table });
  return table;
};

/** Returns the place of an image on the screen by three points of the screen. */
const placed = (viewport: StackViewport, slice: DrawnSlice, { width, height }: Size): PlacedPlane => {
  const data = slice.getMapper().getInputData();
  const ratio = window.devicePixelRatio || 1;
  const placeAt = (x: number, y: number): PlacePoint => {
    const [column, row] = data.worldToIndex(viewport.canvasToWorld([x / ratio, y / ratio]));
    return { column, row };
  };
  const [corner, right, bottom] = [placeAt(0, 0), placeAt(width, 0), placeAt(0, height)];
  const step = (end: PlacePoint, count: number): PlacePoint => ({
    column: (end.column - corner.column) / count,
    row: (end.row - corner.row) / count,
  });
  const [across, down] = [step(right, width), step(bottom, height)];
  const [columns, rows] = data.getDimensions();
  return {
    values: data.getPointData().getScalars().getData() as PlaneValues,
    rows,
    columns,
    origin: {
      column: corner.column + (across.column + down.column) / 2,
      row: corner.row + (across.row + down.row) / 2,
    },
    across,
    down,
    isSmooth: slice.getProperty().getInterpolationType() === 1,
  };
};

type Size = { width: number; height: number };

/** Pixels of the last drawing of a viewport, used again for the next image. */
type Buffer = { picture: ImageData; words: Uint32Array };

const bufferOf = (before: Buffer | undefined, { width, height }: Size): Buffer => {
  if (before?.picture.width === width && before.picture.height === height) return before;
  const picture = new ImageData(width, height);
  return { picture, words: new Uint32Array(picture.data.buffer) };
};

type Engine = { resize: (...terms: never[]) => unknown };

/** Engines that are resizing their viewports. */
const resizing = new WeakSet<Engine>();

const watched = new WeakSet<Engine>();

/** Notes while an engine resizes its viewports. */
const watchResizing = (engine: Engine) => {
  if (watched.has(engine)) return;
  watched.add(engine);
  const resize = engine.resize.bind(engine);
  engine.resize = (...terms) => {
    resizing.add(engine);
    try {
      return resize(...terms);
    } finally {
      resizing.delete(engine);
    }
  };
};

/**
 * Draws the gray images of a viewport on the processor. For browsers that only emulate a graphics card, as on most remote
 * desktops and virtual machines: an emulated card takes 20 ms for an image, and the processor 5 ms. Place, interpolation
 * and colors are those of the imaging library. All other images stay with the library: colors, several layers, filters.
 */
export const drawOnProcessor = (viewport: StackViewport) => {
  const internals = internalsOf(viewport);
  const engine: Engine = viewport.getRenderingEngine();
  watchResizing(engine);
  let slice: DrawnSlice | undefined;
  let buffer: Buffer | undefined;

  internals.getUseCustomRenderingPipeline = () => {
    // The library takes viewports with a drawing of their own for videos and leaves their size to them. The picture would
    // be stretched, and marks would lie elsewhere.
    if (resizing.has(engine)) return false;
    const { canvas, sWidth, sHeight } = internals;
    const isTooSmall = sWidth < smallestSide || sHeight < smallestSide || canvas.clientWidth === 0;
    slice = isTooSmall ? undefined : plainSliceOf(viewport);
    return slice !== undefined;
  };

  internals.customRenderViewportToCanvas = () => {
    const { canvas, sWidth: width, sHeight: height, viewportStatus, suppressEvents } = internals;
    const { element, id: viewportId, renderingEngineId } = viewport;
    if (canvas.width !== width || canvas.height !== height) {
      Object.assign(canvas, { width, height });
      canvas.style.aspectRatio = `${width} / ${height}`;
    }
    const context = canvas.getContext('2d');
    const curve = slice?.getProperty().getRGBTransferFunction(0);
    if (context && slice && curve) {
      const plane = placed(viewport, slice, { width, height });
      const area = coveredArea(plane, { width, height });
      context.fillStyle = 'black';
      context.fillRect(0, 0, width, height);
      if (area.width > 0 && area.height > 0) {
        buffer = bufferOf(buffer, area);
        drawPlane(buffer.words, area, plane, tableOf(curve, slice.getMapper().getColorTextureWidth()));
        context.putImageData(buffer.picture, area.left, area.top);
      }
    }
    slice = undefined;
    return { canvas, element, viewportId, renderingEngineId, viewportStatus, suppressEvents };
  };
};
