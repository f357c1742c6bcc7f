import type { Elements } from '@radwork/dicom/part10';
import codecs from 'dcmjs-codecs';
import { greysOf, side, smallStack, type StackFile } from './small-stacks.ts';

type Codec = {
  name: string;
  transferSyntaxUID: string;
  bits: 8 | 16;
  encode: (context: InstanceType<typeof codecs.Context>) => { getEncodedBuffer: () => Uint8Array | undefined };
};

const { NativeCodecs } = codecs;

/** Compressions of gray pixels, each with its own decoder in the browser. */
export const compressions: readonly Codec[] = [
  {
    name: 'JPEG 2000',
    transferSyntaxUID: '1.2.840.10008.1.2.4.90',
    bits: 16,
    encode: (context) => NativeCodecs.encodeJpeg2000(context, { lossy: false }),
  },
  {
    name: 'HTJ2K',
    transferSyntaxUID: '1.2.840.10008.1.2.4.201',
    bits: 16,
    encode: (context) => NativeCodecs.encodeHtJpeg2000(context, { lossy: false }),
  },
  {
    name: 'JPEG-LS',
    transferSyntaxUID: '1.2.840.10008.1.2.4.80',
    bits: 16,
    encode: (context) => NativeCodecs.encodeJpegLs(context, { lossy: false }),
  },
  {
    name: 'JPEG',
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    bits: 8,
    encode: (context) => NativeCodecs.encodeJpeg(context, { lossy: true, quality: 100 }),
  },
  {
    name: 'RLE',
    transferSyntaxUID: '1.2.840.10008.1.2.5',
    bits: 16,
    encode: (context) => NativeCodecs.encodeRle(context),
  },
];

const inBytes: Elements = {
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
  RescaleIntercept: 0,
  WindowCenter: 128,
  WindowWidth: 256,
};

/** Gray values of one image of a stack, with the given number of bits. */
const greysIn = (bits: 8 | 16, index: number): Buffer => {
  const greys = greysOf(index);
  if (bits === 16) return greys;
  return Buffer.from(
    Array.from({ length: side * side }, (_, at) => Math.round((greys.readUInt16LE(2 * at) - 900) * 0.6)),
  );
};

const compressed = ({ encode, bits }: Codec, index: number): Buffer => {
  const context = new codecs.Context({
    width: side,
    height: side,
    bitsAllocated: bits,
    bitsStored: bits,
    samplesPerPixel: 1,
    pixelRepresentation: 0,
    planarConfiguration: 0,
    photometricInterpretation: 'MONOCHROME2',
    decodedBuffer: greysIn(bits, index),
  });
  const bytes = encode(context).getEncodedBuffer();
  if (!bytes) throw new Error('The encoder gave nothing back');
  return Buffer.from(bytes);
};

/**
 * Indexes (from 0) of the damaged images in a stack of six. Image 2 ends in its middle, image 4 ends in its header, and
 * image 5 is not an image.
 */
export const damaged = [1, 3, 4];

export const damagedStack = async (study: string, way: Codec): Promise<StackFile[]> => {
  await NativeCodecs.initializeAsync();
  return smallStack(study, 'CT', 6, (index) => {
    const intact = compressed(way, index);
    const instead: Record<number, Buffer> = {
      1: intact.subarray(0, Math.floor(intact.length / 4) * 2),
      3: intact.subarray(0, 40),
      4: Buffer.alloc(400, 0x5a),
    };
    return {
      elements: way.bits === 8 ? inBytes : {},
      file: { transferSyntaxUID: way.transferSyntaxUID, pixelData: [instead[index] ?? intact] },
    };
  });
};

/** The same images, undamaged and uncompressed: the expected result. */
export const wholeStack = (study: string, { bits }: Codec): StackFile[] =>
  smallStack(study, 'CT', 6, (index) => ({
    elements: bits === 8 ? inBytes : {},
    file: { pixelData: greysIn(bits, index) },
  }));
