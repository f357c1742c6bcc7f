import { beatEvery, lapsesAfter, lockErrors, readingLocks } from '@radwork/contract/reading-locks';
import { ApiError, call, unasked } from '#core/api.ts';
import { isAttended } from '#core/attention.ts';

/**
 * How it stands with a lock: asked for; held; refused by the server, which says why with the report; or uncertain, when
 * the server has not been heard for so long that somebody else may have it.
 */
export type LockState = 'asked' | 'held' | 'refused' | 'uncertain';

/** How soon to try again when the server does not answer, in milliseconds. */
const retryEvery = 5000;

type HeldLock = { release: () => Promise<void> };

const locks = new Set<HeldLock>();

/** What is taken again at once must not be released by what was sent before. */
let releasing: Promise<unknown> = Promise.resolve();

/** Whoever signs out waits no longer than so for what lapses by itself. In milliseconds. */
const patience = 2000;

/** Gives back whatever is held in this tab; for signing out. */
export const releaseReadingLocks = async (): Promise<void> => {
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  await Promise.race([Promise.all([...locks].map((lock) => lock.release())), late]);
};

/**
 * Takes the lock on the report of a study and keeps it until it is released. It is kept in a hidden tab too: whoever
 * writes looks at the images in another window. Browsers slow the clock of hidden tabs to a minute, which is still soon
 * enough. `onChange` hears how it stands.
 */
export const holdReadingLock = (
  studyId: string,
  { isAnother, onChange }: { isAnother: boolean; onChange: (state: LockState) => void },
): HeldLock => {
  const params = { id: studyId };
  let isTaken = false;
  /** When the text was opened, by the server's clock: the lock may be gone for a while, and the text goes on. */
  let since: string | undefined;
  let isOver = false;
  let lastHeard = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underway: Promise<void> = Promise.resolve();

  const ask = async () => {
    // Nobody is kept signed in by a page that they have left open.
    const options = isAttended() ? {} : { headers: unasked };
    const reading = isTaken
      ? await call(readingLocks.beat, { params }, options)
      : await call(readingLocks.take, { params, body: { isAnother, since } }, options);
    since ??= reading.since;
  };

  /** Says that somebody writes here; returns after how many milliseconds to say so again. */
  const say = async (): Promise<number> => {
    try {
      await ask();
      isTaken = true;
      lastHeard = Date.now();
      if (!isOver) onChange('held');
      return beatEvery;
    } catch (error) {
      return isOver ? beatEvery : afterFailure(error);
    }
  };

  const afterFailure = (error: unknown): number => {
    if (isLapsed(error)) {
      isTaken = false;
      return 0;
    }
    if (isRefusal(error)) {
      isTaken = false;
      onChange('refused');
      return beatEvery;
    }
    if (Date.now() - lastHeard >= lapsesAfter * 1000) onChange('uncertain');
    return retryEvery;
  };

  const goOn = () => {
    underway = say().then((pause) => {
      if (!isOver) timer = setTimeout(goOn, pause);
    });
  };

  const begin = () => {
    isOver = false;
    isTaken = false;
    underway = releasing.then(goOn);
  };

  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };

  const sendRelease = () => call(readingLocks.release, { params }, { keepalive: true }).catch(() => undefined);

  // A page that is left has no time to wait for what it has asked before.
  const onHide = () => {
    end();
    void sendRelease();
  };
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) begin();
  };
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);

  const lock: HeldLock = {
    release: () => {
      if (!locks.delete(lock)) return releasing.then(() => undefined);
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('pageshow', onShow);
      end();
      const released = underway.then(() => (isTaken ? sendRelease() : undefined));
      releasing = released;
      return released.then(() => undefined);
    },
  };
  locks.add(lock);
  begin();
  return lock;
};

const isLapsed = (error: unknown): boolean => error instanceof ApiError && error.error === lockErrors.lapsed;

/** The server has decided; everything else is tried again. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && [403, 404, 409].includes(error.status);
