/** Returns a cache with a size limit in bytes. It removes the least recently used entry first. */
export const boundedCache = <Value>(most: number, sizeOf: (value: Value) => number) => {
  const kept = new Map<string, Value>();
  let size = 0;
  const remove = (name: string, value: Value) => {
    kept.delete(name);
    size -= sizeOf(value);
  };
  return {
    has: (name: string) => kept.has(name),
    get: (name: string): Value | undefined => {
      const value = kept.get(name);
      if (value === undefined) return undefined;
      kept.delete(name);
      kept.set(name, value);
      return value;
    },
    set: (name: string, value: Value) => {
      const before = kept.get(name);
      if (before !== undefined) remove(name, before);
      kept.set(name, value);
      size += sizeOf(value);
      for (const [oldest, gone] of kept) {
        if (size <= most || oldest === name) break;
        remove(oldest, gone);
      }
    },
    clear: () => {
      for (const [name, value] of kept) remove(name, value);
    },
  };
};
