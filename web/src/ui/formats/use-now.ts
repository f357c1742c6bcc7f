import { useEffect, useState } from 'react';

/** Returns the current time, updated every `interval` milliseconds, for texts such as "11m". */
export const useNow = (interval = 60_000): Date => {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), interval);
    return () => clearInterval(timer);
  }, [interval]);
  return now;
};
