import type { Readable } from 'node:stream';
import { inWords } from './failure-words.ts';
import { RemoteError } from './remote-error.ts';

export type BodyLimits = {
  /** Bytes of the whole body. */
  mostBytes: number;
  /** The fewest bytes that must come in each second, over a window of `rateWindow` milliseconds. */
  leastBytesPerSecond: number;
  rateWindow: number;
};

/**
 * An answer's body as it arrives. Throws a RemoteError when it grows too large, comes too slowly or breaks off. Only
 * time that is waited for the other side counts: a reader may be as slow as it likes. Reading on means reading all
 * of it; whoever stops early has closed the connection.
 */
export async function* measuredBody(body: Readable, place: string, limits: BodyLimits): AsyncGenerator<Buffer> {
  const { mostBytes, leastBytesPerSecond, rateWindow } = limits;
  let total = 0;
  let window = { waited: 0, bytes: 0 };
  let asked = performance.now();
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      total += chunk.length;
      window = { waited: window.waited + performance.now() - asked, bytes: window.bytes + chunk.length };
      if (total > mostBytes)
        throw new RemoteError('OTHER', `${place} sent more than ${mostBytes} bytes for one answer.`);
      if (window.waited >= rateWindow) {
        if (window.bytes * 1000 < leastBytesPerSecond * window.waited) {
          throw new RemoteError(
            'TIMEOUT',
            `${place} answers too slowly: less than ${leastBytesPerSecond} bytes a second.`,
          );
        }
        window = { waited: 0, bytes: 0 };
      }
      yield chunk;
      asked = performance.now();
    }
  } catch (error) {
    throw inWords(error, place);
  }
}
