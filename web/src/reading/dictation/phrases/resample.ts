/** Half the width of the filter in periods of the lower rate. 16 suffices for speech. */
const halfWidth = 16;

const greatestDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestDivisor(other, one % other);

/** Normalized sinc with a Hann window, in periods of the lower rate. */
const filterAt = (time: number): number => {
  if (Math.abs(time) >= halfWidth) return 0;
  const sinc = time === 0 ? 1 : Math.sin(Math.PI * time) / (Math.PI * time);
  return sinc * (0.5 + 0.5 * Math.cos((Math.PI * time) / halfWidth));
};

/**
 * Lowers the sample rate of a stream, such as 48,000 to 16,000 Hz, without aliasing. Both rates are whole numbers.
 * Returns a function that takes the next samples and returns the samples that are complete. It lags by 16 samples of
 * the lower rate (1 ms).
 */
export const createResampler = (from: number, to: number): ((samples: Float32Array) => Float32Array) => {
  if (from === to) return (samples) => samples;
  const divisor = greatestDivisor(from, to);
  /** An output sample lies at one of `phases` places between two input samples. */
  const [phases, step] = [to / divisor, from / divisor];
  const scale = Math.min(1, to / from);
  const reach = Math.ceil(halfWidth / scale);
  const filters = new Map<number, Float32Array>();
  const filterOf = (phase: number): Float32Array => {
    const known = filters.get(phase);
    if (known) return known;
    const taps = Float32Array.from(
      { length: 2 * reach },
      (_, tap) => filterAt((tap - reach + 1 - phase / phases) * scale) * scale,
    );
    filters.set(phase, taps);
    return taps;
  };
  // Silence before the first sample.
  let held = new Float32Array(reach - 1);
  /** Place of the next output sample, in input samples from the start of `held`. */
  let [whole, phase] = [reach - 1, 0];

  return (samples) => {
    const all = new Float32Array(held.length + samples.length);
    all.set(held);
    all.set(samples, held.length);
    const output: number[] = [];
    while (whole + reach < all.length) {
      const taps = filterOf(phase);
      let sum = 0;
      for (let tap = 0; tap < taps.length; tap += 1) sum += (all[whole - reach + 1 + tap] ?? 0) * (taps[tap] ?? 0);
      output.push(sum);
      phase += step;
      whole += Math.floor(phase / phases);
      phase %= phases;
    }
    const used = Math.min(all.length, whole - reach + 1);
    held = all.slice(used);
    whole -= used;
    return Float32Array.from(output);
  };
};
