import { t } from '@radwork/contract/core/translate';
import type { ReadBytes } from '@radwork/dicom/byte-window';
import type { DicomJson } from '@radwork/dicom/dataset';
import type { StreamCall } from '#core/http/http.ts';
import { malformed, notFound, Problem } from '#core/http/problem.ts';
import { isNotModified, strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { queryOf } from '#imaging/archive/dicomweb/query-parameters.ts';
import { readFacts } from '#imaging/archive/header/read-facts.ts';
import { renderingRevision } from './rendering-revision.ts';
import { renderedOptions } from './rendered-options.ts';
import { isHead, noBody } from '#imaging/archive/dicomweb/send-bytes.ts';
import { decodable } from './send-rendered-image.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { gunzip } from '#core/resources/gzip.ts';

/** A file that belongs to no study. */
type File = { id: string; size: number; sha256: Buffer; frames: number | null };

/** Finds the file in the path of a call. Throws 404 when the caller has no access. */
export type FindFile = (call: StreamCall) => Promise<File>;

/**
 * Renders a DICOM file that belongs to no study, with the options of rendered instances. `frame` counts from 1. The
 * facts of an instance are stored in rows; those of this file are read from the file each time.
 */
export const renderFile = async ({ blobs, renderer }: Wado, call: StreamCall, findFile: FindFile) => {
  const { request, reply, session } = call;
  const file = await findFile(call);
  const query = queryOf(request.query);
  const options = renderedOptions(query, request.headers.accept);
  const frame = frameOf(query['frame']?.[0], file);
  const sha256 = file.sha256.toString('hex');
  const headers = {
    etag: strongTag(renderingRevision, sha256, frame, JSON.stringify(options)),
    'cache-control': 'private, no-store',
  };
  if (isNotModified(request, headers.etag)) return reply.headers(headers).status(304).send();
  const read: ReadBytes = (offset, length) => blobs.read(session.tenantId, sha256, offset, length);
  const { instance, readMetadata } = await describe(read, file, sha256, session.tenantId);
  const picture = await renderer.picture(session, decodable(instance), frame, options, readMetadata);
  void reply.headers({ ...headers, 'content-length': picture.length }).type(options.mediaType);
  return reply.send(isHead(request) ? noBody() : picture);
};

const frameOf = (text: string | undefined, { frames }: File): number => {
  if (!frames) throw new Problem(406, 'rendered.no_image', t`This file has no image`);
  if (text !== undefined && !/^\d{1,6}$/.test(text)) throw malformed(t`frame must be a number`);
  const frame = Number(text ?? 1);
  if (frame < 1 || frame > frames) throw notFound('frame');
  return frame;
};

const describe = async (read: ReadBytes, { id, size }: File, sha256: string, tenantId: number) => {
  const { sopInstanceUID, sopClassUID, instance: columns } = await readFacts(read, size, tenantId);
  const instance: StoredInstance = {
    id,
    sopInstanceUid: sopInstanceUID,
    sopClassUid: sopClassUID,
    transferSyntaxUid: columns.transfer_syntax_uid,
    sha256,
    size,
    rows: columns.rows ?? 0,
    columns: columns.columns ?? 0,
    bitsAllocated: columns.bits_allocated,
    photometricInterpretation: columns.photometric_interpretation,
    numberOfFrames: columns.number_of_frames,
    isRenderable: columns.is_renderable,
    frameIndex: columns.frame_index,
    contentRevision: 1,
  };
  const readMetadata = async (): Promise<DicomJson> => JSON.parse((await gunzip(columns.metadata)).toString());
  return { instance, readMetadata };
};
