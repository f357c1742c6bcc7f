type Rounds = {
  everyMs: number;
  round: () => Promise<void>;
  /** Hears why a round failed; the next one comes all the same. */
  onError: (error: unknown) => void;
};

/** Does something now and then regularly, never twice at once. Returns how to stop: what is under way is waited for. */
export const startRounds = ({ everyMs, round, onError }: Rounds): (() => Promise<void>) => {
  let underWay: Promise<void> | undefined;
  const begin = () => {
    underWay ??= round()
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
