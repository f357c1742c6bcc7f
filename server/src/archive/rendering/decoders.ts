import { fileURLToPath } from 'node:url';
import loadCharls from '@cornerstonejs/codec-charls/decodewasmjs';
import type { Codec } from '@radwork/dicom/transfer-syntax';
import codecs from 'dcmjs-codecs';
import type { Decoded } from './codecs.ts';
import { isJpegOfYbr } from './codestream.ts';
import { NotRenderable, type PixelFormat } from './picture.ts';
import { isTrap } from './trap.ts';

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

/** Decodes a frame that is compressed, as decodeFrame does. */
export const decompress = async (codec: Codec, frame: Uint8Array, format: PixelFormat): Promise<Decoded> => {
  try {
    return decodeNatively(codec, frame, format);
  } catch (error) {
    if (codec !== 'jpeg-ls') throw error;
    // One real file in sixty traps this decoder and not CharLS, which is slower.
    return { ...(await decodeWithCharls(frame, format)), hasBrokenDecoder: isTrap(error) };
  }
};

/** The file's word for the colours, where the compressed image does not say better. */
const coloursOf = (codec: Codec, frame: Uint8Array, { photometricInterpretation }: PixelFormat): string =>
  codec === 'jpeg' && photometricInterpretation === 'RGB' && isJpegOfYbr(frame)
    ? 'YBR_FULL'
    : photometricInterpretation;

const decodeNatively = (codec: Codec, frame: Uint8Array, format: PixelFormat): Decoded => {
  const decode = decoders[codec];
  if (!decode) throw new NotRenderable('Images compressed like this cannot be shown here.');
  const decoded = decode(
    new codecs.Context({
      width: format.columns,
      height: format.rows,
      bitsAllocated: format.bitsAllocated,
      bitsStored: format.bitsStored,
      samplesPerPixel: format.samplesPerPixel,
      pixelRepresentation: format.isSigned ? 1 : 0,
      planarConfiguration: format.isPlanar ? 1 : 0,
      photometricInterpretation: coloursOf(codec, frame, format),
      encodedBuffer: frame,
    }),
  );
  const pixels = decoded.getDecodedBuffer();
  if (!pixels) throw new NotRenderable('The compressed image is damaged.');
  // Pixels of one bit stay packed in RLE; other decoders give each a byte and still call it one bit.
  const leastBits = codec === 'rle' ? 1 : 8;
  return {
    pixels,
    format: {
      ...format,
      bitsAllocated: Math.max(leastBits, decoded.getBitsAllocated() ?? format.bitsAllocated),
      isPlanar: decoded.getPlanarConfiguration() === 1,
      photometricInterpretation: decoded.getPhotometricInterpretation() ?? format.photometricInterpretation,
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
