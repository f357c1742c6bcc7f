import { archive } from '@radwork/contract/imaging/archive';
import { type QueryFunctionContext, queryOptions } from '@tanstack/react-query';
import { callStream } from '#core/http/api.ts';
import { prefetchHeaders } from '#core/http/prefetch.ts';
import type { Numbers } from '#reading/viewer/images/gray/gray-picture.ts';
import { type PlainGray, plainGrayOf } from '#reading/viewer/images/gray/plain-gray.ts';
import { seriesHeaderOf, wadoPrefix } from './series-headers.ts';
import type { SeriesImage } from './series-loader.ts';

/** Frame that can be drawn without the imaging library. */
export type FirstFrame = { gray: PlainGray; numbers: Numbers };

/** The same headers as in requests of the imaging library. Its later request then uses the browser cache. */
const accept = 'multipart/related; type=application/octet-stream; transfer-syntax=*';

const newline = '\r\n';

/**
 * Returns the bytes of a response with a single part (RFC 2046 §5.1.1). Undefined if the length is not as expected. A
 * padding byte is allowed.
 */
const onlyPart = (answer: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> | undefined => {
  const head = String.fromCharCode(...answer.subarray(0, 512));
  const start = head.indexOf(newline + newline) + 4;
  const after = String.fromCharCode(...answer.subarray(start + length, start + length + 5));
  const isWhole =
    start > 3 && (after.startsWith(`${newline}--`) || (length % 2 === 1 && after.endsWith(`${newline}--`)));
  return isWhole ? answer.slice(start, start + length) : undefined;
};

const numbersIn = (bytes: Uint8Array<ArrayBuffer>, { bits, isSigned }: PlainGray): Numbers => {
  if (bits === 8) return bytes;
  return isSigned ? new Int16Array(bytes.buffer) : new Uint16Array(bytes.buffer);
};

const areStored = (numbers: Numbers, { stored }: PlainGray): boolean =>
  numbers.every((number) => number >= stored.lower && number <= stored.upper);

/** Reads the response to a request for one frame. Null if it does not match the header. */
export const readFrame = (answer: Uint8Array<ArrayBuffer>, gray: PlainGray): FirstFrame | null => {
  const bytes = onlyPart(answer, (gray.rows * gray.columns * gray.bits) / 8);
  const numbers = bytes && numbersIn(bytes, gray);
  // Bits other than the stored bits have another meaning. Only the imaging library handles them.
  return numbers && areStored(numbers, gray) ? { gray, numbers } : null;
};

const load = async (
  { imageId, header, frame }: SeriesImage,
  { signal, meta }: Pick<QueryFunctionContext, 'signal' | 'meta'>,
): Promise<FirstFrame | null> => {
  const grey = plainGrayOf(header);
  const [, studyUid = '', seriesUid = '', instanceUid = ''] =
    /studies\/([\d.]+)\/series\/([\d.]+)\/instances\/([\d.]+)\//.exec(imageId) ?? [];
  if (!grey) return null;
  const response = await callStream(wadoPrefix, archive.frames, {
    params: { studyUid, seriesUid, instanceUid, frames: String(frame) },
    accept,
    headers: { ...seriesHeaderOf(imageId), ...prefetchHeaders(meta) },
    signal,
  });
  return readFrame(new Uint8Array(await response.arrayBuffer()), grey);
};

/**
 * Query for the first frame of a viewport. Null if the frame cannot be drawn without the imaging library. The result is
 * cached only briefly.
 */
export const firstFrame = (image: SeriesImage) =>
  queryOptions({
    queryKey: ['viewer', 'first frame', image.imageId],
    queryFn: (context) => load(image, context),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5000,
    // The imaging library requests the frame again and reports the error.
    retry: false,
  });
