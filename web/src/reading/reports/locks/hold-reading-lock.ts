import { heartbeatMs, lapseSeconds, lockErrors, readingLocks } from '@radwork/contract/reading/reading-locks';
import { ApiError, call, backgroundHeaders } from '#core/http/api.ts';
import { hasRecentInput, hasRecentInputInAnyTab } from '#core/state/attention.ts';

/**
 * State of a reading lock. `refused`: the server refused it; the report holds the reason. `uncertain`: the server has
 * not answered for so long that another user may have the lock.
 */
export type LockState = 'asked' | 'held' | 'refused' | 'uncertain';

/** Pause before the next look for input, while the reader is idle, in milliseconds. */
const idleCheckEvery = 1000;

/** Pause before the next attempt when the server does not answer, in milliseconds. */
const retryEvery = 5000;

type ReadingLockHandle = { studyId: string; isReading: boolean; release: () => Promise<void> };

type LockOptions = {
  /** Whether the report is finalized and another one begins. */
  isAnother: boolean;
  /** Whether the study is open in reading mode. The lock then ends when the reader is idle, not when the page closes. */
  isReading?: boolean;
  onChange: (state: LockState) => void;
};

const locks = new Set<ReadingLockHandle>();

/** Release in progress. A new lock waits for it, because a late release would end the new lock. */
let releasing: Promise<unknown> = Promise.resolve();

/** Longest wait for releases at sign-out, in milliseconds. Locks that remain expire. */
const patience = 2000;

/** Releases all locks of this tab at sign-out. */
export const releaseReadingLocks = async (): Promise<void> => {
  const late = new Promise((resolve) => setTimeout(resolve, patience));
  await Promise.race([Promise.all([...locks].map((lock) => lock.release())), late]);
};

/**
 * Takes the reading lock of a study and renews it until released. `onChange` receives each new state. Hidden tabs keep
 * the lock too, because the reader may look at the images in another window. Browsers run timers of hidden tabs once a
 * minute, which is often enough.
 */
export const holdReadingLock = (
  studyId: string,
  { isAnother, isReading = false, onChange }: LockOptions,
): ReadingLockHandle => {
  const params = { id: studyId };
  let isTaken = false;
  /** Server time when the text was opened. It is kept when the lock is lost for a time, because the text stays open. */
  let since: string | undefined;
  let isOver = false;
  let lastHeard = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underway: Promise<void> = Promise.resolve();

  const requestLock = async () => {
    // A page left open without input must not extend the session.
    const options = hasRecentInput() ? {} : { headers: backgroundHeaders };
    const reading = isTaken
      ? await call(readingLocks.beat, { params }, options)
      : await call(readingLocks.take, { params, body: { isAnother, since, ...(isReading && { isReading }) } }, options);
    since ??= reading.since;
  };
  /** Whether the reading mode and the editor of this page hold the lock together. The last one releases it. */
  const isShared = (): boolean =>
    [...locks].some((other) => other !== lock && other.studyId === studyId && other.isReading !== isReading);
  /** Whether the study is open in reading mode and its reader is idle. The lock is then not renewed. */
  const isIdle = (): boolean =>
    !hasRecentInputInAnyTab() && [...locks].some((other) => other.isReading && other.studyId === studyId);

  /** Takes or renews the lock; returns the milliseconds until the next call. */
  const say = async (): Promise<number> => {
    if (isTaken && isIdle()) return idleCheckEvery;
    try {
      await requestLock();
      isTaken = true;
      lastHeard = Date.now();
      if (!isOver) onChange('held');
      return heartbeatMs;
    } catch (error) {
      return isOver ? heartbeatMs : afterFailure(error);
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
      return heartbeatMs;
    }
    if (Date.now() - lastHeard >= lapseSeconds * 1000) onChange('uncertain');
    return retryEvery;
  };

  const renewLoop = () => {
    // The caller may have released this lock while it still waited for an earlier lock to be released.
    if (isOver) return;
    underway = say().then((pause) => {
      if (!isOver) timer = setTimeout(renewLoop, pause);
    });
  };

  const begin = () => {
    isOver = false;
    isTaken = false;
    underway = releasing.then(renewLoop);
  };

  const end = (): void => {
    isOver = true;
    clearTimeout(timer);
  };

  const sendRelease = () => call(readingLocks.release, { params }, { keepalive: true }).catch(() => undefined);

  // The page is closing, so the release cannot wait for earlier requests. A study in reading mode stays claimed: the
  // page may be loading again, or its reader may return.
  const onHide = () => {
    end();
    if (![...locks].some((held) => held.isReading && held.studyId === studyId)) void sendRelease();
  };
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) begin();
  };
  window.addEventListener('pagehide', onHide);
  window.addEventListener('pageshow', onShow);

  const lock: ReadingLockHandle = {
    studyId,
    isReading,
    release: () => {
      if (!locks.delete(lock)) return releasing.then(() => undefined);
      window.removeEventListener('pagehide', onHide);
      window.removeEventListener('pageshow', onShow);
      end();
      const released = underway.then(() => ((isTaken || isReading) && !isShared() ? sendRelease() : undefined));
      releasing = released;
      return released.then(() => undefined);
    },
  };
  locks.add(lock);
  begin();
  return lock;
};

const isLapsed = (error: unknown): boolean => error instanceof ApiError && error.error === lockErrors.lapsed;

/** Whether the server has refused the lock. Other errors are retried. */
const isRefusal = (error: unknown): boolean => error instanceof ApiError && [403, 404, 409].includes(error.status);
