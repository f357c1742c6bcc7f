type Rounds = {
  everyMs: number;
  runOnce: () => Promise<void>;
  /** Receives the error of a failed run. Later runs take place in any case. */
  onError: (error: unknown) => void;
};

/**
 * Runs work at once and then regularly, never twice at the same time. The returned function stops it and waits for the
 * current run.
 */
export const startPeriodicTask = ({ everyMs, runOnce, onError }: Rounds): (() => Promise<void>) => {
  let underWay: Promise<void> | undefined;
  const begin = () => {
    underWay ??= runOnce()
      .catch(onError)
      .finally(() => {
        underWay = undefined;
      });
  };
  begin();
  const timer = setInterval(begin, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
};
