import codecs from 'dcmjs-codecs';

await codecs.NativeCodecs.initializeAsync();

/** Encodes an RGB image as baseline JPEG with half-width chrominance: YBR_FULL_422 in DICOM. */
export const jpegOf = (picture: Buffer, columns: number, rows: number): Buffer => {
  const context = new codecs.Context({
    width: columns,
    height: rows,
    bitsAllocated: 8,
    bitsStored: 8,
    samplesPerPixel: 3,
    pixelRepresentation: 0,
    planarConfiguration: 0,
    photometricInterpretation: 'RGB',
    decodedBuffer: picture,
  });
  const encoded = codecs.NativeCodecs.encodeJpeg(context, { lossy: true, quality: 88, sampleFactor: 1 });
  const bytes = encoded.getEncodedBuffer();
  if (!bytes) throw new Error('The JPEG encoder returned no image');
  return Buffer.from(bytes);
};
