import codecs from 'dcmjs-codecs';

const { NativeCodecs } = codecs;
type Context = InstanceType<typeof codecs.Context>;

await NativeCodecs.initializeAsync();

/** The lossless encoders by transfer syntax. */
const encoders: Record<string, (context: Context) => Context> = {
  '1.2.840.10008.1.2.4.70': (context) => NativeCodecs.encodeJpeg(context, { lossy: false, predictor: 1 }),
  '1.2.840.10008.1.2.4.80': (context) => NativeCodecs.encodeJpegLs(context, { lossy: false }),
  '1.2.840.10008.1.2.4.90': (context) => NativeCodecs.encodeJpeg2000(context, { lossy: false }),
  '1.2.840.10008.1.2.4.201': (context) => NativeCodecs.encodeHtJpeg2000(context, { lossy: false }),
  '1.2.840.10008.1.2.5': (context) => NativeCodecs.encodeRle(context),
};

export const losslessSyntaxes = Object.keys(encoders);

const gray = { bitsAllocated: 16, bitsStored: 12, samplesPerPixel: 1, photometricInterpretation: 'MONOCHROME2' };
const color = { bitsAllocated: 8, bitsStored: 8, samplesPerPixel: 3, photometricInterpretation: 'RGB' };

/** Compresses 16-bit gray pixels losslessly in a transfer syntax. */
export const compressed = (pixels: Buffer, transferSyntaxUid: string, columns: number, rows: number): Buffer =>
  encoded(gray, pixels, transferSyntaxUid, columns, rows);

/** Compresses RGB pixels of three bytes in the same way. */
export const compressedColors = (pixels: Buffer, transferSyntaxUid: string, columns: number, rows: number): Buffer =>
  encoded(color, pixels, transferSyntaxUid, columns, rows);

const encoded = (
  format: typeof gray,
  pixels: Buffer,
  transferSyntaxUid: string,
  columns: number,
  rows: number,
): Buffer => {
  const context = new codecs.Context({
    ...format,
    width: columns,
    height: rows,
    pixelRepresentation: 0,
    planarConfiguration: 0,
    decodedBuffer: pixels,
  });
  const bytes = encoders[transferSyntaxUid]?.(context).getEncodedBuffer();
  if (!bytes) throw new Error(`There is no encoder for ${transferSyntaxUid}`);
  return Buffer.from(bytes);
};
