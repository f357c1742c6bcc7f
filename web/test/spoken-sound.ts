/** Returns numbers between -1 and 1 that repeat with the seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x80_00_00_00 - 1;
  };
};

const amplitudeOf = (decibels: number) => 10 ** (decibels / 20);

/** Noise of a room. `level` is its loudness in decibels relative to full scale. */
export const noise = (seconds: number, { level = -65, rate = 16_000, seed = 1 } = {}): Float32Array => {
  const random = randomFrom(seed);
  // The mean square of evenly spread numbers is a third.
  const amplitude = amplitudeOf(level) * Math.sqrt(3);
  return Float32Array.from({ length: Math.round(seconds * rate) }, () => random() * amplitude);
};

/** Length of a syllable with its gap, in seconds. */
const syllable = 0.22;
const gap = 0.06;

/** Sound with the rhythm of speech: voiced syllables of 120 Hz with short gaps, over the noise of a room. */
export const speech = (
  seconds: number,
  { level = -22, noiseLevel = -65, rate = 16_000, seed = 7 } = {},
): Float32Array => {
  const amplitude = amplitudeOf(level);
  const background = noise(seconds, { level: noiseLevel, rate, seed });
  return background.map((sample, at) => {
    const time = at / rate;
    const within = time % syllable;
    if (within > syllable - gap) return sample;
    const envelope = Math.sin((Math.PI * within) / (syllable - gap));
    let voice = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic += 1) {
      voice += Math.sin(2 * Math.PI * 120 * harmonic * time) / harmonic;
    }
    return sample + voice * envelope * amplitude;
  });
};

export const sounds = (...parts: Float32Array[]): Float32Array => {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
};
