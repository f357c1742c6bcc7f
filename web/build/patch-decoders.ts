import type { Plugin } from 'vite';
import { losslessJpegError } from '#reading/viewer/images/header/lossless-jpeg-error.ts';

const decoderPattern = /local\.decoder = new instance\.(\w+)\(\);/;
const decoderChoice = /const decoder = (local\.decoder|new local\.codec\.HTJ2KDecoder\(\));/;
const decoded = /decoder\.(decode\(\)|decodeSubResolution\(decodeLevel\));/;

/**
 * Makes the image loader (Cornerstone3D 5.14.0) create a new decoder for each image, and throw if it decodes nothing.
 * The original keeps one decoder per codec. If that decoder fails without an error, it returns the pixels of the
 * previous image. Throws if the code of the decoder has changed.
 */
export const withNewDecoders = (code: string): string => {
  const [, name] = decoderPattern.exec(code) ?? [];
  if (!name || [decoderChoice, decoded].some((part) => code.match(new RegExp(part, 'g'))?.length !== 1)) {
    throw new Error(
      'The image loader has another decoder: see whether corrupt images are still shown as others (web/build/patch-decoders.ts)',
    );
  }
  // Frees the previous decoder only now, because the memory of the decoder held the pixels until they left the worker.
  const replacement = `local.decoder.delete(); const decoder = (local.decoder = new local.codec.${name}());`;
  const checked = "if (decoder.getDecodedBuffer().length === 0) throw new Error('Nothing was decoded');";
  return code
    .replace(decoderChoice, replacement + (name === 'HTJ2KDecoder' ? mustEnd : ''))
    .replace(decoded, `$& ${checked}`);
};

/**
 * Rejects incomplete HTJ2K, because the decoder would fill in the missing part. A complete codestream ends with FF D9
 * (ISO/IEC 15444-1 §A.4.4), followed at most by zeros for even length (PS3.5 §A.4).
 */
const mustEnd =
  ' let last = compressedImageFrame.length; while (compressedImageFrame[last - 1] === 0) last -= 1;' +
  " if (compressedImageFrame[last - 2] !== 0xff || compressedImageFrame[last - 1] !== 0xd9) throw new Error('Cut short');";

/** Ends of the loops over RLE segments, each with the length that the loop must have filled. */
const segments = [
  ['decode8', '    imageFrame.pixelData = new Uint8Array(outFrame);', 's + frameSize * imageFrame.samplesPerPixel'],
  ['decode8Planar', '    imageFrame.pixelData = new Uint8Array(outFrame);', '(s + 1) * frameSize'],
  ['decode16', '    if (imageFrame.pixelRepresentation === 0)', 'frameSize'],
] as const;

const ends = '        }\n    }\n';
const counted = 'const numSegments = header.getInt32(0, true);';

/**
 * Makes the RLE decoder throw if a segment does not fill its image (PS3.5 §G.2). The original leaves the rest of the
 * image black. Throws if the code of the decoder has changed.
 */
export const withWholeSegments = (code: string): string => {
  const parts = code.split('\nfunction ');
  const patched = parts.map((part) => {
    const [, after, filled] = segments.find(([name]) => part.startsWith(`${name}(`)) ?? [];
    if (!after || part.split(ends + after).length !== 2 || part.split(counted).length !== 2) return part;
    return part
      .replace(counted, `${counted} if (numSegments < 1) throw new Error('Nothing was decoded');`)
      .replace(ends + after, `        }\n if (outIndex < ${filled}) throw new Error('Cut short');\n    }\n${after}`);
  });
  if (patched.filter((part, at) => part !== parts[at]).length !== segments.length) {
    throw new Error(
      'The image loader has another decoder of RLE: see whether cut images still look whole (web/build/patch-decoders.ts)',
    );
  }
  return patched.join('\nfunction ');
};

const lossless = 'const decoder = new local.DecoderClass();';

/**
 * Makes the lossless JPEG decoder reject other kinds of JPEG. Some files declare lossy JPEG as lossless, and the
 * decoder would return a meaningless image. The first start-of-frame marker tells the kind (ITU-T T.81 table B.1: SOF3
 * is FF C3). Throws if the code of the decoder has changed.
 */
export const withLosslessOnly = (code: string): string => {
  if (code.split(lossless).length !== 2) {
    throw new Error(
      'The image loader has another decoder of lossless JPEG: see whether others are still shown as such (web/build/patch-decoders.ts)',
    );
  }
  return code.replace(lossless, () => onlyLossless + lossless);
};

const onlyLossless =
  ' for (let at = 2; at + 3 < pixelData.length && pixelData[at] === 0xff; at += 2 + pixelData[at + 2] * 256 + pixelData[at + 3]) {' +
  ' while (pixelData[at + 1] === 0xff) at += 1; const marker = pixelData[at + 1]; if (marker === 0xc3 || marker === 0xda) break;' +
  ` if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) throw new Error('${losslessJpegError}'); }\n    `;

const ofTheLoader =
  /dicom-image-loader\/dist\/esm\/shared\/decoders\/decode(JPEG2000|HTJ2K|JPEGLS|JPEGBaseline8Bit|JPEGXL)\.js/;

/** Corrects known errors of the image decoders. */
export const patchDecoders = (): Plugin => ({
  name: 'mend-decoders',
  enforce: 'pre',
  transform: (code, id) => {
    if (ofTheLoader.test(id)) return withNewDecoders(code);
    if (/dicom-image-loader\/dist\/esm\/shared\/decoders\/decodeJPEGLossless\.js/.test(id))
      return withLosslessOnly(code);
    return /dicom-image-loader\/dist\/esm\/shared\/decoders\/decodeRLE\.js/.test(id) ? withWholeSegments(code) : null;
  },
});
