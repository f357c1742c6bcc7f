import type { Readable } from 'node:stream';

/** A sender that is silent for this long has gone, however open its connection looks. */
const longestSilence = 120_000;

/** The sender has sent nothing for too long. */
export class Stalled extends Error {
  override readonly message = 'The upload stalled.';
}

/** The sender has gone before the end of the upload. */
export class BrokenOff extends Error {
  override readonly message = 'The upload broke off before its end.';
}

/**
 * The body of a request as it arrives. Throws BrokenOff when the sender goes, and Stalled when nothing comes for too long; time that the reader takes
 * does not count. When reading stops early the request stays open, so that it can be answered.
 */
export async function* bodyOf(request: Readable, silence = longestSilence): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let isWaiting = false;
  const timer = setTimeout(() => {
    if (isWaiting) request.destroy(new Stalled());
  }, silence);
  try {
    for (;;) {
      isWaiting = true;
      timer.refresh();
      const { done, value } = await chunks.next();
      isWaiting = false;
      if (done) return;
      yield value;
    }
  } catch (error) {
    throw !isWaiting || error instanceof Stalled ? error : new BrokenOff();
  } finally {
    clearTimeout(timer);
  }
}
