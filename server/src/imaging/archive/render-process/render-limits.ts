import { t } from '@radwork/contract/core/translate';
import { Problem } from '#core/http/problem.ts';
import type { PixelFormat } from '#imaging/archive/pixels/pixel-format.ts';

/**
 * Milliseconds that any image may take, and additional milliseconds for each million samples or 10 kB. Both are ten
 * times what the slowest decoder needs.
 */
const anyImageTakes = 5000;
const eachTakes = 500;

/**
 * Returns the time limit for an image, from its declared size, at most `most`. A large image in a few bytes is blank,
 * so it decodes fast.
 */
export const timeFor = ({ rows, columns, samplesPerPixel }: PixelFormat, bytes: number, most: number): number =>
  Math.min(most, anyImageTakes + Math.min((rows * columns * samplesPerPixel) / 1e6, bytes / 1e4) * eachTakes);

/** Errors that a busy machine may have caused. A retry may succeed. */
export const tookTooLong = () =>
  new Problem(503, 'rendering.timeout', t`Decoding the image took too long. Try again later.`, {
    retryAfterSeconds: 30,
  });

export const didNotStart = () =>
  new Problem(503, 'rendering.away', t`The image decoders did not start. Try again later.`, { retryAfterSeconds: 10 });

export const stopping = () =>
  new Problem(503, 'rendering.away', t`The server is shutting down. Try again in a moment.`, { retryAfterSeconds: 10 });
