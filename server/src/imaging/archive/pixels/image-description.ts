import { type DicomElement, type DicomJson, itemsOf, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { tagOf } from '@radwork/dicom/dictionary';
import { DicomError } from '@radwork/dicom/dicom-error';
import {
  alikePalette,
  lookupTableOf,
  type LookupTable,
  type Palette,
  type TableData,
} from '@radwork/dicom/lookup-table';
import { isSupplemented } from '@radwork/dicom/supplemental-palette';
import { paddingRange, type ValueRange } from '@radwork/dicom/value-window';
import type { Appearance, PixelFormat, Window } from './pixel-format.ts';
import { NotRenderable } from './pixel-format.ts';

/** Reads a value for which the metadata has only a URI. */
export type ReadBulk = (uri: string) => Promise<Buffer | undefined>;

/** Returns the pixel format from the metadata. Throws NotRenderable when it is missing. */
export const pixelFormatOf = (metadata: DicomJson): PixelFormat => {
  const number = (keyword: string): number => {
    const value = numberOf(metadata, keyword);
    if (value === undefined) throw new NotRenderable('notDescribed');
    return value;
  };
  const bitsAllocated = number('BitsAllocated');
  const bitsStored = numberOf(metadata, 'BitsStored') ?? bitsAllocated;
  return {
    rows: number('Rows'),
    columns: number('Columns'),
    samplesPerPixel: numberOf(metadata, 'SamplesPerPixel') ?? 1,
    bitsAllocated,
    bitsStored,
    highBit: numberOf(metadata, 'HighBit') ?? bitsStored - 1,
    isSigned: numberOf(metadata, 'PixelRepresentation') === 1,
    // Floating-point pixels have no Bits Stored (PS3.3 §C.7.6.24).
    isFloat: bitsAllocated >= 32 && numberOf(metadata, 'BitsStored') === undefined,
    isPlanar: numberOf(metadata, 'PlanarConfiguration') === 1,
    photometricInterpretation: interpretationOf(metadata),
  };
};

/** A presentation LUT shape of INVERSE (PS3.3 §C.11.6) means the same as MONOCHROME1: the lowest value is white. */
const interpretationOf = (metadata: DicomJson): string => {
  const interpretation = textOf(metadata, 'PhotometricInterpretation') ?? 'MONOCHROME2';
  return interpretation === 'MONOCHROME2' && textOf(metadata, 'PresentationLUTShape') === 'INVERSE'
    ? 'MONOCHROME1'
    : interpretation;
};

/**
 * Returns how the values of one frame (from 0) are displayed. A multi-frame image has this in functional groups, per
 * frame or shared (PS3.3 §C.7.6.16.2.9 and 10). Other images have it in the data set.
 */
export const appearanceOf = async (
  metadata: DicomJson,
  frame: number,
  format: PixelFormat,
  readBulk: ReadBulk,
): Promise<Appearance> => {
  const rescale = groupOf(metadata, frame, 'PixelValueTransformationSequence');
  const voi = groupOf(metadata, frame, 'FrameVOILUTSequence');
  const slope = numberOf(rescale, 'RescaleSlope');
  const isRescaled = slope !== 0;
  const [modalityTable] =
    slope === undefined && !isForDisplay(metadata) ? itemsOf(metadata, 'ModalityLUTSequence') : [];
  const [voiTable] = itemsOf(voi, 'VOILUTSequence');
  const modalityLut = modalityTable && (await lutOf(modalityTable, format.isSigned, readBulk));
  const intercept = (isRescaled && numberOf(rescale, 'RescaleIntercept')) || 0;
  // The first mapped value of a table is signed only if input values can be negative (PS3.3 §C.11.2.1.1).
  const canBeNegative = format.isSigned || intercept < 0 || (slope ?? 1) < 0;
  const voiLut = voiTable && (await lutOf(voiTable, canBeNegative, readBulk));
  const window = windowOf(voi, format.isFloat || !Number.isInteger(slope ?? 1));
  const padding = paddingOf(metadata, format);
  return {
    // A slope of zero would turn all values into one gray. The rescale does not count, as in dcmtk.
    slope: slope || 1,
    intercept,
    ...(modalityLut && { modalityLut }),
    ...(window && { window }),
    ...(voiLut && { voiLut }),
    ...(padding && { padding }),
  };
};

/**
 * Whether an image is stored ready for display, as in angiography. Its table leads back to measured values and is not
 * applied (PS3.3 §C.8.7.1.1.2).
 */
const isForDisplay = (metadata: DicomJson): boolean =>
  ['LOG', 'DISP'].includes(textOf(metadata, 'PixelIntensityRelationship') ?? '');

/**
 * Returns a functional group of a frame. A group belongs either to the frame or to all frames, but some devices write
 * one part of it to each.
 */
const groupOf = (metadata: DicomJson, frame: number, sequence: string): DicomJson => {
  const ofFrame = itemsOf(metadata, 'PerFrameFunctionalGroupsSequence')[frame];
  const [ofAll] = itemsOf(metadata, 'SharedFunctionalGroupsSequence');
  const [own] = ofFrame ? itemsOf(ofFrame, sequence) : [];
  const [shared] = ofAll ? itemsOf(ofAll, sequence) : [];
  return own || shared ? { ...shared, ...own } : metadata;
};

const shapes: Record<string, Window['shape']> = {
  LINEAR: 'linear',
  LINEAR_EXACT: 'linear-exact',
  SIGMOID: 'sigmoid',
};

/** Returns the window of one frame (from 0) and its number of VOI tables. */
export const windowAndTablesOf = (
  metadata: DicomJson,
  frame: number,
): { window: Window | undefined; tables: number } => {
  const voi = groupOf(metadata, frame, 'FrameVOILUTSequence');
  return { window: windowOf(voi), tables: itemsOf(voi, 'VOILUTSequence').length };
};

/** Returns the first window of an image. `hasFractions` tells that measured values may have fractions. */
const windowOf = (voi: DicomJson, hasFractions = false): Window | undefined => {
  const [center, width] = [numberOf(voi, 'WindowCenter'), numberOf(voi, 'WindowWidth')];
  if (center === undefined || width === undefined || width <= 0) return undefined;
  const shape = shapes[textOf(voi, 'VOILUTFunction') ?? 'LINEAR'] ?? 'linear';
  // LINEAR needs a width of at least 1 (PS3.3 §C.11.2.1.2.1). A smaller width means LINEAR_EXACT. So does a width of 1
  // for values from 0 to 1, because LINEAR would show only black and white.
  const isExact = width < 1 || (width === 1 && hasFractions);
  return { center, width, shape: shape === 'linear' && isExact ? 'linear-exact' : shape };
};

/** Attributes of the padding value, and those of floating-point pixels (PS3.3 §C.7.5.1.1.2, §C.7.6.24, §C.7.6.25). */
const paddings = [
  ['FloatPixelPaddingValue', 'FloatPixelPaddingRangeLimit'],
  ['DoubleFloatPixelPaddingValue', 'DoubleFloatPixelPaddingRangeLimit'],
] as const;

const paddingOf = (metadata: DicomJson, format: PixelFormat): ValueRange | undefined => {
  if (format.isFloat) {
    const [range] = paddings.flatMap(([valueName, limitName]) => {
      const value = numberOf(metadata, valueName);
      const limit = numberOf(metadata, limitName) ?? value;
      return value === undefined || limit === undefined
        ? []
        : [[Math.min(value, limit), Math.max(value, limit)] as const];
    });
    return range;
  }
  const value = numberOf(metadata, 'PixelPaddingValue');
  if (value === undefined) return undefined;
  return paddingRange(value, numberOf(metadata, 'PixelPaddingRangeLimit') ?? value, format);
};

const paletteTables = ['Red', 'Green', 'Blue'].map((color) => ({
  descriptor: `${color}PaletteColorLookupTableDescriptor`,
  data: `${color}PaletteColorLookupTableData`,
  segmented: `Segmented${color}PaletteColorLookupTableData`,
}));

/**
 * Returns the three tables of a palette image (PS3.3 §C.7.6.3.1.5). Undefined for other images. Throws NotRenderable.
 */
export const paletteOf = async (
  metadata: DicomJson,
  { photometricInterpretation, isSigned }: PixelFormat,
  readBulk: ReadBulk,
): Promise<Palette | undefined> =>
  photometricInterpretation === 'PALETTE COLOR' ? tablesOf(metadata, isSigned, readBulk) : undefined;

/**
 * Returns the tables of a grayscale image that shows its highest values in color (PS3.3 §C.7.6.19). Undefined for other
 * images. Throws NotRenderable.
 */
export const supplementalPaletteOf = async (
  metadata: DicomJson,
  { isSigned }: PixelFormat,
  readBulk: ReadBulk,
): Promise<Palette | undefined> => (isSupplemented(metadata) ? tablesOf(metadata, isSigned, readBulk) : undefined);

const tablesOf = async (metadata: DicomJson, isSigned: boolean, readBulk: ReadBulk): Promise<Palette> => {
  const [red, green, blue] = await Promise.all(
    paletteTables.map(
      async (table) =>
        (await tableOf(metadata, table.descriptor, table.data, isSigned, readBulk)) ??
        tableOf(metadata, table.descriptor, table.segmented, isSigned, readBulk),
    ),
  );
  if (!red || !green || !blue) throw new NotRenderable('noPalette');
  return alikePalette([red, green, blue]);
};

const lutOf = (item: DicomJson, isSigned: boolean, readBulk: ReadBulk) =>
  tableOf(item, 'LUTDescriptor', 'LUTData', isSigned, readBulk);

const tableOf = async (
  dataset: DicomJson,
  descriptorKeyword: string,
  dataKeyword: string,
  isSigned: boolean,
  readBulk: ReadBulk,
): Promise<LookupTable | undefined> => {
  const descriptor = valuesOf(dataset, descriptorKeyword).map(Number);
  const element = dataset[tagOf(dataKeyword)];
  const data = element && (await numbersOf(element, readBulk));
  if (!data) return undefined;
  try {
    return lookupTableOf({ descriptor, data, isSigned, isSegmented: dataKeyword.startsWith('Segmented') });
  } catch (error) {
    throw error instanceof DicomError ? new NotRenderable('damagedTable') : error;
  }
};

const numbersOf = async (element: DicomElement, readBulk: ReadBulk): Promise<TableData | undefined> => {
  if (element.Value) return { numbers: element.Value.map(Number) };
  if (element.InlineBinary) return { bytes: Buffer.from(element.InlineBinary, 'base64') };
  const bytes = element.BulkDataURI && (await readBulk(element.BulkDataURI));
  return bytes ? { bytes } : undefined;
};
