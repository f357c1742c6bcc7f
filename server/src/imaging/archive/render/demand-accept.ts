import { t } from '@radwork/contract/core/translate';
import type { StreamCall } from '#core/http/http.ts';
import { Problem } from '#core/http/problem.ts';
import { acceptHeaderOf, preferredMediaType } from '#imaging/archive/dicomweb/accept-header.ts';

/** Returns the media type that a client prefers. Throws 406 when it accepts none of them. */
export const demandAccept = <T extends string>({ request }: StreamCall, mediaTypes: readonly T[]): T => {
  const mediaType = preferredMediaType(acceptHeaderOf(request), mediaTypes);
  if (mediaType) return mediaType;
  const available = mediaTypes.join(', ');
  throw new Problem(406, 'rendered.media_type', t`This instance is available as ${available}`);
};
