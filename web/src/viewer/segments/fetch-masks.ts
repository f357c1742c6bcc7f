import { archive } from '@radwork/contract/archive';
import { callStream } from '#core/api.ts';
import { wadoPrefix } from '#viewer/images/series-headers.ts';
import { boundedCache } from './frame-cache.ts';
import { partsOf } from './multipart-parts.ts';
import type { SegmentSet } from './segment-set.ts';

const patience = 60_000;

/** Frames that are asked for at once. */
const atOnce = 40;

/** What is kept of frames, in bytes: those of 500 images with ten segments of 512 x 512 pixels. */
const mostKept = 160 * 1024 * 1024;

const cache = boundedCache<Uint8Array>(mostKept, ({ byteLength }) => byteLength);

const nameOf = (set: SegmentSet, frame: number) => `${set.sopInstanceUID} ${frame}`;

/** Forgets all frames, when nobody looks at them any more. */
export const forgetFrames = cache.clear;

const fetchFrames = async (set: SegmentSet, numbers: readonly number[], signal: AbortSignal) => {
  const { studyInstanceUID: studyUid, seriesInstanceUID: seriesUid, sopInstanceUID: instanceUid } = set;
  const response = await callStream(wadoPrefix, archive.frames, {
    params: { studyUid, seriesUid, instanceUid, frames: numbers.join() },
    // Without compression, whatever they are stored in (PS3.18 §8.7.3.3).
    accept: 'multipart/related; type="application/octet-stream"; transfer-syntax=1.2.840.10008.1.2.1',
    timeout: patience,
    signal,
  });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const parts = partsOf(response.headers.get('content-type') ?? '', bytes);
  if (parts.length !== numbers.length) throw new Error(`${parts.length} frames came instead of ${numbers.length}`);
  // A copy of each: a view would keep the whole answer in memory.
  return parts.map((part) => part.slice());
};

/** The pixels of frames of a segmentation, as they are served. Throws ApiError, or Error for an answer that is none. */
export const framesOf = async (
  set: SegmentSet,
  numbers: readonly number[],
  signal: AbortSignal,
): Promise<Map<number, Uint8Array>> => {
  const found = new Map<number, Uint8Array>();
  const missing = numbers.filter((number) => {
    const bytes = cache.get(nameOf(set, number));
    if (bytes) found.set(number, bytes);
    return !bytes;
  });
  for (let start = 0; start < missing.length; start += atOnce) {
    const asked = missing.slice(start, start + atOnce);
    for (const [index, bytes] of (await fetchFrames(set, asked, signal)).entries()) {
      const number = asked[index] ?? 0;
      cache.set(nameOf(set, number), bytes);
      found.set(number, bytes);
    }
  }
  return found;
};
