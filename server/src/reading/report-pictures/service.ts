import { t } from '@radwork/contract/core/translate';
import { maxImageBytes, pictureFit, imageTypeOf } from '@radwork/contract/image-files';
import type { Body, Reply } from '@radwork/contract/core/endpoint';
import type { reportPictures as endpoints } from '@radwork/contract/reading/report-pictures';
import sharp from 'sharp';
import type { Outgoing } from '#core/outgoing/open-outgoing.ts';
import { RemoteError } from '#core/outgoing/remote-error.ts';
import { invalid, Problem } from '#core/http/problem.ts';
import type { Session } from '#core/access/scope.ts';

/** Milliseconds within which the other site must answer. */
const patience = 10_000;

/** Maximum number of pixels, more than a camera has. There is a limit because a small file can claim any size. */
const mostPixels = 50_000_000;

const refuse = (message: string): Problem => invalid({ url: message });

/**
 * Fetches an image from a typed URL and encodes it again, so that only its pixels remain. Throws 422 with the reason
 * when the URL or its content is not acceptable.
 */
export const fetchPicture = async (
  outgoing: Outgoing,
  session: Session,
  { url }: Body<typeof endpoints.fetch>,
): Promise<Reply<typeof endpoints.fetch>> => {
  const bytes = await download(outgoing, session, url);
  if (!imageTypeOf(bytes)) throw refuse(t`No PNG, JPEG, GIF or WebP image was found at this address`);
  return drawAnew(bytes);
};

const download = async (outgoing: Outgoing, { tenantId, subdomain }: Session, url: string): Promise<Buffer> => {
  const tenant = { id: tenantId, subdomain };
  const request = { headers: { accept: 'image/*' }, signal: AbortSignal.timeout(patience), mostBytes: maxImageBytes };
  try {
    const answer = await outgoing.fetch(tenant, url, request);
    if (answer.status !== 200) {
      answer.discard();
      throw refuse(t`The server of the image returned status ${answer.status}`);
    }
    const chunks: Buffer[] = [];
    for await (const chunk of answer.body) chunks.push(chunk);
    return Buffer.concat(chunks);
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
    if (error.remoteCause === 'TIMEOUT') throw tookTooLong();
    throw refuse(wordsFor(error));
  }
};

const tookTooLong = () =>
  new Problem(504, 'picture.timeout', t`The server of the image took too long. Try again later.`, {
    retryAfterSeconds: 30,
  });

/**
 * Returns a message without details of addresses and rules. Administrators of archives need these details, but writers
 * of reports do not.
 */
const wordsFor = ({ remoteCause }: RemoteError): string => {
  switch (remoteCause) {
    case 'REFUSED_BY_POLICY':
      return t`Images from this address are not allowed`;
    default:
      return t`Could not load the image. It may be missing, moved or larger than 10 MB.`;
  }
};

const drawAnew = async (bytes: Buffer): Promise<Reply<typeof endpoints.fetch>> => {
  const { side, quality } = pictureFit;
  try {
    const { data, info } = await sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
      .rotate()
      .flatten({ background: '#ffffff' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: quality * 100 })
      .toBuffer({ resolveWithObject: true });
    return { src: `data:image/jpeg;base64,${data.toString('base64')}`, width: info.width, height: info.height };
  } catch {
    throw refuse(t`The image at this address is damaged or too large`);
  }
};
