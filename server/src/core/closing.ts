export type Closing = ReturnType<typeof createClosing>;

type Closable = { close: () => Promise<unknown>; breakOff: () => void };

/** Closes what finishes its work first; what of it is not done after so many milliseconds is broken off. */
export const closeWithin = async (ms: number, { close, breakOff }: Closable): Promise<void> => {
  const timer = setTimeout(breakOff, ms);
  await close().finally(() => clearTimeout(timer));
};

/** What has been opened, to be closed in reverse order: what came later may need what came before. */
export const createClosing = () => {
  let opened: (() => Promise<unknown>)[] = [];
  let hasBegun = false;
  return {
    /** Remembers how to close what has just been opened. */
    add: (close: () => Promise<unknown>): void => {
      opened.push(close);
    },
    /** From now on the server says that it is not to be sent work (features/health), and does what it is sent. */
    begin: (): void => {
      hasBegun = true;
    },
    hasBegun: (): boolean => hasBegun,
    /** Closes each, once, whatever becomes of the others. Returns what went wrong, in the order in which it did. */
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
