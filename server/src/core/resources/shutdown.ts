export type Shutdown = ReturnType<typeof createShutdown>;

type Closable = { close: () => Promise<unknown>; breakOff: () => void };

/** Runs `close`, and calls `breakOff` when it takes longer than `ms`. */
export const closeWithin = async (ms: number, { close, breakOff }: Closable): Promise<void> => {
  const timer = setTimeout(breakOff, ms);
  await close().finally(() => clearTimeout(timer));
};

/** Collects opened resources and closes them in reverse order, because a later resource may need an earlier one. */
export const createShutdown = () => {
  let opened: (() => Promise<unknown>)[] = [];
  let hasBegun = false;
  return {
    /** Adds the function that closes a newly opened resource. */
    add: (close: () => Promise<unknown>): void => {
      opened.push(close);
    },
    /** Announces the stop (identity/health). The server still replies to calls. */
    begin: (): void => {
      hasBegun = true;
    },
    hasBegun: (): boolean => hasBegun,
    /** Closes each resource once, and continues after failures. Returns the errors in order. */
    closeAll: async (): Promise<unknown[]> => {
      hasBegun = true;
      const failures: unknown[] = [];
      const closing = opened.toReversed();
      opened = [];
      for (const close of closing) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      return failures;
    },
  };
};
