/** Remembers values by key, up to a total weight. Forgets the least recently used values first. */
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
      // A Map keeps insertion order, so inserting the key again makes it the newest.
      entries.delete(key);
      entries.set(key, value);
      return value;
    },
    remember,
    forget,
  };
};

/**
 * Copies bytes that share a larger buffer. Values from the database are parts of 64 KiB buffers, and each part would
 * keep its whole buffer in memory.
 */
export const ownBytes = (bytes: Buffer): Buffer => {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
};

/** Same as `createMemory`, for bytes, whose weight is their length. `remember` returns the stored copy. */
export const createByteMemory = (mostBytes: number) => {
  const memory = createMemory<Buffer>(mostBytes, ({ length }) => length);
  const remember = (key: string, bytes: Buffer): Buffer => {
    const own = ownBytes(bytes);
    memory.remember(key, own);
    return own;
  };
  return { ...memory, remember };
};
