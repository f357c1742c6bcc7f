import { invalid } from '#core/problem.ts';

const largest = 200 * 1024;
const pngHead = Buffer.from('89504e470d0a1a0a', 'hex');
const dataUrl = /^data:image\/png;base64,([A-Za-z0-9+/]+={0,2})$/;

/** The picture of a signature, a PNG of at most 200 KB as a data URL. Throws a problem when it is needed or no such picture. */
export const acceptSignature = (given: string | undefined, isRequired: boolean): string | null => {
  if (!given) {
    if (isRequired) throw invalid({ signatureData: 'Signature is required' });
    return null;
  }
  const [, base64 = ''] = dataUrl.exec(given) ?? [];
  const picture = Buffer.from(base64, 'base64');
  if (!picture.subarray(0, pngHead.length).equals(pngHead)) {
    throw invalid({ signatureData: 'The signature must be a PNG picture' });
  }
  if (picture.length > largest) throw invalid({ signatureData: 'The signature is larger than 200 KB' });
  return given;
};
