type Write = { tenantId: number; key: string; picture: Buffer };

/** Milliseconds without a new image after which images are written. */
const usualQuiet = 250;
/** Bytes that may wait. Images above this limit are written at once. */
const mostWaiting = 8 << 20;

/**
 * Writes rendered images to the cache a moment later and one after another, so that writing does not delay the next
 * images. An image that cannot be cached, for example on a full disk, is rendered again the next time.
 */
export const createDelayedWrites = (
  { put }: { put: (tenantId: number, key: string, picture: Buffer) => Promise<void> },
  { quiet = usualQuiet, most = mostWaiting } = {},
) => {
  const waiting: Write[] = [];
  let bytes = 0;
  let writing: Promise<void> | undefined;
  /** False when no image was added during the pause. */
  let isBusy = false;
  let isClosing = false;

  const mayWrite = () => waiting.length > 0 && (isClosing || !isBusy || bytes > most);

  const writeAll = async () => {
    while (mayWrite()) {
      const [next] = waiting.splice(0, 1);
      if (!next) return;
      bytes -= next.picture.length;
      await put(next.tenantId, next.key, next.picture).catch(() => {});
    }
  };
  const start = () => {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
  };
  const timer = setTimeout(() => {
    isBusy = false;
    start();
  }, quiet).unref();

  return {
    add: (write: Write): void => {
      waiting.push(write);
      bytes += write.picture.length;
      isBusy = true;
      timer.refresh();
      if (bytes > most) start();
    },

    /** Writes the images that wait. */
    close: async (): Promise<void> => {
      clearTimeout(timer);
      isClosing = true;
      while (waiting.length > 0 || writing) {
        start();
        await writing;
      }
    },
  };
};
