import { instanceOf } from './instance-of.ts';
import { type DicomJson, numberOf, tag, textOf } from './dicom-json.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const jpegBaseline = '1.2.840.10008.1.2.4.50';
/** JPEG Extended, Spectral Selection and Full Progression (PS3.5 §A.4.1), which may have 12 bits. */
const jpegOf12Bits = ['1.2.840.10008.1.2.4.51', '1.2.840.10008.1.2.4.53', '1.2.840.10008.1.2.4.55'];

/**
 * Whether the decoders that the imaging library brings into the browser get an image wrong (Cornerstone3D 5.14.0, compared
 * with DCMTK): they round 12-bit JPEG coarsely, 12 HU on average in a CT, and take the colours of every 8-bit JPEG for
 * luminance and chrominance although the file says RGB. The server decodes these.
 */
export const isLeftToServer = (header: DicomJson): boolean => {
  const transferSyntax = textOf(header, tag.AvailableTransferSyntaxUID);
  if (jpegOf12Bits.includes(transferSyntax)) return (numberOf(header, tag.BitsAllocated) ?? 8) > 8;
  return transferSyntax === jpegBaseline && textOf(header, tag.PhotometricInterpretation) === 'RGB';
};

/** Why an image would be shown otherwise than its file says; undefined where it is shown right. */
export const reasonShownWrong = (header: DicomJson): string | undefined => {
  const [samples = 1, bits = 8] = [numberOf(header, tag.SamplesPerPixel), numberOf(header, tag.BitsAllocated)];
  return samples > 1 && bits > 8
    ? `Its colours have ${bits} bits, which would be shown wrong. Its small picture beside is right; download the file for more.`
    : undefined;
};

/** What has been learned of instances, by their part of an image id. */
const leftToServer = new Set<string>();
const shownWrong = new Map<string, string>();

/** Remembers how an instance is decoded. */
export const learnDecoding = (imageId: string, header: DicomJson) => {
  const instance = instanceOf(imageId);
  if (isLeftToServer(header)) leftToServer.add(instance);
  const reason = reasonShownWrong(header);
  if (reason) shownWrong.set(instance, reason);
};

/** What to ask the server for besides the frame itself: without compression what is decoded there (PS3.18 §8.7.3.3). */
export const headersFor = (imageId: string): Record<string, string> =>
  leftToServer.has(instanceOf(imageId))
    ? { Accept: `multipart/related; type="application/octet-stream"; transfer-syntax=${explicitLittleEndian}` }
    : {};

/** Why an image that was loaded must not be looked at. */
export const whyShownWrong = (imageId: string): string | undefined => shownWrong.get(instanceOf(imageId));
