import { t } from '@radwork/contract/core/translate';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { isNotModified, strongTag } from '#imaging/archive/dicomweb/entity-tags.ts';
import type { StoredInstance } from '#imaging/archive/dicomweb/stored-instances.ts';
import { queryOf } from '#imaging/archive/dicomweb/query-parameters.ts';
import { canDecode } from '#imaging/archive/pixels/can-decode.ts';
import { renderingRevision } from './rendering-revision.ts';
import type { RenderedOptions } from './rendered-options.ts';
import { isHead, noBody } from '#imaging/archive/dicomweb/send-bytes.ts';
import type { Wado } from '#imaging/archive/dicomweb/wado-context.ts';
import { varies } from '#imaging/archive/dicomweb/vary-header.ts';

/** One frame of an image. Frame numbers start at 1. */
export type ShownFrame = { instance: StoredInstance; frame: number };

/**
 * Seconds for which clients may cache a rendered image. A rendered frame never changes, but another frame may represent
 * a study after images arrive.
 */
export const maxAgeSeconds = 3600;

/** Answers with one rendered image. Throws 406, and 422 when the image cannot be rendered. */
export const sendPicture = async (
  wado: Wado,
  call: StreamCall,
  { instance, frame }: ShownFrame,
  options: RenderedOptions,
  maxAge = maxAgeSeconds,
) => {
  const { request, reply, session } = call;
  const headers = {
    etag: strongTag(renderingRevision, instance.sha256, instance.contentRevision, frame, JSON.stringify(options)),
    ...pictureHeaders(call, maxAge),
  };
  if (isNotModified(request, headers.etag)) return reply.headers(headers).status(304).send();
  const picture = await wado.renderer.picture(session, decodable(instance), frame, options);
  void reply.headers({ ...headers, 'content-length': picture.length }).type(options.mediaType);
  return reply.send(isHead(request) ? noBody() : picture);
};

/** Throws 406 for an image without a decoder. */
export const decodable = (instance: StoredInstance): StoredInstance => {
  const { transferSyntaxUid } = instance;
  if (canDecode(transferSyntaxUid)) return instance;
  const words = t`Transfer syntax ${transferSyntaxUid} cannot be rendered; the frames and the file are available`;
  throw new Problem(406, 'rendered.no_decoder', words);
};

export const pictureHeaders = ({ request }: StreamCall, maxAge: number): Record<string, string> => {
  const annotation = queryOf(request.query)
    ['annotation']?.join(',')
    .replaceAll(/[^\w,-]/g, '');
  return {
    'cache-control': `private, max-age=${maxAge}`,
    vary: varies,
    // PS3.18 §8.3.5.1.1: a warning header names annotations that are not burned in.
    ...(annotation && { warning: `299 radwork "The following annotation values are not supported: ${annotation}"` }),
  };
};
