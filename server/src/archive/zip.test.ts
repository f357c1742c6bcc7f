import { expect, test } from 'vitest';
import { gunzip, gzipText } from './zip.ts';

test.each([0, 1000, 16_384, 16_385, 1_000_000])(
  'a text of %i characters comes back as it was packed',
  async (length) => {
    const text = '{"00100010":{"vr":"PN","Value":[{"Alphabetic":"Müller^Jörg"}]}}'.repeat(16_000).slice(0, length);

    const packed = await gzipText(text);

    expect((await gunzip(packed)).toString()).toBe(text);
  },
);
