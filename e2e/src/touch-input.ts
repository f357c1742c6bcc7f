import { expect, type Page } from '@playwright/test';
import type { Point } from './viewer-steps.ts';

/** Start and end of a finger's movement, in page coordinates. */
export type Path = readonly [from: Point, to: Point];

/** Pause after each movement, in milliseconds. */
const pause = 30;
const moves = 8;

type Kind = 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel';

/** Touches on a page, as a touch screen sends them to the browser. */
export const fingersOn = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const send = async (type: Kind, points: readonly Point[]) => {
    await session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
    await page.waitForTimeout(pause);
  };
  /** Puts the fingers down one after another, moves them, and returns their last positions. */
  const moveFingers = async (paths: readonly Path[]) => {
    const at = (move: number) =>
      paths.map(([from, to]) => ({
        x: from.x + ((to.x - from.x) * move) / moves,
        y: from.y + ((to.y - from.y) * move) / moves,
      }));
    for (const index of paths.keys()) await send('touchStart', at(0).slice(0, index + 1));
    for (let move = 1; move <= moves; move += 1) await send('touchMove', at(move));
    return at(moves);
  };
  return {
    drag: async (...paths: readonly Path[]) => {
      const last = await moveFingers(paths);
      for (const index of [...paths.keys()].reverse()) await send('touchEnd', last.slice(0, index));
    },
    tap: async (point: Point) => {
      await send('touchStart', [point]);
      await send('touchEnd', []);
    },
    /** Cancels a touch during its movement, as the device does for a resting palm or a phone call. */
    interrupted: async (path: Path) => {
      await moveFingers([path]);
      await send('touchCancel', []);
    },
  };
};

/** Two fingers around a point that move apart, in CSS pixels. */
export const parting = ({ x, y }: Point, from: number, to: number): [Path, Path] => [
  [
    { x: x - from / 2, y },
    { x: x - to / 2, y },
  ],
  [
    { x: x + from / 2, y },
    { x: x + to / 2, y },
  ],
];

/** Expects the page not to be scrolled, zoomed or wider than the screen. */
export const expectPageStill = async (page: Page) => {
  const pageState = await page.evaluate(() => ({
    scrolled: [window.scrollX, window.scrollY],
    magnified: window.visualViewport?.scale,
    beside: document.documentElement.scrollWidth - window.innerWidth,
  }));
  expect(pageState).toEqual({ scrolled: [0, 0], magnified: 1, beside: 0 });
};
