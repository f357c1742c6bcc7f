import type { createPictureCache } from './rendered-image-cache.ts';

type Write = { tenantId: number; key: string; picture: Buffer };

/** Milliseconds without a new image after which images are written. */
const quiet = 250;
/** Bytes that may wait. Above this limit, images are written at once. */
const mostWaiting = 8 << 20;

/**
 * Writes rendered images to the cache a moment later and one after another, so that writing does not delay the next
 * images. An image that cannot be cached, for example on a full disk, is rendered again the next time.
 */
export const createDelayedWrites = ({ put }: Pick<ReturnType<typeof createPictureCache>, 'put'>) => {
  const waiting: Write[] = [];
  let bytes = 0;
  let writing: Promise<void> | undefined;

  const writeAll = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      bytes -= next.picture.length;
      await put(next.tenantId, next.key, next.picture).catch(() => {});
    }
    writing = undefined;
  };
  const start = () => {
    writing ??= writeAll();
  };
  const timer = setTimeout(start, quiet).unref();

  return {
    add: (write: Write): void => {
      waiting.push(write);
      bytes += write.picture.length;
      if (bytes > mostWaiting) start();
      else timer.refresh();
    },

    /** Writes the images that wait. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      start();
      await writing;
    },
  };
};
