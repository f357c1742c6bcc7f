import { expect, type Locator, type Page } from '@playwright/test';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { readCanvas } from './steps.ts';

/** Stores DICOM files as whoever is signed in on the page (STOW-RS, PS3.18 §10.5). */
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
 * Opens a study in the viewer by its StudyInstanceUID and waits for the first picture: one alone, whatever would hang
 * beside it by itself.
 */
export const openViewer = async (page: Page, studyUid: string) => {
  await page.evaluate(() => localStorage.setItem('preference.viewer-hanging', 'off'));
  await page.goto(`/viewer/${studyUid}`);
  await expect(imageNumber(page)).toBeVisible();
};

/** Shows the series of this description. */
export const showSeries = async (page: Page, description: string) => {
  await page.getByRole('navigation', { name: 'Series' }).getByRole('button', { name: description }).click();
  await expect(page.getByLabel('Pane 1').getByText(description)).toBeVisible();
};

/** Scrolls with the keyboard to an image of the stack, counted from 1. */
export const scrollTo = async (page: Page, number: number) => {
  await page.keyboard.press('Home');
  for (let at = 10; at < number; at += 10) await page.keyboard.press('PageDown');
  for (let at = 1; at <= (number - 1) % 10; at += 1) await page.keyboard.press('ArrowDown');
  await expect(imageNumber(page)).toHaveText(new RegExp(`^${number} / `));
};

export type Point = { x: number; y: number };

/** What is on the canvas of the viewer: how large it is, and the colour of the pixel that a point lies in, 0 to 255. */
export type Picture = {
  width: number;
  height: number;
  at: (point: Point) => { red: number; green: number; blue: number };
};

/** What is on the first canvas of the page, or of a part of it. */
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

/** Where an image lies on the canvas: its middle in the middle, as large as it fits. */
export type Placement = {
  /** Canvas pixels for each pixel of the image. */
  scale: number;
  /** The middle of an image's pixel, which may be a fraction, on the canvas. */
  of: (pixel: { row: number; column: number }) => Point;
};

export const placed = (picture: Picture, { rows, columns }: { rows: number; columns: number }): Placement => {
  const scale = Math.min(picture.width / columns, picture.height / rows);
  return {
    scale,
    of: ({ row, column }) => ({
      x: picture.width / 2 + (column - (columns - 1) / 2) * scale,
      y: picture.height / 2 + (row - (rows - 1) / 2) * scale,
    }),
  };
};

/** The page's coordinates of the corner of the first picture there. */
const cornerOf = async (within: Page | Locator): Promise<Point> => {
  const box = await within.locator('canvas.cornerstone-canvas').first().boundingBox();
  if (!box) throw new Error('There is no canvas');
  return box;
};

/**
 * Presses the mouse, leads it through points of the first canvas of the page, or of a part of it, and lets it go, as a
 * person does.
 */
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

/** Draws a line with the mouse, from and to points of the first canvas there. */
export const drag = (page: Page, from: Point, to: Point, within: Page | Locator = page) =>
  dragThrough(page, [from, { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 }, to], { within });

/** Clicks on a point of the first canvas there. */
export const clickOn = (page: Page, point: Point, within: Page | Locator = page) =>
  dragThrough(page, [point], { within });

/** The texts of the measurements on the picture. */
export const measurements = (within: Page | Locator) => within.locator('svg.svg-layer text');

/** Makes the page remember every graphics context it is given, from the next page load on. */
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

/** How many graphics contexts the page holds on the graphics card. A browser takes the oldest back from the sixteenth on. */
export const contextsInUse = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const contexts: Set<WebGL2RenderingContext> = Reflect.get(window, 'contexts');
    return [...contexts].filter((context) => !context.isContextLost()).length;
  });

/** How many nodes the page still holds once its garbage has been collected, those included that are on no screen any more. */
export const nodesHeld = async (page: Page): Promise<number> => {
  const session = await page.context().newCDPSession(page);
  // Twice: what the first collection lets go may have held something else.
  for (let times = 0; times < 2; times += 1) await session.send('HeapProfiler.collectGarbage');
  const { nodes } = await session.send('Memory.getDOMCounters');
  await session.detach();
  return nodes;
};
