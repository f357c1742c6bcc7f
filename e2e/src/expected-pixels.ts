import { numberOf, textOf, valuesOf, itemsOf, type DicomJson } from '@radwork/dicom/dataset';
import { indexFrames } from '@radwork/dicom/frame-index';
import { readHeader, type Header } from '@radwork/dicom/header';
import { paddingRange, windowOfValues } from '@radwork/dicom/value-window';
import codecs from 'dcmjs-codecs';

/** The expected image on the screen: color at a position in the image, which may be between pixels. */
export type ExpectedImage = {
  rows: number;
  columns: number;
  /** Height of a pixel divided by its width. Default: 1. */
  tall?: number;
  at: (pixel: { row: number; column: number }) => readonly [red: number, green: number, blue: number];
};

/** Rescale of a gray image, and the values shown as black and white. */
type Scale = { slope: number; intercept: number; lower: number; upper: number };

/**
 * The expected first frame of a DICOM file, computed from its bytes: decoded, rescaled and windowed with its first
 * window (PS3.3 §C.11.1.1, C.11.2.1.2). PET in Bq/ml is shown as SUV 0 to 5.
 */
export const expectedFrom = async (file: Buffer): Promise<ExpectedImage> => {
  const header = readHeader(file);
  const number = (keyword: string) => numberOf(header.dataset, keyword) ?? 0;
  const [rows, columns, samples] = [number('Rows'), number('Columns'), number('SamplesPerPixel')];
  const stored = await storedValues(file, header);
  const toScreen = samples === 3 ? (value: number) => value : greyOf(header.dataset, scaleOf(header.dataset, stored));

  const between = ({ row, column }: { row: number; column: number }, sample: number): number => {
    const [top, left] = [Math.floor(row), Math.floor(column)];
    const value = (down: number, right: number) =>
      stored[(Math.min(rows - 1, top + down) * columns + Math.min(columns - 1, left + right)) * samples + sample] ??
      Number.NaN;
    const [down, right] = [row - top, column - left];
    return (
      (value(0, 0) * (1 - right) + value(0, 1) * right) * (1 - down) +
      (value(1, 0) * (1 - right) + value(1, 1) * right) * down
    );
  };
  return {
    rows,
    columns,
    at: (pixel) => {
      if (samples === 3) return [between(pixel, 0), between(pixel, 1), between(pixel, 2)];
      const grey = toScreen(between(pixel, 0));
      return [grey, grey, grey];
    },
  };
};

const greyOf =
  (dataset: DicomJson, { slope, intercept, lower, upper }: Scale) =>
  (value: number): number => {
    const share = Math.min(1, Math.max(0, (value * slope + intercept - lower) / (upper - lower)));
    return 255 * (textOf(dataset, 'PhotometricInterpretation') === 'MONOCHROME1' ? 1 - share : share);
  };

/** Reads an attribute of the first frame, from the data set or its functional groups (PS3.3 §C.7.6.16). */
const ofFirstFrame = (dataset: DicomJson, sequence: string, keyword: string): number | undefined => {
  const groups = ['PerFrameFunctionalGroupsSequence', 'SharedFunctionalGroupsSequence'].flatMap((name) =>
    itemsOf(dataset, name).slice(0, 1),
  );
  const [value] = [dataset, ...groups.flatMap((group) => itemsOf(group, sequence))].flatMap((one) =>
    valuesOf(one, keyword).slice(0, 1),
  );
  return value === undefined ? undefined : Number(value);
};

const scaleOf = (dataset: DicomJson, stored: ArrayLike<number>): Scale => {
  const slope = ofFirstFrame(dataset, 'PixelValueTransformationSequence', 'RescaleSlope') ?? 1;
  const intercept = ofFirstFrame(dataset, 'PixelValueTransformationSequence', 'RescaleIntercept') ?? 0;
  if (textOf(dataset, 'Units') === 'BQML') {
    const factor = uptakeOfBecquerel(dataset);
    return { slope: slope * factor, intercept: intercept * factor, lower: 0, upper: 5 };
  }
  const center = ofFirstFrame(dataset, 'FrameVOILUTSequence', 'WindowCenter');
  const width = ofFirstFrame(dataset, 'FrameVOILUTSequence', 'WindowWidth');
  if (center === undefined || width === undefined) {
    const isPadding = paddingIn(dataset);
    const computed = windowOfValues(stored.length, (index) => {
      const value = stored[index] ?? Number.NaN;
      return isPadding(value) ? Number.NaN : value * slope + intercept;
    });
    const [lower, upper] = [computed.center - computed.width / 2, computed.center + computed.width / 2];
    return { slope, intercept, lower, upper };
  }
  return { slope, intercept, lower: center - 0.5 - (width - 1) / 2, upper: center - 0.5 + (width - 1) / 2 };
};

/** Whether a stored value is padding, which counts in no window. */
const paddingIn = (dataset: DicomJson): ((value: number) => boolean) => {
  const padding = numberOf(dataset, 'PixelPaddingValue');
  if (padding === undefined) return () => false;
  const [lowest, highest] = paddingRange(padding, numberOf(dataset, 'PixelPaddingRangeLimit') ?? padding, {
    bitsStored: numberOf(dataset, 'BitsStored') ?? 16,
    isSigned: numberOf(dataset, 'PixelRepresentation') === 1,
  });
  return (value) => value >= lowest && value <= highest;
};

/** SUV by body weight for 1 Bq/ml, for images decay-corrected to the series start (PS3.3 §C.8.9.1). */
const uptakeOfBecquerel = (dataset: DicomJson): number => {
  const [tracer = {}] = itemsOf(dataset, 'RadiopharmaceuticalInformationSequence');
  const dose = numberOf(tracer, 'RadionuclideTotalDose') ?? 0;
  const halfLife = numberOf(tracer, 'RadionuclideHalfLife') ?? 1;
  const waited = secondsOf(textOf(dataset, 'SeriesTime')) - secondsOf(textOf(tracer, 'RadiopharmaceuticalStartTime'));
  const grams = (numberOf(dataset, 'PatientWeight') ?? 0) * 1000;
  return grams / (dose * 0.5 ** (waited / halfLife));
};

const secondsOf = (time = ''): number =>
  Number(time.slice(0, 2)) * 3600 + Number(time.slice(2, 4)) * 60 + Number(time.slice(4));

/** Stored values of the first frame, sample by sample. */
const storedValues = async (file: Buffer, header: Header): Promise<ArrayLike<number>> => {
  const { dataset, transferSyntaxUID } = header;
  const { frames } = await indexFrames(
    async (offset, length) => file.subarray(offset, offset + length),
    header,
    file.length,
  );
  const bytes = Buffer.concat((frames[0] ?? []).map(([offset, length]) => file.subarray(offset, offset + length)));
  const pixels = await decoded(transferSyntaxUID, dataset, bytes);
  if (numberOf(dataset, 'BitsAllocated') === 8) return pixels;
  const { buffer, byteOffset, length } = Uint8Array.from(pixels);
  const isSigned = numberOf(dataset, 'PixelRepresentation') === 1;
  return isSigned ? new Int16Array(buffer, byteOffset, length / 2) : new Uint16Array(buffer, byteOffset, length / 2);
};

/** Decoders for the compressed test files. Other transfer syntaxes are uncompressed. */
const decoders: Record<
  string,
  (context: InstanceType<typeof codecs.Context>) => { getDecodedBuffer: () => Uint8Array | undefined }
> = {
  '1.2.840.10008.1.2.4.80': (context) => codecs.NativeCodecs.decodeJpegLs(context),
  '1.2.840.10008.1.2.4.90': (context) => codecs.NativeCodecs.decodeJpeg2000(context),
  '1.2.840.10008.1.2.4.91': (context) => codecs.NativeCodecs.decodeJpeg2000(context),
  '1.2.840.10008.1.2.4.202': (context) => codecs.NativeCodecs.decodeHtJpeg2000(context),
};

/** True if the file's compression has a decoder above. */
export const isDecodedHere = (file: Buffer): boolean => readHeader(file).transferSyntaxUID in decoders;

const decoded = async (transferSyntaxUid: string, dataset: DicomJson, bytes: Buffer): Promise<Uint8Array> => {
  const decode = decoders[transferSyntaxUid];
  if (!decode) return bytes;
  await codecs.NativeCodecs.initializeAsync();
  const number = (keyword: string) => numberOf(dataset, keyword) ?? 0;
  const context = new codecs.Context({
    width: number('Columns'),
    height: number('Rows'),
    bitsAllocated: number('BitsAllocated'),
    bitsStored: number('BitsStored'),
    samplesPerPixel: number('SamplesPerPixel'),
    pixelRepresentation: number('PixelRepresentation'),
    planarConfiguration: number('PlanarConfiguration'),
    photometricInterpretation: textOf(dataset, 'PhotometricInterpretation') ?? '',
    encodedBuffer: bytes,
  });
  const pixels = decode(context).getDecodedBuffer();
  if (!pixels) throw new Error(`The decoder of ${transferSyntaxUid} gave nothing back`);
  return pixels;
};
