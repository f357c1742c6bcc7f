import type { PictureLink } from '@radwork/contract/archive';
import type { StreamCall } from '#core/http.ts';
import type { PictureLinks } from '#core/picture-links.ts';
import { queryOf } from './query.ts';
import { thumbnailOptions } from './rendering/rendered-options.ts';
import { openStudy, type Wado } from './wado.ts';

/**
 * Creates an address of a study's thumbnail that works without a token, with the parameters of this call. The creator's
 * access is checked at each use. Throws 400 for parameters that a thumbnail does not support.
 */
export const linkToThumbnail = async (wado: Wado, links: PictureLinks, call: StreamCall) => {
  const { request, session, reply } = call;
  await openStudy(wado, call);
  thumbnailOptions(queryOf(request.query), undefined);
  const data: PictureLink = links.make(request.url, session, request.headers.authorization);
  return reply.send({ code: 200, message: 'OK', data });
};
