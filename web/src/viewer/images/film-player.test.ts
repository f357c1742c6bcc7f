import { expect, test } from 'vitest';
import { createFilmPlayer, type Screen } from './film-player.ts';
import type { FilmTiming } from './film-timing.ts';

const timing = (frames: number, more: Partial<FilmTiming> = {}): FilmTiming => ({
  durations: Array.from({ length: frames }, () => 100),
  rate: 10,
  isRecorded: true,
  isSwinging: false,
  first: 0,
  last: frames - 1,
  ...more,
});

/** A screen that draws what it was asked for when it is told to, and a clock that is turned by hand. */
const makeScreen = () => {
  let tell: Parameters<Screen['onShown']>[0] = () => {};
  let waiting: ((now: number) => void) | undefined;
  let now = 0;
  const asked: number[] = [];
  const absent = new Set<number>();
  const draw = (frame = asked.at(-1)) => frame !== undefined && !absent.has(frame) && tell(frame, false);
  const screen: Screen = {
    isHere: (frame) => !absent.has(frame),
    show: (frame) => asked.push(frame),
    onShown: (shown) => {
      tell = shown;
      return () => {};
    },
    beforeNextDrawing: (run) => {
      waiting = run;
      return () => {
        waiting = undefined;
      };
    },
  };
  /** Lets time pass without drawing anything. */
  const wait = (milliseconds: number) => {
    now += milliseconds;
    const run = waiting;
    waiting = undefined;
    run?.(now);
  };
  return {
    screen,
    asked,
    absent,
    draw,
    wait,
    fail: (frame: number) => tell(frame, true),
    isIdle: () => waiting === undefined,
    /** Plays on a screen that draws at once, `step` milliseconds from one drawing to the next. */
    run: (milliseconds: number, step = 50) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        const before = asked.length;
        wait(step);
        if (asked.length > before) draw();
      }
    },
  };
};

const start = (frames: number, more: Partial<FilmTiming> = {}) => {
  const hands = makeScreen();
  const player = createFilmPlayer(timing(frames, more), hands.screen);
  const close = player.open();
  hands.draw(0);
  const play = () => {
    player.play();
    hands.wait(0);
  };
  return { ...hands, player, play, close };
};

test('a film goes round in order, each frame for as long as it lasts', () => {
  const { player, play, run, asked } = start(4);

  play();
  run(600);

  expect(asked).toEqual([1, 2, 3, 0, 1, 2]);
  expect(player.state()).toMatchObject({ frame: 2, dropped: 0, isPlaying: true });
});

test('frames of different lengths each stay for their own', () => {
  const { play, run, asked } = start(3, { durations: [100, 300, 100] });

  play();
  run(400);
  expect(asked).toEqual([1, 2]);
  run(100);
  expect(asked).toEqual([1, 2, 0]);
});

test('swinging, it turns at both ends and shows each end once', () => {
  const { player, play, run, asked } = start(3);

  player.setCourse('swing');
  play();
  run(700);

  expect(asked).toEqual([1, 2, 1, 0, 1, 2, 1]);
});

test('a film that is meant to swing does', () => {
  const { play, run, asked } = start(3, { isSwinging: true });

  play();
  run(400);

  expect(asked).toEqual([1, 2, 1, 0]);
});

test('trimmed, it never leaves its range, and jumps into it at once', () => {
  const { player, play, run, asked, draw } = start(8);

  player.setRange(3, 5);
  draw();
  play();
  run(700);

  expect(asked).toEqual([3, 4, 5, 3, 4, 5, 3, 4]);
});

test('a range that is set while it plays holds from the next frame on, and of one frame it stands still', () => {
  const { player, play, run, asked, draw } = start(8);

  play();
  run(300);
  player.setRange(1, 2);
  draw();
  run(400);
  player.setRange(2, 2);
  run(300);

  expect(asked).toEqual([1, 2, 3, 2, 1, 2, 1, 2]);
});

test('it plays at the speed that is asked for', () => {
  const { player, play, run, asked } = start(8);

  player.setSpeed(2);
  player.setSpeed(0);
  play();
  run(200);

  expect(asked).toEqual([1, 2, 3, 4]);
  expect(player.state()).toMatchObject({ speed: 2, asked: 20 });
});

test('paused, it stays at the frame that is seen, also when the next one is on its way', () => {
  const { player, play, wait, asked } = start(8);

  play();
  wait(100);
  player.pause();

  expect(asked).toEqual([1, 0]);
  expect(player.state()).toMatchObject({ frame: 0, isPlaying: false });
});

test('what there is no time to draw is left out and counted, and nothing comes out of order', () => {
  const { player, play, asked, wait, draw } = start(10);

  play();
  wait(100);
  wait(100);
  wait(100);
  draw();
  wait(100);
  draw();
  draw();

  expect(asked).toEqual([1, 3, 4]);
  expect(player.state()).toMatchObject({ frame: 4, dropped: 1 });
});

test('while a frame is on its way time stands still, and no frame is left out', () => {
  const { player, play, asked, absent, wait, draw } = start(10);
  absent.add(1);

  play();
  for (let times = 0; times < 8; times += 1) wait(100);
  expect(asked).toEqual([1]);
  absent.clear();
  draw();
  wait(100);

  expect(asked).toEqual([1, 2]);
  expect(player.state().dropped).toBe(0);
});

test('a frame that never comes is passed over', () => {
  const { player, play, asked, absent, wait, fail } = start(10);
  absent.add(1);

  play();
  wait(100);
  fail(1);
  wait(100);

  expect(asked).toEqual([1, 2]);
  expect(player.state().frame).toBe(0);
});

test('a tab that was in the background goes on where it was', () => {
  const { player, play, asked, wait } = start(10);

  play();
  wait(60_000);
  wait(100);

  expect(asked).toEqual([1]);
  expect(player.state().dropped).toBe(0);
});

test('what was reached is what was drawn, and not what was asked for', () => {
  const { player, play, run, wait, draw } = start(100);

  play();
  run(1000);
  expect(player.state().reached).toBeCloseTo(10);
  for (let times = 0; times < 8; times += 1) {
    wait(125);
    wait(125);
    draw();
  }

  expect(player.state().reached).toBeLessThan(5);
  expect(player.state().dropped).toBeGreaterThan(5);
});

test('drawing the same frame again, for a new zoom, does not hold it', () => {
  const { play, asked, wait, draw } = start(10);

  play();
  wait(60);
  draw(0);
  wait(60);

  expect(asked).toEqual([1]);
});

test('a step goes on from where the last one was going, and stops the film', () => {
  const { player, play, asked, isIdle } = start(5);

  play();
  player.step(1);
  player.step(1);
  player.step(-9);
  player.goTo(99);

  expect(asked).toEqual([1, 2, 0, 4]);
  expect(player.state().isPlaying).toBe(false);
  expect(isIdle()).toBe(true);
});

test('whoever else moves the film is followed, and it plays on from there', () => {
  const { player, play, run, asked, draw } = start(9);

  draw(6);
  expect(player.state().frame).toBe(6);
  play();
  run(200);

  expect(asked).toEqual([7, 8]);
});

test('a single picture does not play', () => {
  const { player, play } = start(1);

  play();

  expect(player.state().isPlaying).toBe(false);
});

test('closed, it leaves the screen alone', () => {
  const { close, play, wait, asked, isIdle } = start(9);
  play();

  close();
  wait(500);

  expect(asked).toEqual([]);
  expect(isIdle()).toBe(true);
});

test('a step counts from where somebody else is going, although that frame is not drawn yet', () => {
  const { screen, asked, draw } = makeScreen();
  const player = createFilmPlayer(timing(12), screen);
  player.open();
  player.goTo(10);
  draw();

  player.yield(0);
  player.step(1);

  expect(asked.at(-1)).toBe(1);
});
