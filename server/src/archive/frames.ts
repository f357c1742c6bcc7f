import { Readable } from 'node:stream';
import { decodeFrameIndex, type FrameRanges } from '@radwork/dicom/frame-index';
import { closingBoundary, newBoundary, partHeader } from '@radwork/dicom/multipart';
import type { Piece } from '#core/blob-store.ts';
import type { StreamCall } from '#core/http.ts';
import { malformed, notFound, Problem } from '#core/problem.ts';
import { acceptedRanges } from './accept.ts';
import { entityTag, hasAlready } from './conditional.ts';
import { frameFormOf } from './frame-form.ts';
import type { StoredInstance } from './objects.ts';
import { pathParameter } from './path-uids.ts';
import { isServedAsStored, readFrame, servedTransferSyntax } from './served-frames.ts';
import { openInstance, type Wado } from './wado.ts';

/** Up to this many bytes an answer is put together in memory, which is twice as fast as streaming it. */
const answeredAtOnce = 8 << 20;

/**
 * Frames of an instance by their numbers, "1" or "3,4,5" (PS3.18 §10.4.1.1.6), in the transfer syntax that they are
 * stored in: a client that names none is taken to want what there is, as "transfer-syntax=*" asks for. Nothing is
 * parsed again: the bytes are read from where the frame index says. 404 for a frame that there is not, 406 for
 * another transfer syntax.
 */
export const answerFrames = async (wado: Wado, call: StreamCall) => {
  const { request, reply, session } = call;
  const instance = await openInstance(wado, call);
  const list = pathParameter(request, 'frames');
  const frames = framesOf(instance, list);
  const syntax = servedTransferSyntax(instance);
  const form = frameFormOf(acceptedRanges(request.headers.accept), syntax, frames.length);
  if (!form) throw new Problem(406, 'frames.media_type', `The frames are stored in transfer syntax ${syntax}`);

  const headers = {
    etag: entityTag(instance.sha256, list, form.mediaType),
    'cache-control': 'private, max-age=3600, immutable',
    vary: 'Accept, Authorization',
  };
  if (hasAlready(request, headers.etag)) return reply.headers(headers).status(304).send();
  const contentType = `${form.mediaType}; transfer-syntax=${syntax}`;
  if (!form.isMultipart) {
    const frame = await readFrame(wado.blobs, session.tenantId, instance, frames[0] ?? []);
    return reply.headers(headers).type(contentType).send(frame);
  }
  const boundary = newBoundary();
  const parts = { instance, frames, head: partHeader({ boundary, contentType }), tail: closingBoundary(boundary) };
  const message = canBeAnsweredAtOnce(parts)
    ? await messageOf(wado, session.tenantId, parts)
    : Readable.from(streamOf(wado, session.tenantId, parts), { objectMode: false });
  return reply.headers(headers).type(`multipart/related; type="${form.mediaType}"; boundary=${boundary}`).send(message);
};

type Parts = { instance: StoredInstance; frames: FrameRanges[]; head: Buffer; tail: Buffer };

/** The frames that a list names, in its order. */
const framesOf = ({ frameIndex }: StoredInstance, list: string): FrameRanges[] => {
  if (!/^\d{1,7}(,\d{1,7})*$/.test(list)) throw malformed('Name frames by their numbers, such as 1 or 3,4,5');
  const { frames } = frameIndex ? decodeFrameIndex(frameIndex) : { frames: [] };
  return list.split(',').map((number) => {
    const frame = frames[Number(number) - 1];
    if (!frame) throw notFound('frame');
    return frame;
  });
};

const canBeAnsweredAtOnce = ({ instance, frames }: Parts): boolean => {
  const bytes = frames.flat().reduce((sum, [, length]) => sum + length, 0);
  return isServedAsStored(instance) && bytes <= answeredAtOnce;
};

/** The whole message in one buffer, into which the frames are read where they belong. */
const messageOf = async ({ blobs }: Wado, tenantId: number, parts: Parts): Promise<Buffer> => {
  const { instance, frames, head, tail } = parts;
  const pieces: Piece[] = [];
  const heads: number[] = [];
  let at = 0;
  for (const ranges of frames) {
    heads.push(at);
    at += head.length;
    for (const [offset, length] of ranges) {
      pieces.push({ offset, length, at });
      at += length;
    }
  }
  const message = Buffer.allocUnsafe(at + tail.length);
  for (const start of heads) head.copy(message, start);
  tail.copy(message, at);
  await blobs.readInto(tenantId, instance.sha256, message, pieces);
  return message;
};

async function* streamOf({ blobs }: Wado, tenantId: number, { instance, frames, head, tail }: Parts) {
  for (const ranges of frames) {
    yield head;
    yield await readFrame(blobs, tenantId, instance, ranges);
  }
  yield tail;
}
