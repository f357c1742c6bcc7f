import { InterpolationType } from '@cornerstonejs/core/enums';
import type { StackViewport } from '@cornerstonejs/core';
import { beforeEach, expect, test, vi } from 'vitest';
import { shownGrey, stackWithoutScreen } from '#test/stack-without-graphics.ts';
import { invert, setWindow } from './view-commands.ts';
import { drawOnProcessor } from './processor-drawing.ts';

/** Stands for the class of browsers, which the test environment lacks. */
class Picture {
  readonly width: number;
  readonly height: number;
  readonly data: Uint8ClampedArray;
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.data = new Uint8ClampedArray(width * height * 4);
  }
}

beforeEach(() => void vi.stubGlobal('ImageData', Picture));

type Engine = { resize: () => void };

let lastNumber = 0;

type Drawn = { picture: ImageData; left: number; top: number };

/** Returns a stack with an image of 4 x 4 pixels, whose values are 0 to 15. The screen has 200 x 200 pixels. */
const stack = async (prepare: (engine: Engine) => void = () => {}) => {
  lastNumber += 1;
  const viewport = await stackWithoutScreen([{ imageId: `processor:${lastNumber}`, center: 8, width: 16 }]);
  prepare(viewport.getRenderingEngine());
  drawOnProcessor(viewport);
  const drawn: Drawn[] = [];
  const context = {
    fillRect: () => undefined,
    putImageData: (picture: ImageData, left: number, top: number) => drawn.push({ picture, left, top }),
  };
  const { canvas } = viewport as StackViewport & { canvas: HTMLCanvasElement };
  Object.defineProperty(canvas, 'clientWidth', { value: 200 });
  Object.assign(canvas, { getContext: () => context });
  const internals = viewport as unknown as {
    getUseCustomRenderingPipeline: () => boolean;
    customRenderViewportToCanvas: () => object;
  };
  const draws = () => internals.getUseCustomRenderingPipeline();
  /** Returns the gray at a place of the screen, from 0 to 255. */
  const grayAt = (x: number, y: number): number | undefined => {
    drawn.length = 0;
    expect(draws()).toBe(true);
    internals.customRenderViewportToCanvas();
    const [last] = drawn;
    return last?.picture.data[((y - last.top) * last.picture.width + x - last.left) * 4];
  };
  return { viewport, draws, grayAt };
};

/** Each image pixel is 50 screen pixels wide. The middle of a pixel shows its own value. */
const middle = (pixel: number) => pixel * 50 + 25;

test('a gray image is drawn on the processor in the place and grays of the imaging library', async () => {
  const { viewport, grayAt } = await stack();

  for (const [column, row] of [
    [0, 0],
    [3, 0],
    [1, 2],
    [3, 3],
  ] as const) {
    const expected = 255 * shownGrey(viewport, row * 4 + column);
    // The middle of a pixel lies between two pixels of the screen, which differ by a fiftieth of a value or of a row.
    expect(Math.abs((grayAt(middle(column), middle(row)) ?? Number.NaN) - expected)).toBeLessThan(4);
  }
});

test('window, inversion and mirroring change the drawn image as they change the image of the library', async () => {
  const { viewport, grayAt } = await stack();

  setWindow(viewport, { lower: 0, upper: 5 });
  expect(grayAt(middle(3), middle(3))).toBe(255);
  invert(viewport);
  expect(grayAt(middle(3), middle(3))).toBe(0);
  expect(grayAt(middle(0), middle(0))).toBeGreaterThan(245);
  viewport.setCamera({ flipHorizontal: true });
  expect(grayAt(middle(3), middle(0))).toBeGreaterThan(245);
});

test('an image without interpolation is drawn in rectangles', async () => {
  const { viewport, grayAt } = await stack();
  viewport.setProperties({ interpolationType: InterpolationType.NEAREST });

  expect(grayAt(51, 10)).toBe(grayAt(99, 40));
  expect(grayAt(49, 10)).not.toBe(grayAt(51, 10));
});

test('a filtered image, and one with a second layer, are left to the imaging library', async () => {
  const { viewport, draws } = await stack();
  expect(draws()).toBe(true);

  viewport.setProperties({ sharpening: 0.5 });
  expect(draws()).toBe(false);
  viewport.setProperties({ sharpening: 0 });
  expect(draws()).toBe(true);

  const [layer] = viewport.getActors();
  if (!layer) throw new Error('The stack has no image');
  Object.assign(viewport, { getActors: () => [layer, layer] });
  expect(draws()).toBe(false);
});

test('the imaging library sets the size of the viewport, also when the processor draws it', async () => {
  const whileResizing: boolean[] = [];
  const { viewport, draws } = await stack((engine) => {
    engine.resize = () => void whileResizing.push(draws());
  });

  viewport.getRenderingEngine().resize();

  expect(whileResizing).toEqual([false]);
  expect(draws()).toBe(true);
});
