import { t } from '@lingui/core/macro';
import { queryOptions } from '@tanstack/react-query';
import { startWorker } from '#core/browser/start-worker.ts';
import { shouldRetry } from '#core/http/retry.ts';
import { readWithin, SizeLimitError } from '#core/http/size-limit.ts';
import { formatSize } from '#ui/formats/formats.ts';
import { requestHeadersOf } from '#reading/viewer/images/series/series-headers.ts';
import { slideOf } from './read-slide.ts';
import type { Slide } from './slide.ts';
// Vite replaces this import by the URL of the worker.
// oxlint-disable-next-line import/default
import slideWorker from './slide-worker.ts?worker&url';

/** Bytes of headers that are read without a worker, in less than a frame of the screen. */
const readAtOnce = 1 << 20;

/** Maximum size of the headers in bytes. A string cannot hold longer JSON text. */
const mostBytes = 400 << 20;

/** Headers that cannot be read. The message is for the reader. */
export class UnreadableSlide extends Error {}

const unreadable = () => new UnreadableSlide(t`The description of this slide could not be read.`);

/** Reads headers in a worker, which ends afterwards or with the signal. */
const readElsewhere = (bytes: ArrayBuffer, signal: AbortSignal): Promise<Slide | undefined> => {
  const worker = startWorker(slideWorker);
  return new Promise<Slide | undefined>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<{ slide?: Slide; failed?: true }>) =>
      data.failed ? reject(unreadable()) : resolve(data.slide);
    worker.onerror = () => reject(unreadable());
    signal.addEventListener('abort', () => reject(signal.reason));
    worker.postMessage(bytes, [bytes]);
  }).finally(() => worker.terminate());
};

const readSlide = async (studyUid: string, seriesUid: string, signal: AbortSignal): Promise<Slide | null> => {
  const response = await requestHeadersOf(studyUid, seriesUid, signal);
  let blob: Blob;
  try {
    blob = await readWithin(response, mostBytes);
  } catch (error) {
    if (!(error instanceof SizeLimitError)) throw error;
    const most = formatSize(mostBytes);
    throw new UnreadableSlide(t`The description of this slide is larger than ${most}.`);
  }
  const slide =
    blob.size > readAtOnce
      ? await readElsewhere(await blob.arrayBuffer(), signal)
      : slideOf(JSON.parse(await blob.text()));
  return slide ?? null;
};

/** Query for the slide in a series. Null if the series has none. Fails with ApiError or UnreadableSlide. */
export const slideOfSeries = (studyUid: string, seriesUid: string) =>
  queryOptions({
    queryKey: ['viewer', 'slide', studyUid, seriesUid],
    queryFn: ({ signal }) => readSlide(studyUid, seriesUid, signal),
    staleTime: 60_000,
    retry: (count, error) => !(error instanceof UnreadableSlide) && shouldRetry(count, error),
  });
