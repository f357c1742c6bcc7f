/** Bits of a plane, bit 0 of a byte first (PS3.5 §8.1.1). */
export const bitsOf = (count: number, marked: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(2 * Math.ceil(count / 16));
  for (const bit of marked) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (1 << (bit & 7));
  return bytes;
};

type Plane = { rows?: number; columns?: number; type?: 'G' | 'R'; origin?: number[]; data?: Buffer };

/** Elements of an overlay plane (PS3.3 §C.9.2). */
export const planeIn = (group: string, { rows = 16, columns = 16, type = 'G', origin = [1, 1], data }: Plane) => ({
  [`${group}0010 US`]: rows,
  [`${group}0011 US`]: columns,
  [`${group}0040 CS`]: type,
  [`${group}0050 SS`]: origin,
  [`${group}0100 US`]: 1,
  [`${group}0102 US`]: 0,
  ...(data && { [`${group}3000 OW`]: data }),
});
