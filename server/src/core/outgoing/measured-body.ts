import { t } from '@radwork/contract/core/translate';
import type { Readable } from 'node:stream';
import { toRemoteError } from './remote-error-of.ts';
import { RemoteError } from './remote-error.ts';

export type BodyLimits = {
  /** Maximum bytes of the whole body. */
  mostBytes: number;
  /** Minimum bytes per second, measured over `rateWindow` milliseconds. */
  leastBytesPerSecond: number;
  rateWindow: number;
};

/**
 * Streams the body of a response. Throws a RemoteError when the body is too large, too slow or breaks off. Only the
 * wait for the remote system counts, because our reader may be slow. When the reader stops early, the connection
 * closes.
 */
export async function* measuredBody(body: Readable, place: string, limits: BodyLimits): AsyncGenerator<Buffer> {
  const { mostBytes, leastBytesPerSecond, rateWindow } = limits;
  let total = 0;
  let window = { waited: 0, bytes: 0 };
  let requestedAt = performance.now();
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      total += chunk.length;
      window = { waited: window.waited + performance.now() - requestedAt, bytes: window.bytes + chunk.length };
      if (total > mostBytes)
        throw new RemoteError('OTHER', t`${place} sent more than ${mostBytes} bytes in one answer.`);
      if (window.waited >= rateWindow) {
        if (window.bytes * 1000 < leastBytesPerSecond * window.waited) {
          throw new RemoteError(
            'TIMEOUT',
            t`${place} answers too slowly: less than ${leastBytesPerSecond} bytes per second.`,
          );
        }
        window = { waited: 0, bytes: 0 };
      }
      yield chunk;
      requestedAt = performance.now();
    }
  } catch (error) {
    throw toRemoteError(error, place);
  }
}
