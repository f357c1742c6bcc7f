/** Limits concurrent work. Callers wait in order of arrival. */
export type Slots = {
  /** Waits for a slot and returns a function that frees it. When the signal aborts, throws its reason. */
  take: (signal: AbortSignal) => Promise<() => void>;
};

export const createSlots = (most: number): Slots => {
  const waiting: (() => void)[] = [];
  let used = 0;

  const giveBack = () => {
    const next = waiting.shift();
    if (next) next();
    else used -= 1;
  };

  const place = (): (() => void) => {
    let isMine = true;
    return () => {
      if (isMine) giveBack();
      isMine = false;
    };
  };

  return {
    take: async (signal) => {
      signal.throwIfAborted();
      if (used < most) {
        used += 1;
        return place();
      }
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(signal.reason);
        };
        const enter = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(enter);
      });
      return place();
    },
  };
};
