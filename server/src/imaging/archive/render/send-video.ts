import type { VideoLink } from '@radwork/contract/imaging/archive';
import { t } from '@radwork/contract/core/translate';
import { type ReadBytes, withReadAhead } from '@radwork/dicom/byte-window';
import { readFragments } from '@radwork/dicom/fragments';
import type { FrameRanges } from '@radwork/dicom/frame-ranges';
import { transferSyntaxOf } from '@radwork/dicom/transfer-syntax';
import { videoTypeOf } from '@radwork/dicom/video-type';
import { Readable } from 'node:stream';
import type { PictureLinks } from '#core/access/signed-image-urls.ts';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import { sendBytes } from '#imaging/archive/dicomweb/send-bytes.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { openInstance, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { readHeaderOf } from '#imaging/archive/header/read-header.ts';
import { readInChunks, within } from '#imaging/archive/retrieve/byte-ranges.ts';
import { headersOfContent } from '#imaging/archive/retrieve/document-types.ts';
import { demandAccept } from './demand-accept.ts';

export const isVideo = ({ transferSyntaxUid }: Pick<StoredInstance, 'transferSyntaxUid'>): boolean =>
  transferSyntaxOf(transferSyntaxUid)?.codec === 'video';

/** Bytes that tell the container: two packets of a transport stream. */
const bytesOfStart = 400;

type Stream = { read: ReadBytes; ranges: FrameRanges; mediaType: string; length: number };

/** Finds the stream of a video: the bytes of all fragments, one after the other (PS3.5 §8.2.5 to §8.2.8). */
const openStream = async ({ blobs }: Wado, { session }: StreamCall, instance: StoredInstance): Promise<Stream> => {
  const { sha256, size, transferSyntaxUid } = instance;
  const read: ReadBytes = (offset, length) => blobs.read(session.tenantId, sha256, offset, length);
  const ranges = await fragmentsOf(read, size);
  const start = await Promise.all(within(ranges, 0, bytesOfStart).map(([offset, length]) => read(offset, length)));
  const mediaType = videoTypeOf(Buffer.concat(start), transferSyntaxUid);
  return { read, ranges, mediaType, length: ranges.reduce((sum, [, bytes]) => sum + bytes, 0) };
};

/** Sends a video as it is stored in the file. Browsers may read ranges of it (RFC 9110 §14). */
export const sendVideo = async (wado: Wado, call: StreamCall, instance: StoredInstance) => {
  const { read, ranges, mediaType, length: size } = await openStream(wado, call, instance);
  demandAccept(call, [mediaType]);
  const chunksOf = async function* (requestedRanges: FrameRanges) {
    for (const [offset, bytes] of requestedRanges) yield* readInChunks(read, offset, bytes);
  };
  return sendBytes(call, {
    contentType: mediaType,
    etag: strongTag(instance.sha256, 'video'),
    headers: headersOfContent,
    size,
    read: (range) => Readable.from(chunksOf(within(ranges, range.offset, range.length)), { objectMode: false }),
  });
};

const fragmentsOf = async (read: ReadBytes, size: number): Promise<FrameRanges> => {
  const { pixelData } = await readHeaderOf(read, size);
  if (!pixelData) return [];
  const { fragments } = await readFragments(withReadAhead(read, size), pixelData.offset, size);
  return fragments.map(({ offset, length }) => [offset, length]);
};

/**
 * Creates a URL of a video that works without a token, for a video element. The access of its creator is checked at
 * each use. Throws 406 for any other instance.
 */
export const linkToVideo = async (wado: Wado, links: PictureLinks, call: StreamCall) => {
  const { request, session, reply } = call;
  const instance = await openInstance(wado, call);
  const link = links.make(request.url, session, request.headers.authorization);
  if (!isVideo(instance)) throw new Problem(406, 'rendered.no_video', t`This instance is not a video`);
  const { mediaType, length } = await openStream(wado, call, instance);
  const data: VideoLink = { ...link, mediaType, size: length };
  return reply.send({ code: 200, message: 'OK', data });
};
