/**
 * Encodes whole numbers from 0 to 2^53-1 with seven bits a byte, lowest first (LEB128). The top bit is set on all but
 * the last byte.
 */
export const encodeVarints = (numbers: readonly number[]): Buffer => {
  const bytes: number[] = [];
  for (const number of numbers) {
    let rest = number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
};

/** Reads the numbers one by one. Throws RangeError at the end of the bytes. */
export const varintReader = (bytes: Buffer): (() => number) => {
  let at = 0;
  return () => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes.readUInt8(at);
      at += 1;
      number += (byte % 128) * scale;
      if (byte < 128) return number;
    }
  };
};
