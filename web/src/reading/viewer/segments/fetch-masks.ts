import { archive } from '@radwork/contract/imaging/archive';
import { callStream } from '#core/http/api.ts';
import { wadoPrefix } from '#reading/viewer/images/series/series-headers.ts';
import { boundedCache } from './frame-cache.ts';
import { partsOf } from './multipart-parts.ts';
import type { SegmentSet } from './segment-set.ts';

const patience = 60_000;

/** Frames per request. */
const atOnce = 40;

/** Size of the frame cache in bytes: 500 images with ten segments of 512 x 512 pixels. */
const maxCacheBytes = 160 * 1024 * 1024;

const cache = boundedCache<Uint8Array>(maxCacheBytes, ({ byteLength }) => byteLength);

const nameOf = (set: SegmentSet, frame: number) => `${set.sopInstanceUID} ${frame}`;

export const forgetFrames = cache.clear;

const fetchFrames = async (set: SegmentSet, numbers: readonly number[], signal: AbortSignal) => {
  const { studyInstanceUID: studyUid, seriesInstanceUID: seriesUid, sopInstanceUID: instanceUid } = set;
  const response = await callStream(wadoPrefix, archive.frames, {
    params: { studyUid, seriesUid, instanceUid, frames: numbers.join() },
    // Requests uncompressed pixels, whatever the stored transfer syntax (PS3.18 §8.7.3.3).
    accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1',
    timeout: patience,
    signal,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const parts = partsOf(response.headers.get('content-type') ?? '', bytes);
  if (parts.length !== numbers.length) throw new Error(`${parts.length} frames came instead of ${numbers.length}`);
  // Copies each frame, because a view of it would keep the whole response in memory.
  return parts.map((part) => part.slice());
};

/** Fetches the pixels of segmentation frames. Throws ApiError, or Error for an invalid response. */
export const framesOf = async (
  set: SegmentSet,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, Uint8Array>> => {
  const masks = new Map<number, Uint8Array>();
  const missing = numbers.filter((number) => {
    const bytes = cache.get(nameOf(set, number));
    if (bytes) masks.set(number, bytes);
    return !bytes;
  });
  for (let start = 0; start < missing.length; start += atOnce) {
    const batch = missing.slice(start, start + atOnce);
    for (const [index, bytes] of (await fetchFrames(set, batch, signal)).entries()) {
      const number = batch[index] ?? 0;
      cache.set(nameOf(set, number), bytes);
      masks.set(number, bytes);
    }
  }
  return masks;
};
