import { t } from '@radwork/contract/core/translate';
import { signerText } from '@radwork/contract/reading/report-parts';
import sharp from 'sharp';
import { readDataUrl } from '#core/uploads/data-url.ts';
import { orNotFound, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { type Drawing, readStrokes } from './signature-strokes.ts';

const largest = 200 * 1024;
const pngHead = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * Accepts the image of a signature, at most 200 KB as a data URL: a PNG, or an SVG of strokes. An SVG is redrawn as a
 * PNG from its strokes, so that nothing else in it is stored or shown. Returns null if there is no image. Throws a
 * problem for anything else. Drawing takes a moment, so do not call it within a transaction.
 */
export const acceptSignature = async (dataUrl: string | undefined): Promise<string | null> => {
  if (!dataUrl) return null;
  const { type, base64 = '' } = readDataUrl(dataUrl) ?? {};
  const picture = Buffer.from(base64, 'base64');
  if (picture.length > largest) throw invalid({ signatureData: t`The signature is larger than 200 KB` });
  if (type === 'image/svg+xml') return inTurn(readStrokes(picture.toString('utf8')));
  if (type !== 'image/png' || !picture.subarray(0, pngHead.length).equals(pngHead)) {
    throw invalid({ signatureData: t`The signature must be a PNG or SVG image` });
  }
  return dataUrl;
};

/** Throws a problem if a signature is required and missing. */
export const assertSigned = (signature: string | null, isRequired: boolean): void => {
  if (isRequired && signature === null) throw invalid({ signatureData: t`Signature is required` });
};

type Signer = { name: string; credentials: string };

/**
 * Returns name and credentials of the caller for a signature. Throws 404 for a visitor from another organization,
 * because visitors cannot sign.
 */
export const ownSigner = async ({ db, session }: Scope): Promise<Signer> =>
  orNotFound(
    await db.selectFrom('users').select(['name', 'credentials']).where('id', '=', session.userId).executeTakeFirst(),
    'user',
  );

/** Throws a problem if a typed signature contains another name than the account. */
export const assertOwnName = (signer: Signer, typedName: string | undefined): void => {
  if (typedName === undefined || typedName === signerText(signer)) return;
  throw invalid({ typedName: t`A typed signature must show your account name: ${signerText(signer)}` });
};

let before: Promise<unknown> = Promise.resolve();

/** Draws one image at a time, because drawing uses the same few threads as file access and password checks. */
const inTurn = (drawing: Drawing): Promise<string> => {
  const png = before.then(() => drawnAsPng(drawing));
  before = png.catch(() => {});
  return png;
};

const drawnAsPng = async (drawing: Drawing): Promise<string> => {
  const png = await sharp(Buffer.from(svgOf(drawing)))
    .flatten({ background: '#fff' })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};

/** Writes a new SVG from the numbers that were read. */
const svgOf = ({ width, height, lines, dots }: Drawing): string => {
  const paths = lines.map(({ steps, width: penWidth, colour }) => {
    const path = steps.map(({ command, points }) => command + points.map(({ x, y }) => `${x} ${y}`).join(' '));
    return `<path d="${path.join('')}" stroke="${colour}" stroke-width="${penWidth}"/>`;
  });
  const circles = dots.map(
    ({ x, y, radius, colour }) => `<circle cx="${x}" cy="${y}" r="${radius}" fill="${colour}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <g fill="none" stroke-linecap="round" stroke-linejoin="round">${paths.join('')}${circles.join('')}</g></svg>`;
};
