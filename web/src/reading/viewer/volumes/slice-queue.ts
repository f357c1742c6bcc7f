/** Steps of the order in which slices are fetched: every 16th slice shows the patient in a plane through all slices. */
const steps = [16, 8, 4, 2, 1];

/**
 * Returns how late a slice is fetched. First come the slices on both sides of `focus`, which is a position in slices
 * with fractions. Then every 16th slice, every 8th and so on.
 */
const rankOf = (slice: number, focus: number): number =>
  Math.abs(slice - focus) < 1 ? 0 : 1 + steps.findIndex((step) => slice % step === 0);

/** Place of a slice in the order: its rank, and within a rank the distance from the focus. The lowest comes first. */
export type SlicePriority = { slice: number; rank: number; distance: number };

const isBefore = (one: SlicePriority, other: SlicePriority | undefined): boolean =>
  !other || one.rank < other.rank || (one.rank === other.rank && one.distance < other.distance);

/** Returns the slice that is fetched next for a reader at `focus`. Undefined if none is left. */
export const nextSlice = (waiting: Iterable<number>, focus: number): SlicePriority | undefined => {
  let first: SlicePriority | undefined;
  for (const slice of waiting) {
    const one = { slice, rank: rankOf(slice, focus), distance: Math.abs(slice - focus) };
    if (isBefore(one, first)) first = one;
  }
  return first;
};

/**
 * Number of slices in work at once, for all volumes of a page: six requests, because a browser sends at most six to a
 * server without HTTP/2, and those that are decoded meanwhile. More would make a new focus wait.
 */
const mostInWork = 8;

export type SliceQueue = {
  /** Fetches the slices around this position first. */
  focusOn: (focus: number) => void;
  /** Starts no further slice. */
  stop: () => void;
};

type Waiting = {
  slices: Set<number>;
  focus: number;
  load: (slice: number) => Promise<void>;
  inWork: number;
  isStopped: boolean;
};

/** Queues of the page, in the order of their volumes: the lowest volume of a fusion first. */
const queues = new Set<Waiting>();

let inWork = 0;

const startNext = (): boolean => {
  let first: { queue: Waiting; priority: SlicePriority } | undefined;
  for (const queue of queues) {
    const priority = nextSlice(queue.slices, queue.focus);
    // Volumes have different numbers of slices, so only the rank is compared between them.
    if (priority && (!first || priority.rank < first.priority.rank)) first = { queue, priority };
  }
  if (!first) return false;
  const { queue, priority } = first;
  queue.slices.delete(priority.slice);
  if (queue.slices.size === 0) queues.delete(queue);
  queue.inWork += 1;
  inWork += 1;
  void queue.load(priority.slice).finally(() => {
    if (queue.isStopped) return;
    queue.inWork -= 1;
    inWork -= 1;
    fill();
  });
  return true;
};

const fill = () => {
  while (inWork < mostInWork && startNext());
};

/**
 * Loads the slices of a volume, counted from 0, those around `focus` first. `load` must not reject. Slices of several
 * volumes share the requests: the first slices of each volume come before all others.
 */
export const queueSlices = (count: number, focus: number, load: (slice: number) => Promise<void>): SliceQueue => {
  const slices = new Set(Array.from({ length: count }, (_, slice) => slice));
  const queue: Waiting = { slices, focus, load, inWork: 0, isStopped: false };
  queues.add(queue);
  // Waits, so that the volumes that are made together start together.
  queueMicrotask(fill);
  return {
    focusOn: (next) => {
      queue.focus = next;
    },
    stop: () => {
      if (queue.isStopped) return;
      queue.isStopped = true;
      queues.delete(queue);
      queue.slices.clear();
      // Requests of a closed series may take long to end. The next series does not wait for them.
      inWork -= queue.inWork;
      fill();
    },
  };
};
