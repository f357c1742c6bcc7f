/** Range of luminance and chrominance (PS3.3 §C.7.6.3.1.2): all of 0 to 255, or a smaller part of it. */
export type YbrRange = 'full' | 'partial';

type Rgb = (y: number, cb: number, cr: number, target: Uint8ClampedArray, at: number) => void;

/** The typed array rounds and clamps the values. */
const toRgb: Record<YbrRange, Rgb> = {
  full: (y, cb, cr, target, at) => {
    target[at] = y + 1.402 * (cr - 128);
    target[at + 1] = y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128);
    target[at + 2] = y + 1.772 * (cb - 128);
  },
  partial: (y, cb, cr, target, at) => {
    const luminance = 1.1644 * (y - 16);
    target[at] = luminance + 1.596 * (cr - 128);
    target[at + 1] = luminance - 0.3917 * (cb - 128) - 0.813 * (cr - 128);
    target[at + 2] = luminance + 2.0173 * (cb - 128);
  },
};

/** Converts YCbCr pixels of three bytes to RGB. */
export const rgbOfYbr = (ybr: Uint8Array, range: YbrRange): Uint8Array<ArrayBuffer> => {
  const rgb = new Uint8ClampedArray(ybr.length);
  for (let at = 0; at + 2 < ybr.length; at += 3) {
    toRgb[range](ybr[at] ?? 0, ybr[at + 1] ?? 0, ybr[at + 2] ?? 0, rgb, at);
  }
  return new Uint8Array(rgb.buffer);
};

/** Converts pairs of pixels with subsampled color (4:2:2), four bytes Y Y Cb Cr, to RGB pixels of three bytes each. */
export const rgbOfYbr422 = (ybr: Uint8Array, range: YbrRange): Uint8Array<ArrayBuffer> => {
  const pairs = Math.floor(ybr.length / 4);
  const rgb = new Uint8ClampedArray(6 * pairs);
  for (let pair = 0; pair < pairs; pair += 1) {
    const [first = 0, second = 0, cb = 0, cr = 0] = ybr.subarray(4 * pair, 4 * pair + 4);
    toRgb[range](first, cb, cr, rgb, 6 * pair);
    toRgb[range](second, cb, cr, rgb, 6 * pair + 3);
  }
  return new Uint8Array(rgb.buffer);
};

/** Converts pixels of three samples to three color planes (PS3.3 §C.7.6.3.1.3). */
export const toColorPlanes = (together: Uint8Array, bytesOfSample = 1): Uint8Array<ArrayBuffer> =>
  turned(together, pixelsIn(together, bytesOfSample), 3, bytesOfSample);

/** Converts three color planes to pixels of three samples (PS3.3 §C.7.6.3.1.3). */
export const interleaved = (planes: Uint8Array, bytesOfSample = 1): Uint8Array<ArrayBuffer> =>
  turned(planes, 3, pixelsIn(planes, bytesOfSample), bytesOfSample);

const pixelsIn = ({ length }: Uint8Array, bytesOfSample: number): number => Math.floor(length / 3 / bytesOfSample);

/** Transposes rows of samples to columns. */
const turned = (samples: Uint8Array, rows: number, columns: number, bytesOfSample: number): Uint8Array<ArrayBuffer> => {
  const result = new Uint8Array(rows * columns * bytesOfSample);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const [from, to] = [(row * columns + column) * bytesOfSample, (column * rows + row) * bytesOfSample];
      for (let byte = 0; byte < bytesOfSample; byte += 1) result[to + byte] = samples[from + byte] ?? 0;
    }
  }
  return result;
};
