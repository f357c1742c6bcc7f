import { t } from '@lingui/core/macro';
import { instanceOf } from './instance-id.ts';
import { type DicomJson, numberOf, tag, textOf } from './dicom-json.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const jpegBaseline = '1.2.840.10008.1.2.4.50';
const runLength = '1.2.840.10008.1.2.5';
/** JPEG Extended, Spectral Selection and Full Progression (PS3.5 §A.4.1). They may have 12 bits. */
const otherLossyJpeg = ['1.2.840.10008.1.2.4.51', '1.2.840.10008.1.2.4.53', '1.2.840.10008.1.2.4.55'];
const jpegLs = ['1.2.840.10008.1.2.4.80', '1.2.840.10008.1.2.4.81'];
/** The three forms of HTJ2K, with or without color transform. */
const htj2k = ['1.2.840.10008.1.2.4.201', '1.2.840.10008.1.2.4.202', '1.2.840.10008.1.2.4.203'];
const jpeg2000 = /^1\.2\.840\.10008\.1\.2\.4\.(90|91|201|202|203)$/;

/**
 * Whether the imaging library would decode an image wrongly in the browser (Cornerstone3D 5.14.0, compared with DCMTK).
 * The server decodes such images, or reports that it cannot.
 * - 12-bit JPEG is rounded coarsely, by 12 HU on average in a CT.
 * - Baseline JPEG declared as RGB is read as luminance and chrominance.
 * - Other lossy JPEG in color is read as RGB although it is not.
 * - JPEG-LS in color is read as interleaved pixels although it may have planes.
 * - HTJ2K without a color transform mixes up rows of colors.
 * - RLE of 32 bits is not supported. JPEG 2000 of 32 bits is cut to 16 bits.
 */
export const isLeftToServer = (header: DicomJson): boolean => {
  const transferSyntax = textOf(header, tag.AvailableTransferSyntaxUID);
  const bits = numberOf(header, tag.BitsAllocated) ?? 8;
  const isColour = (numberOf(header, tag.SamplesPerPixel) ?? 1) > 1;
  if (otherLossyJpeg.includes(transferSyntax)) return bits > 8 || isColour;
  if (jpegLs.includes(transferSyntax)) return isColour;
  if (bits > 16 && (transferSyntax === runLength || jpeg2000.test(transferSyntax))) return true;
  const colours = textOf(header, tag.PhotometricInterpretation);
  if (htj2k.includes(transferSyntax)) return isColour && !['YBR_RCT', 'YBR_ICT'].includes(colours);
  return transferSyntax === jpegBaseline && colours === 'RGB';
};

/**
 * Returns a header that fits the decoded frames, because the imaging library converts colors by the header. JPEG
 * decoded by the server is RGB. JPEG 2000 is interleaved, whatever the header says (PS3.5 §8.2.4).
 */
export const asDecoded = (header: DicomJson): DicomJson => {
  const transferSyntax = textOf(header, tag.AvailableTransferSyntaxUID);
  const isYbr = textOf(header, tag.PhotometricInterpretation).startsWith('YBR_FULL');
  if (otherLossyJpeg.includes(transferSyntax) && isLeftToServer(header) && isYbr) {
    return { ...header, [tag.PhotometricInterpretation]: { vr: 'CS', Value: ['RGB'] } };
  }
  return jpeg2000.test(transferSyntax) && !isLeftToServer(header) && numberOf(header, tag.PlanarConfiguration) === 1
    ? { ...header, [tag.PlanarConfiguration]: { vr: 'US', Value: [0] } }
    : header;
};

/** Returns the reason why an image would be shown wrongly. Undefined if it is shown correctly. */
export const reasonShownWrong = (header: DicomJson): string | undefined => {
  const [samples = 1, bits = 8] = [numberOf(header, tag.SamplesPerPixel), numberOf(header, tag.BitsAllocated)];
  return samples > 1 && bits > 8
    ? t`The ${bits}-bit colors of this image cannot be shown correctly. The thumbnail is correct. Download the file for more detail.`
    : undefined;
};

/** Instances that the server decodes, by the part of the image ID that identifies the instance. */
const leftToServer = new Set<string>();
const shownWrong = new Map<string, string>();

/** Records how an instance is decoded. */
export const learnDecoding = (imageId: string, header: DicomJson) => {
  const instance = instanceOf(imageId);
  if (isLeftToServer(header)) leftToServer.add(instance);
  const reason = reasonShownWrong(header);
  if (reason) shownWrong.set(instance, reason);
};

/** Marks an instance to be decoded by the server, because its compression differs from its header. */
export const leaveToServer = (imageId: string) => leftToServer.add(instanceOf(imageId));

/**
 * Returns the request headers for a frame. They ask for uncompressed data if the server decodes the frame (PS3.18
 * §8.7.3.3).
 */
export const headersFor = (imageId: string): Record<string, string> =>
  leftToServer.has(instanceOf(imageId))
    ? { Accept: `multipart/related; type="application/octet-stream"; transfer-syntax=${explicitLittleEndian}` }
    : {};

/** Returns the reason why a loaded image must not be shown. */
export const whyShownWrong = (imageId: string): string | undefined => shownWrong.get(instanceOf(imageId));
