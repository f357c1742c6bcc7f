/** Returns a cache with a size limit in bytes. It removes the least recently used entry first. */
export const boundedCache = <Value>(most: number, sizeOf: (value: Value) => number) => {
  const entries = new Map<string, Value>();
  let size = 0;
  const remove = (name: string, value: Value) => {
    entries.delete(name);
    size -= sizeOf(value);
  };
  return {
    has: (name: string) => entries.has(name),
    get: (name: string): Value | undefined => {
      const value = entries.get(name);
      if (value === undefined) return undefined;
      entries.delete(name);
      entries.set(name, value);
      return value;
    },
    set: (name: string, value: Value) => {
      const before = entries.get(name);
      if (before !== undefined) remove(name, before);
      entries.set(name, value);
      size += sizeOf(value);
      for (const [oldest, gone] of entries) {
        if (size <= most || oldest === name) break;
        remove(oldest, gone);
      }
    },
    clear: () => {
      for (const [name, value] of entries) remove(name, value);
    },
  };
};
