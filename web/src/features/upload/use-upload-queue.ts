import { useEffect, useState, useSyncExternalStore } from 'react';
import { storeFiles } from '#core/upload.ts';
import { UploadQueue } from './upload-queue.ts';

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** A browser keeps only a reference to a chosen file; reading one byte tells whether it still leads anywhere. */
const isReadable = (file: File) =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );

/** The queue of one visit to the screen, and what is to be shown of it. Leaving the screen stops it. */
export const useUploadQueue = () => {
  const [queue] = useState(
    () => new UploadQueue({ send: storeFiles, pause, isReadable, now: () => performance.now() }),
  );
  useEffect(() => () => queue.cancel(), [queue]);
  return { queue, upload: useSyncExternalStore(queue.subscribe, queue.snapshot) };
};
