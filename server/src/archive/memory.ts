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

/**
 * Bytes that keep nothing else alive. What comes from the database is a piece of 64 KiB that Node hands out in pieces, and
 * all of those stay for as long as one of them does.
 */
export const ownBytes = (bytes: Buffer): Buffer => {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

/** As `createMemory`, for bytes: it takes as much as it says. `remember` gives what it keeps. */
export const createByteMemory = (mostBytes: number) => {
  const memory = createMemory<Buffer>(mostBytes, ({ length }) => length);
  const remember = (key: string, bytes: Buffer): Buffer => {
    const own = ownBytes(bytes);
    memory.remember(key, own);
    return own;
  };
  return { ...memory, remember };
};
