import { t } from '@lingui/core/macro';
import { type DicomJson, itemsOf, numberOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { alikePalette, entriesOf, type LookupTable, lookupTableOf, type TableData } from '@radwork/dicom/lookup-table';
import { type GrayRange, rangeOf } from '#reading/viewer/images/gray/gray-window.ts';
import type { ForImages } from './image-references.ts';
import { imagesOf } from './read-references.ts';

/** Reason why a lookup table stored outside the header was not read. */
export type TableFault = 'too long' | 'too many' | 'not there';

/** Bytes of lookup tables stored outside the header, by their address in the header. */
export type TablesApart = ReadonlyMap<string, Uint8Array | TableFault>;

/** Lookup table: outputs from 0 to 1, for the input `first` and the inputs after it (PS3.3 §C.11.1.1). */
export type Table = { first: number; entries: readonly number[] };

/** VOI stage: mapping of values to grays, before the presentation LUT (PS3.3 §C.11.2). */
export type Voi =
  | { kind: 'linear'; range: GrayRange }
  | { kind: 'sigmoid'; center: number; width: number }
  | { kind: 'table'; table: Table };

/** Grayscale transformation of a state, stage by stage (PS3.4 §N.2.1). */
export type Grayscale = {
  /** Rescale slope for stored values. Default: unchanged values. */
  slope: number;
  intercept: number;
  /**
   * Whether the grays can be converted. False if the state needs a modality table, which is not supported. The grays
   * then stay unchanged.
   */
  isUsable: boolean;
  voi: readonly ForImages<Voi>[];
  isInverted: boolean;
  presentation: Table | undefined;
  palette: readonly [Table, Table, Table] | undefined;
};

const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));

type Element = DicomJson[string];

const dataOf = ({ Value, InlineBinary, BulkDataURI }: Element, apart: TablesApart): TableData => {
  if (Value) return { numbers: Value.map(Number) };
  if (InlineBinary) return { bytes: bytesOf(InlineBinary) };
  const bytes = apart.get(BulkDataURI ?? '');
  return { bytes: bytes instanceof Uint8Array ? bytes : new Uint8Array() };
};

type TableTags = { descriptor: string; data: string };

const tableOf = (
  item: DicomJson,
  { descriptor, data }: TableTags,
  apart: TablesApart,
  isSigned = false,
): LookupTable | undefined => {
  const element = item[data];
  return (
    element &&
    lookupTableOf({ descriptor: valuesOf(item, descriptor).map(Number), data: dataOf(element, apart), isSigned })
  );
};

const sharesOf = ({ first, values, bits }: LookupTable): Table => ({
  first,
  entries: Array.from(values, (value) => Math.min(1, value / (2 ** bits - 1))),
});

const lutData = '00283006';

const lutOf = (item: DicomJson, apart: TablesApart, isSigned = false): Table | undefined => {
  const table = tableOf(item, { descriptor: 'LUTDescriptor', data: lutData }, apart, isSigned);
  return table && sharesOf(table);
};

/**
 * Returns whether the first input of a table is signed. True if values may be negative (PS3.3 §C.11.2.1.1), or if the
 * inputs would otherwise exceed 16 bits.
 */
const isFirstSigned = (header: DicomJson, lut: DicomJson): boolean => {
  const [entries = 0, first = 0] = valuesOf(lut, 'LUTDescriptor').map(Number);
  const canBeNegative = (numberOf(header, 'RescaleIntercept') ?? 0) < 0 || (numberOf(header, 'RescaleSlope') ?? 1) < 0;
  return canBeNegative || first + entriesOf(entries) > 65_536;
};

const voiOf = (header: DicomJson, item: DicomJson, apart: TablesApart): Voi | undefined => {
  const [lut] = itemsOf(item, 'VOILUTSequence');
  if (lut) {
    const table = lutOf(lut, apart, isFirstSigned(header, lut));
    return table && { kind: 'table', table };
  }
  const [center, width] = [numberOf(item, 'WindowCenter'), numberOf(item, 'WindowWidth')];
  if (center === undefined || width === undefined || width <= 0) return undefined;
  const shape = textOf(item, 'VOILUTFunction') ?? 'LINEAR';
  if (shape === 'SIGMOID') return { kind: 'sigmoid', center, width };
  if (shape === 'LINEAR_EXACT') {
    return { kind: 'linear', range: { lower: center - width / 2, upper: center + width / 2 } };
  }
  return { kind: 'linear', range: rangeOf({ center, width }) };
};

const palettes: readonly TableTags[] = [
  { descriptor: 'RedPaletteColorLookupTableDescriptor', data: '00281201' },
  { descriptor: 'GreenPaletteColorLookupTableDescriptor', data: '00281202' },
  { descriptor: 'BluePaletteColorLookupTableDescriptor', data: '00281203' },
];

const paletteOf = (header: DicomJson, apart: TablesApart): Grayscale['palette'] => {
  const [red, green, blue] = palettes.map((where) => tableOf(header, where, apart));
  if (!red || !green || !blue) return undefined;
  const alike = alikePalette([red, green, blue]);
  return [sharesOf(alike[0]), sharesOf(alike[1]), sharesOf(alike[2])];
};

/** Reads the grayscale transformation. `apart` holds the lookup tables stored outside the header. */
export const graysOf = (header: DicomJson, apart: TablesApart): Grayscale => {
  const [presentation] = itemsOf(header, 'PresentationLUTSequence');
  const slope = numberOf(header, 'RescaleSlope') ?? 1;
  return {
    // A slope of 0 would turn all values into one. Such a rescale does not count, as in images.
    slope: slope || 1,
    intercept: (slope !== 0 && numberOf(header, 'RescaleIntercept')) || 0,
    isUsable: itemsOf(header, 'ModalityLUTSequence').length === 0,
    voi: itemsOf(header, 'SoftcopyVOILUTSequence').flatMap((item) => {
      const part = voiOf(header, item, apart);
      return part ? [{ images: imagesOf(item), part }] : [];
    }),
    isInverted: textOf(header, 'PresentationLUTShape') === 'INVERSE',
    presentation: presentation && lutOf(presentation, apart),
    palette: paletteOf(header, apart),
  };
};

const colorTags: readonly string[] = palettes.map(({ data }) => data);

/** Returns the elements of a state that contain lookup tables, each once. */
const tableElements = (header: DicomJson): Element[] => {
  const items = [
    ...itemsOf(header, 'SoftcopyVOILUTSequence').flatMap((item) => itemsOf(item, 'VOILUTSequence').slice(0, 1)),
    ...itemsOf(header, 'PresentationLUTSequence').slice(0, 1),
  ];
  const all = [...items.map((item) => item[lutData]), ...colorTags.map((tag) => header[tag as keyof DicomJson])];
  return all.filter((element) => element !== undefined);
};

/** Returns the addresses of the lookup tables stored outside the header. */
export const tablesApartOf = (header: DicomJson): string[] => [
  ...new Set(tableElements(header).flatMap(({ BulkDataURI }) => BulkDataURI ?? [])),
];

const wordsFor: Record<TableFault, string> = {
  'too long': t`lookup table (too long)`,
  'too many': t`lookup tables (too many)`,
  'not there': t`lookup table (unreadable)`,
};

/** Returns messages about incomplete lookup tables, each once. */
export const unreadTables = (header: DicomJson, apart: TablesApart): string[] => {
  const faults = tablesApartOf(header)
    .map((uri) => apart.get(uri))
    .filter((one) => typeof one === 'string');
  const vois = itemsOf(header, 'SoftcopyVOILUTSequence').filter(
    (item) => voiOf(header, item, apart) === undefined,
  ).length;
  const shapes = itemsOf(header, 'PresentationLUTSequence').filter((item) => lutOf(item, apart) === undefined).length;
  const isColour = textOf(header, 'SOPClassUID') === '1.2.840.10008.5.1.4.1.1.11.3';
  const isAnyUnread = vois + shapes > 0 || (isColour && paletteOf(header, apart) === undefined);
  // Adds a general message for a table that was loaded but is invalid.
  const words = isAnyUnread && faults.length === 0 ? [wordsFor['not there']] : faults.map((fault) => wordsFor[fault]);
  return [...new Set(words)];
};
