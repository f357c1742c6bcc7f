import { numberOf, textOf, valuesOf, itemsOf, type DicomJson } from '@radwork/dicom/dataset';
import { indexFrames } from '@radwork/dicom/frame-index';
import { readHeader, type Header } from '@radwork/dicom/header';
import codecs from 'dcmjs-codecs';

/** What a file says must be on the screen: grey or colour of a place in the image, which may lie between pixels. */
export type ExpectedImage = {
  rows: number;
  columns: number;
  at: (pixel: { row: number; column: number }) => readonly [red: number, green: number, blue: number];
};

/** What the numbers of a grey image are worth, and what is black and what is white. */
type Scale = { slope: number; intercept: number; lower: number; upper: number };

/**
 * The first frame of a DICOM file as it should be shown, worked out from its bytes alone: decoded, rescaled, and
 * windowed by its own first window (PS3.3 §C.11.1.1, C.11.2.1.2), or, for PET in Bq/ml, as uptake from 0 to 5.
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

/** An attribute of the first frame: at the top, or in its functional groups (PS3.3 §C.7.6.16). */
const ofFirstFrame = (dataset: DicomJson, sequence: string, keyword: string): number | undefined => {
  const groups = ['PerFrameFunctionalGroupsSequence', 'SharedFunctionalGroupsSequence'].flatMap((name) =>
    itemsOf(dataset, name).slice(0, 1),
  );
  const [found] = [dataset, ...groups.flatMap((group) => itemsOf(group, sequence))].flatMap((one) =>
    valuesOf(one, keyword).slice(0, 1),
  );
  return found === undefined ? undefined : Number(found);
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
    const values = Array.from(stored, (value) => value * slope + intercept);
    return {
      slope,
      intercept,
      lower: values.reduce((one, other) => Math.min(one, other)),
      upper: values.reduce((one, other) => Math.max(one, other)),
    };
  }
  return { slope, intercept, lower: center - 0.5 - (width - 1) / 2, upper: center - 0.5 + (width - 1) / 2 };
};

/** SUV by body weight of one Bq/ml, for images corrected for decay to the start of the series (PS3.3 §C.8.9.1). */
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

/** The numbers of the first frame as they are stored, sample by sample. */
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

/** How the compressed files of the tests are decoded; what stands here not is not compressed. */
const decoders: Record<
  string,
  (context: InstanceType<typeof codecs.Context>) => { getDecodedBuffer: () => Uint8Array | undefined }
> = {
  '1.2.840.10008.1.2.4.80': (context) => codecs.NativeCodecs.decodeJpegLs(context),
  '1.2.840.10008.1.2.4.90': (context) => codecs.NativeCodecs.decodeJpeg2000(context),
  '1.2.840.10008.1.2.4.91': (context) => codecs.NativeCodecs.decodeJpeg2000(context),
  '1.2.840.10008.1.2.4.202': (context) => codecs.NativeCodecs.decodeHtJpeg2000(context),
};

/** Whether this file is compressed in a way that is decoded here. */
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
