import { instanceOf } from './instance-of.ts';
import { type DicomJson, numberOf, tag, textOf } from './dicom-json.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';
const jpegBaseline = '1.2.840.10008.1.2.4.50';
const runLength = '1.2.840.10008.1.2.5';
/** JPEG Extended, Spectral Selection and Full Progression (PS3.5 §A.4.1), which may have 12 bits. */
const otherLossyJpeg = ['1.2.840.10008.1.2.4.51', '1.2.840.10008.1.2.4.53', '1.2.840.10008.1.2.4.55'];
const jpegLs = ['1.2.840.10008.1.2.4.80', '1.2.840.10008.1.2.4.81'];
/** HTJ2K in its three forms, which may leave colours as they are. */
const htj2k = ['1.2.840.10008.1.2.4.201', '1.2.840.10008.1.2.4.202', '1.2.840.10008.1.2.4.203'];
const jpeg2000 = /^1\.2\.840\.10008\.1\.2\.4\.(90|91|201|202|203)$/;

/**
 * Whether the decoders that the imaging library brings into the browser get an image wrong (Cornerstone3D 5.14.0, compared
 * with DCMTK): they round 12-bit JPEG coarsely, 12 HU on average in a CT, take the colours of every baseline JPEG for
 * luminance and chrominance although the file says RGB, those of other lossy JPEG for RGB although they are not, and those
 * of JPEG-LS for pixels although they may lie in planes; they mix the rows of colours that HTJ2K does not transform; RLE of 32
 * bits they do not know, and JPEG 2000 of as many they cut to 16. The server decodes these, or says that it cannot.
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
 * The header of an image as its frames are when the imaging library has to make colours of them: where the server has
 * undone a JPEG they are RGB, and JPEG 2000 comes pixel by pixel whatever the header says (PS3.5 §8.2.4).
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

/** Has the server decode an instance that turned out to be compressed otherwise than its header says. */
export const leaveToServer = (imageId: string) => leftToServer.add(instanceOf(imageId));

/** What to ask the server for besides the frame itself: without compression what is decoded there (PS3.18 §8.7.3.3). */
export const headersFor = (imageId: string): Record<string, string> =>
  leftToServer.has(instanceOf(imageId))
    ? { Accept: `multipart/related; type="application/octet-stream"; transfer-syntax=${explicitLittleEndian}` }
    : {};

/** Why an image that was loaded must not be looked at. */
export const whyShownWrong = (imageId: string): string | undefined => shownWrong.get(instanceOf(imageId));
