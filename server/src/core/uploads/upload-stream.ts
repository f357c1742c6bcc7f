import type { Readable } from 'node:stream';

/** Milliseconds of silence after which a sender counts as gone. */
const longestSilence = 120_000;

/** The sender sent nothing for too long. */
export class UploadStalled extends Error {
  override readonly message = 'The upload stalled.';
}

/** The sender left before the end of the upload. */
export class BrokenOff extends Error {
  override readonly message = 'The upload was interrupted.';
}

/**
 * Streams the body of a request. Throws BrokenOff when the sender leaves, and Stalled when no data arrives for too
 * long. The time that our reader takes does not count. If reading stops early, the request stays open for a reply.
 */
export async function* bodyOf(request: Readable, silence = longestSilence): AsyncGenerator<Buffer> {
  const chunks: AsyncIterator<Buffer> = request.iterator({ destroyOnReturn: false });
  let isWaiting = false;
  const timer = setTimeout(() => {
    if (isWaiting) request.destroy(new UploadStalled());
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
    throw !isWaiting || error instanceof UploadStalled ? error : new BrokenOff();
  } finally {
    clearTimeout(timer);
  }
}
