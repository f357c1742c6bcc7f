import { randomFrom } from './random.ts';

/** The standard deviation of the noise: `floor` everywhere, plus `share` for each unit of the value. */
export type Noise = { floor: number; share: number };

/**
 * Random numbers of a bell-shaped distribution (mean 0, standard deviation 1), made once and used often. Their count is
 * a power of two.
 */
const grain = ((): Float32Array => {
  const random = randomFrom('grain');
  return Float32Array.from({ length: 2 ** 15 }, () => 2 * (random() + random() + random() - 1.5));
})();

/**
 * Adds noise to an image in place, reproducible by seed. Each row starts at another position in the list of random
 * numbers, so that no pattern shows.
 */
export const addNoise = (image: Float32Array, columns: number, { floor, share }: Noise, seed: string): void => {
  const random = randomFrom(seed);
  for (let row = 0; row < image.length; row += columns) {
    const start = Math.floor(random() * grain.length);
    for (let column = 0; column < columns; column += 1) {
      const value = image[row + column] ?? 0;
      const noise = grain[(start + column) & (grain.length - 1)] ?? 0;
      image[row + column] = value + noise * (floor + share * value);
    }
  }
};

/**
 * Softens an image in place, as every detector does. Each pixel becomes the weighted mean of itself and its eight
 * neighbors (1 2 1 both ways). The border keeps its values.
 */
export const soften = (image: Float32Array, columns: number): void => {
  for (const stride of [1, columns]) {
    const source = image.slice();
    for (let row = columns; row < image.length - columns; row += columns) {
      for (let at = row + 1; at < row + columns - 1; at += 1) {
        image[at] = ((source[at - stride] ?? 0) + 2 * (source[at] ?? 0) + (source[at + stride] ?? 0)) / 4;
      }
    }
  }
};
