import type { PictureLink } from '@radwork/contract/imaging/archive';
import type { StreamCall } from '#core/http/http.ts';
import type { PictureLinks } from '#core/access/signed-image-urls.ts';
import { queryOf } from '#imaging/archive/dicomweb/query-parameters.ts';
import { thumbnailOptions } from './rendered-options.ts';
import { openStudy, type Wado } from '#imaging/archive/dicomweb/wado-context.ts';

/**
 * Creates a URL of a study's thumbnail that works without a token, with the parameters of this call. The access of its
 * creator is checked at each use. Throws 400 for parameters that thumbnails do not support.
 */
export const linkToThumbnail = async (wado: Wado, links: PictureLinks, call: StreamCall) => {
  const { request, session, reply } = call;
  await openStudy(wado, call);
  thumbnailOptions(queryOf(request.query), undefined);
  const data: PictureLink = links.make(request.url, session, request.headers.authorization);
  return reply.send({ code: 200, message: 'OK', data });
};
