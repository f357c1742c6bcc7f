import { fileURLToPath } from 'node:url';
import loadCharls from '@cornerstonejs/codec-charls/decodewasmjs';
import type { Codec } from '@radwork/dicom/transfer-syntax';
import codecs from 'dcmjs-codecs';
import type { Decoded } from './decoded-frame.ts';
import { isColorByPlane, componentsOf, isJpegOfYbr } from './codestream.ts';
import { asComponents } from './jpeg2000-components.ts';
import { NotRenderable, type PixelFormat } from './pixel-format.ts';

type Context = InstanceType<typeof codecs.Context>;

const { NativeCodecs } = codecs;

const decoders: Partial<Record<Codec, (context: Context) => Context>> = {
  rle: (context) => NativeCodecs.decodeRle(context),
  jpeg: (context) => NativeCodecs.decodeJpeg(context),
  'jpeg-lossless': (context) => NativeCodecs.decodeJpeg(context),
  'jpeg-ls': (context) => NativeCodecs.decodeJpegLs(context),
  jpeg2000: (context) => NativeCodecs.decodeJpeg2000(context),
  htj2k: (context) => NativeCodecs.decodeHtJpeg2000(context),
};

await NativeCodecs.initializeAsync();

/** Decodes a compressed frame as decodeFrame does. */
export const decompress = async (codec: Codec, frame: Uint8Array, format: PixelFormat): Promise<Decoded> => {
  try {
    return decodeNatively(codec, frame, format);
  } catch (error) {
    if (codec !== 'jpeg-ls') throw error;
    // One real file in sixty crashes this decoder. CharLS is slower and did not crash.
    return { ...(await decodeWithCharls(frame, format)), hasBrokenDecoder: !(error instanceof NotRenderable) };
  }
};

/** Returns the color space in the header. If a JPEG in an RGB file declares YCbCr, returns YCbCr. */
const colorsOf = (codec: Codec, frame: Uint8Array, { photometricInterpretation }: PixelFormat): string =>
  codec === 'jpeg' && photometricInterpretation === 'RGB' && isJpegOfYbr(frame)
    ? 'YBR_FULL'
    : photometricInterpretation;

/**
 * Returns whether the decoder returns color planes. The header is often wrong about the order. It is ignored where the
 * codestream defines the order (PS3.5 §8.2.1, §8.2.3, §8.2.4).
 */
const isPlanarAfter = (codec: Codec, frame: Uint8Array, decoded: Context): boolean => {
  if (codec === 'jpeg-ls') return isColorByPlane(frame);
  return codec === 'rle' && decoded.getPlanarConfiguration() === 1;
};

const ofJpeg2000: readonly Codec[] = ['jpeg2000', 'htj2k'];

/** YBR_RCT and YBR_ICT are names for transforms of RGB. The JPEG 2000 decoder reverses them (PS3.3 §C.7.6.3.1.2). */
const colorsAfter = (codec: Codec, interpretation: string): string =>
  ofJpeg2000.includes(codec) && ['YBR_RCT', 'YBR_ICT'].includes(interpretation) ? 'RGB' : interpretation;

const decodeNatively = (codec: Codec, frame: Uint8Array, format: PixelFormat): Decoded => {
  const decode = decoders[codec];
  if (!decode) throw new NotRenderable('unknownCompression');
  if (codec === 'jpeg2000' && format.samplesPerPixel > 1 && format.bitsAllocated > 8) {
    // For these images, the decoder returns only the lower eight bits (dcmjs-codecs 0.0.8).
    throw new NotRenderable('deepJpeg2000Color');
  }
  const components = ofJpeg2000.includes(codec) ? componentsOf(frame) : undefined;
  const decoded = decode(
    new codecs.Context({
      width: format.columns,
      height: format.rows,
      bitsAllocated: format.bitsAllocated,
      bitsStored: format.bitsStored,
      samplesPerPixel: format.samplesPerPixel,
      // The HTJ2K decoder clips values out of range. The codestream, not the header, says whether values are signed.
      pixelRepresentation: (codec === 'htj2k' ? components?.isSigned : format.isSigned) ? 1 : 0,
      planarConfiguration: format.isPlanar ? 1 : 0,
      photometricInterpretation: colorsOf(codec, frame, format),
      encodedBuffer: frame,
    }),
  );
  const pixels = decoded.getDecodedBuffer();
  if (!pixels) throw new NotRenderable('compressedDamaged');
  // RLE returns one-bit pixels packed. Other decoders return a byte for each pixel but report one bit.
  const leastBits = codec === 'rle' ? 1 : 8;
  return {
    pixels: components ? asComponents(codec, pixels, components, format) : pixels,
    format: {
      ...format,
      bitsAllocated: Math.max(leastBits, decoded.getBitsAllocated() ?? format.bitsAllocated),
      isPlanar: isPlanarAfter(codec, frame, decoded),
      photometricInterpretation: colorsAfter(
        codec,
        decoded.getPhotometricInterpretation() ?? format.photometricInterpretation,
      ),
    },
    hasBrokenDecoder: false,
  };
};

const decodeWithCharls = async (frame: Uint8Array, format: PixelFormat): Promise<Omit<Decoded, 'hasBrokenDecoder'>> => {
  const wasm = fileURLToPath(import.meta.resolve('@cornerstonejs/codec-charls/decodewasm'));
  const silent = () => {};
  const charls = await loadCharls({ locateFile: () => wasm, print: silent, printErr: silent });
  const decoder = new charls.JpegLSDecoder();
  decoder.getEncodedBuffer(frame.length).set(frame);
  decoder.decode();
  const { bitsPerSample } = decoder.getFrameInfo();
  return {
    pixels: decoder.getDecodedBuffer().slice(),
    format: { ...format, bitsAllocated: bitsPerSample > 8 ? 16 : 8, isPlanar: decoder.getInterleaveMode() === 0 },
  };
};
