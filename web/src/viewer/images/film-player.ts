import type { FilmTiming } from './film-timing.ts';

/** How a film goes on at its end: from the beginning again, or back the way it came. */
export type Course = 'loop' | 'swing';

/** What a film is played on. It draws one frame after another and says when it has. */
export type Screen = {
  /** Whether a frame can be drawn at once. */
  isHere: (frame: number) => boolean;
  /** Asks for a frame to be drawn; it is fetched when it is not here. */
  show: (frame: number) => void;
  /** Calls back when a frame has been drawn, or is known never to come. Answers with how to stop that. */
  onShown: (shown: (frame: number, isMissing: boolean) => void) => () => void;
  /** Calls back once, with the time in milliseconds, before the screen is drawn the next time. */
  beforeNextDrawing: (run: (now: number) => void) => () => void;
};

export type FilmState = {
  isPlaying: boolean;
  /** The frame on the screen, from 0. */
  frame: number;
  /** The first and last frame that are played, from 0. */
  first: number;
  last: number;
  course: Course;
  /** 1 is as fast as it was recorded. */
  speed: number;
  /** Frames per second that are due, and that were drawn lately; undefined until that can be told. */
  asked: number;
  reached: number | undefined;
  /** Frames that were due and never drawn, since it was started. */
  dropped: number;
};

export type FilmPlayer = ReturnType<typeof createFilmPlayer>;

/** A tab in the background draws nothing: what is longer, in milliseconds, was no playing. */
const longestStep = 1000;

/** How long the rate that was reached is counted over, in milliseconds: a second, of a slow film a few frames. */
const countedOver = (rate: number) => Math.max(1000, 4000 / rate);

const limited = (value: number, lowest: number, highest: number) => Math.min(highest, Math.max(lowest, value));

/**
 * Plays a film by the time that has passed, and never asks for a frame before the one before has been drawn: what is
 * shown is in order, and what there was no time for is left out and counted. While a frame is on its way time stands
 * still. Whoever else moves the film (wheel, keys) is followed.
 */
export const createFilmPlayer = ({ durations, ...timing }: FilmTiming, screen: Screen) => {
  const end = durations.length - 1;
  let state: FilmState = {
    isPlaying: false,
    frame: 0,
    first: timing.first,
    last: timing.last,
    course: timing.isSwinging ? 'swing' : 'loop',
    speed: 1,
    asked: timing.rate,
    reached: undefined,
    dropped: 0,
  };
  const listeners = new Set<() => void>();
  /** The frame that is due, how long it has been, in milliseconds of the film, and where it goes from there. */
  let due = { frame: 0, since: 0, direction: 1 };
  /** What was asked for and is not drawn yet. */
  let awaited: number | undefined;
  let lastTime: number | undefined;
  let drawings: number[] = [];
  /** How many frames have become due since one was asked for. */
  let overdue = 0;
  let cancel = () => {};

  const change = (changes: Partial<FilmState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };

  const ask = (frame: number) => {
    awaited = frame;
    screen.show(frame);
  };

  /** Goes on by as much time of the film; answers how many frames that is. */
  const advance = (milliseconds: number): number => {
    due.since += milliseconds;
    let steps = 0;
    for (let stay = durations[due.frame] ?? 100; due.since >= stay; stay = durations[due.frame] ?? 100) {
      due = { ...frameAfter(due.frame, due.direction, state), since: due.since - stay };
      steps += 1;
    }
    return steps;
  };

  /** Asks for what is due, unless what was asked for is still to be drawn. */
  const proceed = () => {
    if (awaited !== undefined || overdue === 0) return;
    if (overdue > 1) change({ dropped: state.dropped + overdue - 1 });
    overdue = 0;
    if (due.frame !== state.frame) ask(due.frame);
  };

  const tick = (now: number) => {
    cancel = screen.beforeNextDrawing(tick);
    const passed = lastTime === undefined ? 0 : now - lastTime;
    lastTime = now;
    const isFetching = awaited !== undefined && !screen.isHere(awaited);
    if (isFetching || passed > longestStep || state.first === state.last) return;
    overdue += advance(passed * state.speed);
    proceed();
  };

  const onShown: Parameters<Screen['onShown']>[0] = (frame, isMissing) => {
    const isAwaited = awaited === frame;
    if (isAwaited) awaited = undefined;
    if (!isMissing && (isAwaited || frame !== state.frame)) {
      // Where nothing was asked for, somebody else has moved the film, and it goes on from there.
      if (!isAwaited && awaited === undefined) due = { ...due, frame, since: 0 };
      drawings = [...drawings, lastTime ?? 0].filter((time) => (lastTime ?? 0) - time <= countedOver(state.asked));
      change({ frame, reached: state.isPlaying ? reachedOf(drawings) : undefined });
    }
    if (state.isPlaying) proceed();
  };

  const begin = () => {
    due = { frame: limited(state.frame, state.first, state.last), since: 0, direction: 1 };
    overdue = 0;
    drawings = [];
    lastTime = undefined;
    awaited = undefined;
    change({ isPlaying: true, dropped: 0, reached: undefined });
    if (due.frame !== state.frame) ask(due.frame);
    cancel = screen.beforeNextDrawing(tick);
  };

  const stop = () => {
    cancel();
    awaited = undefined;
    if (state.isPlaying) change({ isPlaying: false, reached: undefined });
  };

  /** Stays at the frame that is seen: one that is still on its way would come under the pointer of whoever measures. */
  const pause = () => {
    const wasAwaited = awaited !== undefined && state.isPlaying;
    stop();
    if (wasAwaited) ask(state.frame);
  };

  /** Shows a frame, inside the range or not, and stays there. */
  const goTo = (frame: number) => {
    stop();
    ask(limited(Math.round(frame), 0, end));
  };

  return {
    state: () => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    play: () => {
      if (!state.isPlaying && end > 0) begin();
    },
    pause,
    /** Stops, because somebody else moves it, to a frame that will come: steps count from there. */
    yield: (to: number) => {
      stop();
      awaited = to;
    },
    goTo,
    /** Goes so many frames on from where it is going, and stays there. */
    step: (by: number) => goTo((awaited ?? state.frame) + by),
    setSpeed: (speed: number) => {
      if (speed > 0 && Number.isFinite(speed)) change({ speed, asked: timing.rate * speed });
    },
    setCourse: (course: Course) => {
      if (course === 'loop') due.direction = 1;
      change({ course });
    },
    /** Plays only from one frame to another, both included; one may be the other. */
    setRange: (first: number, last: number) => {
      const from = limited(Math.round(first), 0, end);
      const to = limited(Math.round(last), from, end);
      due.frame = limited(due.frame, from, to);
      change({ first: from, last: to });
      if (state.frame < from || state.frame > to) ask(limited(state.frame, from, to));
    },
    /** Begins to follow the screen. Answers with how to leave it alone. */
    open: () => {
      const stopListening = screen.onShown(onShown);
      return () => {
        stop();
        stopListening();
      };
    },
  };
};

/** The frame after one, and which way it goes on. */
const frameAfter = (frame: number, direction: number, { first, last, course }: FilmState) => {
  const next = frame + direction;
  if (next >= first && next <= last) return { frame: next, direction };
  if (course === 'loop' || first === last) return { frame: first, direction: 1 };
  return { frame: limited(frame - direction, first, last), direction: -direction };
};

/** Frames per second, by when they were drawn; of two frames that is one in the time between. */
const reachedOf = (drawings: readonly number[]): number | undefined => {
  const [first] = drawings;
  const last = drawings.at(-1);
  return first === undefined || last === undefined || last <= first
    ? undefined
    : (1000 * (drawings.length - 1)) / (last - first);
};
