import type { CineTiming } from './cine-timing.ts';

/** Behavior at the end of a cine: start again, or play backward. */
export type Course = 'loop' | 'swing';

/** Screen on which a cine plays. It draws frames and reports each drawing. */
export type Screen = {
  /** Whether a frame is loaded. */
  isHere: (frame: number) => boolean;
  /** Requests a frame to be drawn. Loads the frame first if needed. */
  show: (frame: number) => void;
  /** Calls back when a frame was drawn or has failed. Returns a function that stops the calls. */
  onShown: (listener: (frame: number, isMissing: boolean) => void) => () => void;
  /** Calls back once before the browser draws next, with the time in milliseconds. */
  beforeNextDrawing: (run: (now: number) => void) => () => void;
};

export type CineState = {
  isPlaying: boolean;
  /** Frame on the screen, from 0. */
  frame: number;
  /** First and last frame of the range, from 0. */
  first: number;
  last: number;
  course: Course;
  /** Speed relative to the recorded speed, which is 1. */
  speed: number;
  /** Frames per second: `requestedRate` is the wanted rate, `reached` is the drawn rate. Undefined until measured. */
  requestedRate: number;
  reached: number | undefined;
  /** Number of frames since the start that were skipped because they were late. */
  dropped: number;
};

export type CinePlayer = ReturnType<typeof createCinePlayer>;

/** Longest gap between drawings that counts as playing, in milliseconds. In a background tab, nothing is drawn. */
const longestStep = 1000;

/** Returns the period for measuring the rate, in milliseconds: a second, or a few frames of a slow cine. */
const countedOver = (rate: number) => Math.max(1000, 4000 / rate);

const limited = (value: number, lowest: number, highest: number) => Math.min(highest, Math.max(lowest, value));

/**
 * Plays a cine by elapsed time. Requests a frame only after the previous one was drawn, which keeps the order. Late
 * frames are skipped and counted. Time stops while a frame loads. If other controls move the cine (wheel, keys), the
 * player follows.
 */
export const createCinePlayer = ({ durations, ...timing }: CineTiming, screen: Screen) => {
  const end = durations.length - 1;
  let state: CineState = {
    isPlaying: false,
    frame: 0,
    first: timing.first,
    last: timing.last,
    course: timing.isSwinging ? 'swing' : 'loop',
    speed: 1,
    requestedRate: timing.rate,
    reached: undefined,
    dropped: 0,
  };
  const listeners = new Set<() => void>();
  /** Frame to show now, milliseconds of cine time since it became due, and direction. */
  let due = { frame: 0, since: 0, direction: 1 };
  /** Frame that was requested and is not drawn yet. */
  let awaited: number | undefined;
  let lastTime: number | undefined;
  let drawings: number[] = [];
  /** Number of frames that became due since the last request. */
  let overdue = 0;
  let cancel = () => {};

  const change = (changes: Partial<CineState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };

  const requestFrame = (frame: number) => {
    awaited = frame;
    screen.show(frame);
  };

  /** Advances the cine time. Returns the number of frames passed. */
  const advance = (milliseconds: number): number => {
    due.since += milliseconds;
    let steps = 0;
    for (let stay = durations[due.frame] ?? 100; due.since >= stay; stay = durations[due.frame] ?? 100) {
      due = { ...frameAfter(due.frame, due.direction, state), since: due.since - stay };
      steps += 1;
    }
    return steps;
  };

  /** Requests the frame to show now, unless an earlier request is pending. */
  const proceed = () => {
    if (awaited !== undefined || overdue === 0) return;
    if (overdue > 1) change({ dropped: state.dropped + overdue - 1 });
    overdue = 0;
    if (due.frame !== state.frame) requestFrame(due.frame);
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
      // No request was pending, so another control moved the cine. Playing continues from this frame.
      if (!isAwaited && awaited === undefined) due = { ...due, frame, since: 0 };
      drawings = [...drawings, lastTime ?? 0].filter(
        (time) => (lastTime ?? 0) - time <= countedOver(state.requestedRate),
      );
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
    if (due.frame !== state.frame) requestFrame(due.frame);
    cancel = screen.beforeNextDrawing(tick);
  };

  const stop = () => {
    cancel();
    awaited = undefined;
    if (state.isPlaying) change({ isPlaying: false, reached: undefined });
  };

  /** Stops at the frame on the screen. A pending frame would otherwise appear during a measurement. */
  const pause = () => {
    const wasAwaited = awaited !== undefined && state.isPlaying;
    stop();
    if (wasAwaited) requestFrame(state.frame);
  };

  /** Stops and shows a frame, which may lie outside the range. */
  const goTo = (frame: number) => {
    stop();
    requestFrame(limited(Math.round(frame), 0, end));
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
    /** Stops because another control moves the cine to frame `to`. Later steps count from that frame. */
    yield: (to: number) => {
      stop();
      awaited = to;
    },
    goTo,
    /** Stops and moves by a number of frames, counted from the requested frame. */
    step: (by: number) => goTo((awaited ?? state.frame) + by),
    setSpeed: (speed: number) => {
      if (speed > 0 && Number.isFinite(speed)) change({ speed, requestedRate: timing.rate * speed });
    },
    setCourse: (course: Course) => {
      if (course === 'loop') due.direction = 1;
      change({ course });
    },
    /** Limits playing to a range that includes both ends. A range of one frame is allowed. */
    setRange: (first: number, last: number) => {
      const from = limited(Math.round(first), 0, end);
      const to = limited(Math.round(last), from, end);
      due.frame = limited(due.frame, from, to);
      change({ first: from, last: to });
      if (state.frame < from || state.frame > to) requestFrame(limited(state.frame, from, to));
    },
    /** Starts to listen for frames that the screen shows. Returns a function that stops this. */
    open: () => {
      const stopListening = screen.onShown(onShown);
      return () => {
        stop();
        stopListening();
      };
    },
  };
};

/** Returns the next frame and direction. */
const frameAfter = (frame: number, direction: number, { first, last, course }: CineState) => {
  const next = frame + direction;
  if (next >= first && next <= last) return { frame: next, direction };
  if (course === 'loop' || first === last) return { frame: first, direction: 1 };
  return { frame: limited(frame - direction, first, last), direction: -direction };
};

/** Returns the frames per second from the times of the drawings. */
const reachedOf = (drawings: readonly number[]): number | undefined => {
  const [first] = drawings;
  const last = drawings.at(-1);
  return first === undefined || last === undefined || last <= first
    ? undefined
    : (1000 * (drawings.length - 1)) / (last - first);
};
