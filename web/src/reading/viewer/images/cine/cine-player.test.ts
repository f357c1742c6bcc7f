import { expect, test } from 'vitest';
import { createCinePlayer, type Screen } from './cine-player.ts';
import type { CineTiming } from './cine-timing.ts';

const timing = (frames: number, more: Partial<CineTiming> = {}): CineTiming => ({
  durations: Array.from({ length: frames }, () => 100),
  rate: 10,
  isRecorded: true,
  isSwinging: false,
  first: 0,
  last: frames - 1,
  ...more,
});

/** Returns a screen that draws requested frames when the test says so, with a manual clock. */
const makeScreen = () => {
  let notifyShown: Parameters<Screen['onShown']>[0] = () => {};
  let waiting: ((now: number) => void) | undefined;
  let now = 0;
  const requestedFrames: number[] = [];
  const absent = new Set<number>();
  const draw = (frame = requestedFrames.at(-1)) =>
    frame !== undefined && !absent.has(frame) && notifyShown(frame, false);
  const screen: Screen = {
    isHere: (frame) => !absent.has(frame),
    show: (frame) => requestedFrames.push(frame),
    onShown: (listener) => {
      notifyShown = listener;
      return () => {};
    },
    beforeNextDrawing: (run) => {
      waiting = run;
      return () => {
        waiting = undefined;
      };
    },
  };
  /** Advances the clock without drawing. */
  const wait = (milliseconds: number) => {
    now += milliseconds;
    const run = waiting;
    waiting = undefined;
    run?.(now);
  };
  return {
    screen,
    asked: requestedFrames,
    absent,
    draw,
    wait,
    fail: (frame: number) => notifyShown(frame, true),
    isIdle: () => waiting === undefined,
    /** Plays on a screen that draws at once, every `step` milliseconds. */
    run: (milliseconds: number, step = 50) => {
      for (let passed = 0; passed < milliseconds; passed += step) {
        const before = requestedFrames.length;
        wait(step);
        if (requestedFrames.length > before) draw();
      }
    },
  };
};

const start = (frames: number, more: Partial<CineTiming> = {}) => {
  const hands = makeScreen();
  const player = createCinePlayer(timing(frames, more), hands.screen);
  const close = player.open();
  hands.draw(0);
  const play = () => {
    player.play();
    hands.wait(0);
  };
  return { ...hands, player, play, close };
};

test('a cine plays in a loop and shows each frame for its duration', () => {
  const { player, play, run, asked: requestedFrames } = start(4);

  play();
  run(600);

  expect(requestedFrames).toEqual([1, 2, 3, 0, 1, 2]);
  expect(player.state()).toMatchObject({ frame: 2, dropped: 0, isPlaying: true });
});

test('frames with different durations are each shown for their own duration', () => {
  const { play, run, asked: requestedFrames } = start(3, { durations: [100, 300, 100] });

  play();
  run(400);
  expect(requestedFrames).toEqual([1, 2]);
  run(100);
  expect(requestedFrames).toEqual([1, 2, 0]);
});

test('sweeping playback turns at both ends and shows each end once', () => {
  const { player, play, run, asked: requestedFrames } = start(3);

  player.setCourse('swing');
  play();
  run(700);

  expect(requestedFrames).toEqual([1, 2, 1, 0, 1, 2, 1]);
});

test('a cine sweeps back and forth if its header says so', () => {
  const { play, run, asked: requestedFrames } = start(3, { isSwinging: true });

  play();
  run(400);

  expect(requestedFrames).toEqual([1, 2, 1, 0]);
});

test('a trimmed cine jumps into its range and stays there', () => {
  const { player, play, run, asked: requestedFrames, draw } = start(8);

  player.setRange(3, 5);
  draw();
  play();
  run(700);

  expect(requestedFrames).toEqual([3, 4, 5, 3, 4, 5, 3, 4]);
});

test('a new range applies from the next frame on, and a range of one frame shows only this frame', () => {
  const { player, play, run, asked: requestedFrames, draw } = start(8);

  play();
  run(300);
  player.setRange(1, 2);
  draw();
  run(400);
  player.setRange(2, 2);
  run(300);

  expect(requestedFrames).toEqual([1, 2, 3, 2, 1, 2, 1, 2]);
});

test('a cine plays at the requested speed and ignores a speed of zero', () => {
  const { player, play, run, asked: requestedFrames } = start(8);

  player.setSpeed(2);
  player.setSpeed(0);
  play();
  run(200);

  expect(requestedFrames).toEqual([1, 2, 3, 4]);
  expect(player.state()).toMatchObject({ speed: 2, requestedRate: 20 });
});

test('pausing keeps the frame on the screen although the next frame was requested', () => {
  const { player, play, wait, asked: requestedFrames } = start(8);

  play();
  wait(100);
  player.pause();

  expect(requestedFrames).toEqual([1, 0]);
  expect(player.state()).toMatchObject({ frame: 0, isPlaying: false });
});

test('frames without enough time to draw are dropped and counted, and the others keep their order', () => {
  const { player, play, asked: requestedFrames, wait, draw } = start(10);

  play();
  wait(100);
  wait(100);
  wait(100);
  draw();
  wait(100);
  draw();
  draw();

  expect(requestedFrames).toEqual([1, 3, 4]);
  expect(player.state()).toMatchObject({ frame: 4, dropped: 1 });
});

test('the clock of a cine stops while a frame loads, and no frame is dropped', () => {
  const { player, play, asked: requestedFrames, absent, wait, draw } = start(10);
  absent.add(1);

  play();
  for (let times = 0; times < 8; times += 1) wait(100);
  expect(requestedFrames).toEqual([1]);
  absent.clear();
  draw();
  wait(100);

  expect(requestedFrames).toEqual([1, 2]);
  expect(player.state().dropped).toBe(0);
});

test('a frame that fails to load is skipped', () => {
  const { player, play, asked: requestedFrames, absent, wait, fail } = start(10);
  absent.add(1);

  play();
  wait(100);
  fail(1);
  wait(100);

  expect(requestedFrames).toEqual([1, 2]);
  expect(player.state().frame).toBe(0);
});

test('a cine continues at the same frame after the tab was in the background', () => {
  const { player, play, asked: requestedFrames, wait } = start(10);

  play();
  wait(60_000);
  wait(100);

  expect(requestedFrames).toEqual([1]);
  expect(player.state().dropped).toBe(0);
});

test('the shown frame rate counts drawn frames, not requested frames', () => {
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

test('drawing a frame again does not extend its duration', () => {
  const { play, asked: requestedFrames, wait, draw } = start(10);

  play();
  wait(60);
  draw(0);
  wait(60);

  expect(requestedFrames).toEqual([1]);
});

test('a step counts from the last requested frame and stops the cine', () => {
  const { player, play, asked: requestedFrames, isIdle } = start(5);

  play();
  player.step(1);
  player.step(1);
  player.step(-9);
  player.goTo(99);

  expect(requestedFrames).toEqual([1, 2, 0, 4]);
  expect(player.state().isPlaying).toBe(false);
  expect(isIdle()).toBe(true);
});

test('after another control changes the frame, the cine plays on from there', () => {
  const { player, play, run, asked: requestedFrames, draw } = start(9);

  draw(6);
  expect(player.state().frame).toBe(6);
  play();
  run(200);

  expect(requestedFrames).toEqual([7, 8]);
});

test('a single frame does not play', () => {
  const { player, play } = start(1);

  play();

  expect(player.state().isPlaying).toBe(false);
});

test('a closed player requests no frames', () => {
  const { close, play, wait, asked: requestedFrames, isIdle } = start(9);
  play();

  close();
  wait(500);

  expect(requestedFrames).toEqual([]);
  expect(isIdle()).toBe(true);
});

test('a step counts from the frame that another control has requested', () => {
  const { screen, asked: requestedFrames, draw } = makeScreen();
  const player = createCinePlayer(timing(12), screen);
  player.open();
  player.goTo(10);
  draw();

  player.yield(0);
  player.step(1);

  expect(requestedFrames.at(-1)).toBe(1);
});
