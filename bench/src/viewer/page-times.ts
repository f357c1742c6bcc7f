import type { BrowserContext, Page } from '@playwright/test';
import type { Viewer } from './compared-viewers.ts';
import { type CanvasTimes, watchCanvas } from './watch-canvas.ts';

/** Times of one opening in milliseconds since the page began to load. */
export type Opening = { first: number; library: number; complete: number };

/** Time limit in milliseconds. It is longer than any acceptable opening. */
const patience = 180_000;

const seenOn = (page: Page): Promise<CanvasTimes> => page.evaluate(() => Reflect.get(window, 'seen') as CanvasTimes);

const firstPicture = async (page: Page): Promise<{ first: number; library: number }> => {
  await page.waitForFunction(() => (Reflect.get(window, 'seen') as CanvasTimes).library !== undefined, null, {
    timeout: patience,
    polling: 50,
  });
  const { first = Number.NaN, library = Number.NaN } = await seenOn(page);
  return { first, library };
};

/** Counts the frames that a page receives. Resolves with the time of the last one. */
const framesOn = (page: Page, count: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const frames = new Set<string>();
    const timer = setTimeout(() => reject(new Error(`Only ${frames.size} of ${count} frames came`)), patience);
    page.on('requestfinished', (request) => {
      const [frame] = /instances\/[^/]+\/frames\/\d+/.exec(request.url()) ?? [];
      if (!frame) return;
      frames.add(frame);
      if (frames.size < count) return;
      clearTimeout(timer);
      resolve(performance.now() - began);
    });
  });

const newPage = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.addInitScript(watchCanvas);
  return page;
};

/** Opens a study in a browser with an empty cache. Passes its times to `use`, when the first image and all frames are there. */
const opened = async <T>(
  viewer: Viewer,
  { address, frames }: { address: string; frames: number },
  use: (page: Page, times: Opening) => Promise<T>,
): Promise<T> => {
  const context = await viewer.open();
  try {
    const page = await newPage(context);
    const complete = framesOn(page, frames);
    // The promise is awaited below. Until then, this prevents an unhandled rejection.
    complete.catch(() => undefined);
    await page.goto(address, { waitUntil: 'commit' });
    return await use(page, { ...(await firstPicture(page)), complete: await complete });
  } finally {
    await context.close();
  }
};

/** Waits for the first image and all frames of a study. */
export const timeOpening = (viewer: Viewer, address: string, frames: number): Promise<Opening> =>
  opened(viewer, { address, frames }, (_, times) => Promise.resolve(times));

/** Time in milliseconds without a change after which the planes count as final. */
const calm = 2000;

/**
 * Waits for the first plane and all frames of a volume, and until the planes change no more: `settled` is the time of their
 * last change.
 */
export const timeVolume = (viewer: Viewer, address: string, frames: number): Promise<Opening & { settled: number }> =>
  opened(viewer, { address, frames }, async (page, times) => {
    const isCalm = (pause: number) => {
      const last = (Reflect.get(window, 'seen') as CanvasTimes).changes.at(-1) ?? 0;
      return performance.now() - last > pause;
    };
    await page.waitForFunction(isCalm, calm, { timeout: patience, polling: 250 });
    return { ...times, settled: (await seenOn(page)).changes.at(-1) ?? Number.NaN };
  });

/** OHIF shows a tour for new users over the image. */
const closeTour = async (page: Page) => {
  const skip = page.getByText('Skip all');
  if (await skip.isVisible()) await skip.click();
};

/**
 * Turns the wheel in each frame of the page. A browser that is driven from outside gets a turn in every second frame at
 * most, also on an empty page: 33.3 ms at 60 Hz.
 */
const turnWheel = (page: Page, turns: number) =>
  page.evaluate(async (count) => {
    const [clientX, clientY] = [720, 500];
    const target = document.elementFromPoint(clientX, clientY);
    for (let turn = 0; turn < count; turn += 1) {
      await new Promise(requestAnimationFrame);
      // Waits until the frame is drawn. A turn before the viewer draws would replace the image of the turn before.
      await new Promise((resolve) => setTimeout(resolve));
      // Chromium gives a made event the opposite sign of `wheelDeltaY`, so it needs its own value.
      const wheel = { deltaY: 100, wheelDeltaY: -100, clientX, clientY, bubbles: true, cancelable: true };
      target?.dispatchEvent(new WheelEvent('wheel', wheel));
    }
  }, turns);

/** Scrolls through a loaded stack, one image for each turn of the wheel. Returns the times between visible images. */
export const timeScrolling = (viewer: Viewer, address: string, frames: number): Promise<number[]> =>
  opened(viewer, { address, frames }, async (page) => {
    await page.waitForTimeout(3000);
    await closeTour(page);
    const from = (await seenOn(page)).changes.length;
    await page.mouse.move(720, 500);
    await turnWheel(page, frames - 10);
    await page.waitForTimeout(1500);
    const { changes } = await seenOn(page);
    return changes.slice(from + 1).map((time, at) => time - (changes[from + at] ?? time));
  });
