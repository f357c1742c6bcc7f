import { t } from '@radwork/contract/core/translate';
import { Readable } from 'node:stream';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import type { BlobPiece } from '#core/blobs/blob-store.ts';
import type { StreamCall } from '#core/http/http.ts';
import { malformed, notFound, Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';
import { acceptedRanges, acceptHeaderOf } from '#imaging/archive/dicomweb/accept-header.ts';
import { toColorPlanes } from '#imaging/archive/pixels/color-spaces.ts';
import { isNotModified, strongTag, weakTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { type FrameForm, frameFormOf } from './frame-form.ts';
import { returnBufferWhenSent, borrowBuffer } from '#core/resources/buffer-pool.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { pathParameter } from '#core/http/path-parameters.ts';
import { isVideo } from '#imaging/archive/render/send-video.ts';
import { renderingRevision } from '#imaging/archive/render/rendering-revision.ts';
import { type DecodedFrame, NotRenderable, type PixelFormat } from '#imaging/archive/pixels/pixel-format.ts';
import { isHead, noBody, sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import {
  isServedAsStored,
  bufferPiecesOf,
  readFrame,
  servedTransferSyntax,
  type StoredFrame,
  storedFrames,
  storedLengthOf,
} from './served-frames.ts';
import { openInstance, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { variesBySeries } from '#imaging/archive/dicomweb/vary-header.ts';

/** An answer of up to this many bytes is assembled in memory, which is twice as fast as a stream. */
const answeredAtOnce = 8 << 20;

/** The requested frames and the form that the client wants. */
type FrameRequest = {
  session: Session;
  instance: StoredInstance;
  frames: StoredFrame[];
  numbers: number[];
  form: FrameForm;
};

/**
 * Answers with frames of an instance by number, "1" or "3,4,5" (PS3.18 §10.4.1.1.6), in their stored transfer syntax. A
 * client that names no transfer syntax accepts the stored one, as with "transfer-syntax=*". A client that requires
 * Explicit VR Little Endian gets decoded frames. Reads the bytes by the frame index, without parsing the file. Throws
 * 404 for a missing frame, and 406 for another transfer syntax.
 */
export const answerFrames = async (wado: Wado, call: StreamCall) => {
  const { request, session } = call;
  const instance = await openInstance(wado, call);
  const numbers = frameNumbers(pathParameter(request, 'frames'));
  // Answers 406 instead of 404, which would say that the server does not have the video.
  if (isVideo(instance))
    throw new Problem(406, 'frames.video', t`This instance is a video. Its stream (…/rendered) is available`);
  const frames = storedFrames(instance, numbers).map(demanded);
  const syntax = servedTransferSyntax(instance);
  const form = frameFormOf(acceptedRanges(acceptHeaderOf(request)), syntax, frames.length);
  if (!form) throw new Problem(406, 'frames.media_type', t`The frames are stored in transfer syntax ${syntax}`);

  const contentType = `${form.mediaType}; transfer-syntax=${form.isDecoded ? explicitLittleEndian.uid : syntax}`;
  const frameRequest = { session, instance, frames, numbers, form };
  return form.isMultipart
    ? sendParts(wado, call, frameRequest, contentType)
    : sendFrame(wado, call, frameRequest, contentType);
};

/** Returns the numbers in a path, "1" or "3,4,5", each once: "1,1,1…" would read a frame thousands of times. */
export const frameNumbers = (list: string): number[] => {
  if (!/^\d{1,7}(,\d{1,7})*$/.test(list)) throw malformed(t`Frames must be numbers, such as 1 or 3,4,5`);
  return [...new Set(list.split(',').map(Number))];
};

const demanded = (frame: StoredFrame | undefined): StoredFrame => {
  if (!frame) throw notFound('frame');
  return frame;
};

const caching = { 'cache-control': 'private, max-age=3600, immutable', vary: variesBySeries };

const tagParts = ({ instance, numbers, form }: FrameRequest) =>
  [
    instance.sha256,
    instance.contentRevision,
    numbers.join(),
    form.mediaType,
    form.isDecoded ? `decoded ${renderingRevision}` : 'stored',
  ] as const;

const sendFrame = async (wado: Wado, call: StreamCall, frameRequest: FrameRequest, contentType: string) => {
  const { instance, frames, form } = frameRequest;
  const [frame] = frames;
  const etag = strongTag(...tagParts(frameRequest));
  if (isNotModified(call.request, etag))
    return call.reply
      .headers({ ...caching, etag })
      .status(304)
      .send();
  if (!frame) throw notFound('frame');
  const isRead = form.isDecoded || !isServedAsStored(instance, frame);
  const bytes = isRead ? await frameBytes(wado, frameRequest, 0) : undefined;
  return sendBytes(call, {
    contentType,
    etag,
    headers: caching,
    size: bytes?.length ?? storedLengthOf(frame),
    read: async ({ offset, length }) =>
      (bytes ?? (await frameBytes(wado, frameRequest, 0))).subarray(offset, offset + length),
  });
};

const sendParts = async (
  wado: Wado,
  { request, reply }: StreamCall,
  frameRequest: FrameRequest,
  contentType: string,
) => {
  const { form } = frameRequest;
  const headers = { ...caching, etag: weakTag(...tagParts(frameRequest)) };
  if (isNotModified(request, headers.etag)) return reply.headers(headers).status(304).send();

  const boundary = newBoundary();
  const head = partHeader({ boundary, contentType });
  const tail = closingBoundary(boundary);
  const length = storedLength(frameRequest, head.length, tail.length);
  const message = isHead(request) ? noBody() : await messageOf(wado, frameRequest, { head, tail, length });
  if (length !== undefined) void reply.header('content-length', length);
  if (Buffer.isBuffer(message)) returnBufferWhenSent(reply.raw, message);
  return reply.headers(headers).type(`multipart/related; type="${form.mediaType}"; boundary=${boundary}`).send(message);
};

type Message = { head: Buffer; tail: Buffer; length: number | undefined };

const messageOf = async (wado: Wado, frameRequest: FrameRequest, message: Message): Promise<Buffer | Readable> => {
  const { head, tail, length } = message;
  if (length !== undefined && length <= answeredAtOnce) return wholeMessage(wado, frameRequest, message);
  // Reads the first frame before the answer begins. A decoding error can be reported only until then.
  const first = await frameBytes(wado, frameRequest, 0);
  const parts = async function* () {
    yield Buffer.concat([head, first]);
    for (let index = 1; index < frameRequest.frames.length; index += 1) {
      yield Buffer.concat([head, await frameBytes(wado, frameRequest, index)]);
    }
    yield tail;
  };
  return Readable.from(parts(), { objectMode: false });
};

/** Returns the length of a message of frames served as stored. Undefined when the frames must be read first. */
const storedLength = ({ instance, frames, form }: FrameRequest, head: number, tail: number): number | undefined => {
  if (form.isDecoded || !frames.every((frame) => isServedAsStored(instance, frame))) return undefined;
  return frames.reduce((sum, frame) => sum + head + storedLengthOf(frame), tail);
};

/** Returns the bytes of one requested frame. Throws 406 when it cannot be decoded. */
const frameBytes = async (
  { blobs, renderer }: Wado,
  { session, instance, frames, numbers, form }: FrameRequest,
  index: number,
): Promise<Buffer> => {
  if (!form.isDecoded) return readFrame(blobs, session.tenantId, instance, demanded(frames[index]));
  try {
    const format = await renderer.formatOf(session, instance);
    const decoded = await renderer.decoded(session.tenantId, instance, numbers[index] ?? 1, format);
    const pixels = asDescribed(decoded, format);
    return Buffer.from(pixels.buffer, pixels.byteOffset, pixels.length);
  } catch (error) {
    if (!(error instanceof NotRenderable)) throw error;
    const { transferSyntaxUid } = instance;
    const { reason } = error;
    const message = t`The frames are stored in transfer syntax ${transferSyntaxUid}. ${reason}`;
    throw new Problem(406, 'frames.not_decodable', message);
  }
};

/**
 * Returns the pixels with the colors in the order of the metadata. A frame has no header, so clients learn this order
 * only from the metadata.
 */
const asDescribed = ({ pixels, format }: DecodedFrame, { isPlanar }: PixelFormat): Uint8Array =>
  isPlanar && !format.isPlanar && format.samplesPerPixel === 3 && format.bitsAllocated >= 8
    ? toColorPlanes(pixels, format.bitsAllocated / 8)
    : pixels;

/** Returns the whole message in one buffer. The frames are read directly into it. */
const wholeMessage = async (
  { blobs }: Wado,
  { session, instance, frames }: FrameRequest,
  { head, tail }: Message,
): Promise<Buffer> => {
  const pieces: BlobPiece[] = [];
  const heads: number[] = [];
  let at = 0;
  for (const { ranges } of frames) {
    heads.push(at);
    const ofFrame = bufferPiecesOf(ranges, at + head.length);
    pieces.push(...ofFrame.pieces);
    at = ofFrame.end;
  }
  const message = borrowBuffer(at + tail.length);
  for (const start of heads) head.copy(message, start);
  tail.copy(message, at);
  await blobs.readInto(session.tenantId, instance.sha256, message, pieces);
  return message;
};
