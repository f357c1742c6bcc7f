/** Remembers values by key up to a total weight; what has not been asked for the longest is forgotten first. */
export const createMemory = <V>(most: number, weigh: (value: V) => number = () => 1) => {
  const entries = new Map<string, V>();
  let weight = 0;

  const forget = (key: string) => {
    const value = entries.get(key);
    if (value === undefined) return;
    entries.delete(key);
    weight -= weigh(value);
  };

  const remember = (key: string, value: V) => {
    forget(key);
    entries.set(key, value);
    weight += weigh(value);
    for (const oldest of entries.keys()) {
      if (weight <= most) return;
      forget(oldest);
    }
  };

  return {
    recall: (key: string): V | undefined => {
      const value = entries.get(key);
      if (value === undefined) return undefined;
      // A map keeps the order of insertion: put in again, it is the newest.
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    remember,
    forget,
  };
};
