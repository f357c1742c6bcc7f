import { expect, type Page } from '@playwright/test';
import type { Point } from './viewer-steps.ts';

/** From where to where a finger goes, in coordinates of the page. */
export type Path = readonly [from: Point, to: Point];

/** How long a finger rests after each of its moves, in milliseconds. */
const pause = 30;
const moves = 8;

type Kind = 'touchStart' | 'touchMove' | 'touchEnd' | 'touchCancel';

/** The fingers of somebody who holds the page in the hand, as the browser hears of them from a screen. */
export const fingersOn = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  const send = async (type: Kind, points: readonly Point[]) => {
    await session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
    await page.waitForTimeout(pause);
  };
  /** Puts the fingers down one after the other, leads them along, and answers where they are then. */
  const lead = async (paths: readonly Path[]) => {
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
      const last = await lead(paths);
      for (const index of [...paths.keys()].reverse()) await send('touchEnd', last.slice(0, index));
    },
    tap: async (point: Point) => {
      await send('touchStart', [point]);
      await send('touchEnd', []);
    },
    /** The device takes the finger away in the middle of its way: a hand lies on the screen, or somebody calls. */
    interrupted: async (path: Path) => {
      await lead([path]);
      await send('touchCancel', []);
    },
  };
};

/** Two fingers about a point that part from one distance to another, in CSS pixels. */
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

/** Expects the page to lie as it lay, neither scrolled nor magnified by fingers, and nothing of it beside the screen. */
export const expectPageStill = async (page: Page) => {
  const lie = await page.evaluate(() => ({
    scrolled: [window.scrollX, window.scrollY],
    magnified: window.visualViewport?.scale,
    beside: document.documentElement.scrollWidth - window.innerWidth,
  }));
  expect(lie).toEqual({ scrolled: [0, 0], magnified: 1, beside: 0 });
};
