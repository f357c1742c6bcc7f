import { expect, type Locator, type Page } from '@playwright/test';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { readCanvas } from './steps.ts';

/** Stores DICOM files as the signed-in user of the page (STOW-RS, PS3.18 §10.5). */
export const upload = async (page: Page, files: Iterable<{ bytes: Buffer }>) => {
  const boundary = newBoundary();
  const parts = Array.from(files, ({ bytes }) => [partHeader({ boundary, contentType: 'application/dicom' }), bytes]);
  const token = await page.evaluate(() => localStorage.getItem('token'));
  const response = await page.request.post('/api/stow-rs/studies', {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/dicom+json',
      'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}`,
    },
    data: Buffer.concat([...parts.flat(), closingBoundary(boundary)]),
  });
  expect(response.status(), await response.text()).toBe(200);
};

const imageNumber = (page: Page) => page.getByTestId('image-number');

/**
 * Opens a study in the viewer by StudyInstanceUID and waits for the first image. The hanging protocol is off, so there
 * is one viewport.
 */
export const openViewer = async (page: Page, studyUid: string) => {
  await page.evaluate(() => localStorage.setItem('preference.viewer-hanging', 'off'));
  await page.goto(`/viewer/${studyUid}`);
  await expect(imageNumber(page)).toBeVisible();
};

/** Shows the series with this description. */
export const showSeries = async (page: Page, description: string) => {
  await page.getByRole('navigation', { name: 'Series' }).getByRole('button', { name: description }).click();
  await expect(page.getByLabel('Viewport 1').getByText(description)).toBeVisible();
};

/** Scrolls with the keyboard to an image of the stack, counted from 1. */
export const scrollTo = async (page: Page, number: number) => {
  await page.keyboard.press('Home');
  for (let at = 10; at < number; at += 10) await page.keyboard.press('PageDown');
  for (let at = 1; at <= (number - 1) % 10; at += 1) await page.keyboard.press('ArrowDown');
  await expect(imageNumber(page)).toHaveText(new RegExp(`^${number} / `));
};

export type Point = { x: number; y: number };

/** Content of a viewer canvas: size, and color at a point, 0 to 255. */
export type Picture = {
  width: number;
  height: number;
  at: (point: Point) => { red: number; green: number; blue: number };
};

/** Reads the first canvas of the page or a part of it. */
export const pictureOn = async (page: Page, within: Page | Locator = page, canvases?: string): Promise<Picture> => {
  const { width, height, rgba } = await readCanvas(page, within, canvases);
  return {
    width,
    height,
    at: ({ x, y }) => {
      const index = (Math.floor(y) * width + Math.floor(x)) * 4;
      const [red = 0, green = 0, blue = 0] = rgba.subarray(index, index + 3);
      return { red, green, blue };
    },
  };
};

/** Placement of an image on the canvas: centered and fitted. */
export type Placement = {
  /** Canvas pixels per width of an image pixel. */
  scale: number;
  /** Center of an image pixel on the canvas; row and column may be fractions. */
  of: (pixel: { row: number; column: number }) => Point;
};

type Size = { rows: number; columns: number; tall?: number };

export const placementOf = (picture: Picture, { rows, columns, tall = 1 }: Size): Placement => {
  const scale = Math.min(picture.width / columns, picture.height / (rows * tall));
  return {
    scale,
    of: ({ row, column }) => ({
      x: picture.width / 2 + (column - (columns - 1) / 2) * scale,
      y: picture.height / 2 + (row - (rows - 1) / 2) * scale * tall,
    }),
  };
};

/** Page coordinates of the upper left corner of the first canvas. */
const cornerOf = async (within: Page | Locator): Promise<Point> => {
  const box = await within.locator('canvas.cornerstone-canvas').first().boundingBox();
  if (!box) throw new Error('There is no canvas');
  return box;
};

/** Drags the mouse through points of the first canvas of the page or a part of it, with pauses like a user. */
export const dragThrough = async (
  page: Page,
  points: readonly Point[],
  { pause = 120, within = page }: { pause?: number; within?: Page | Locator } = {},
) => {
  const corner = await cornerOf(within);
  for (const [at, { x, y }] of points.entries()) {
    await page.mouse.move(corner.x + x, corner.y + y);
    await page.waitForTimeout(pause);
    if (at === 0) await page.mouse.down();
    if (at === 0) await page.waitForTimeout(pause);
  }
  await page.mouse.up();
  await page.waitForTimeout(pause);
};

/** Draws a line with the mouse between two points of the first canvas. */
export const drag = (page: Page, from: Point, to: Point, within: Page | Locator = page) =>
  dragThrough(page, [from, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, to], { within });

/** Clicks a point of the first canvas. */
export const clickOn = (page: Page, point: Point, within: Page | Locator = page) =>
  dragThrough(page, [point], { within });

/** Texts of the measurements on the image. */
export const measurements = (within: Page | Locator) => within.locator('svg.svg-layer text');

/** Records every graphics context of the page, from the next page load. */
export const keepContexts = (page: Page) =>
  page.addInitScript(() => {
    const contexts = new Set<unknown>();
    const { prototype } = HTMLCanvasElement;
    prototype.getContext = new Proxy(Reflect.get(prototype, 'getContext'), {
      apply: (getContext, canvas, args) => {
        const context: unknown = Reflect.apply(getContext, canvas, args);
        if (context instanceof WebGL2RenderingContext || context instanceof WebGLRenderingContext)
          contexts.add(context);
        return context;
      },
    });
    Object.assign(window, { contexts });
  });

/** Number of graphics contexts in use. The browser drops the oldest after the 16th. */
export const contextsInUse = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const contexts: Set<WebGL2RenderingContext> = Reflect.get(window, 'contexts');
    return [...contexts].filter((context) => !context.isContextLost()).length;
  });

/** Number of DOM nodes after garbage collection, including detached ones. */
export const nodesHeld = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  // Collects twice, because the objects collected first may have held other objects.
  for (let times = 0; times < 2; times += 1) await session.send('HeapProfiler.collectGarbage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return nodes;
};
