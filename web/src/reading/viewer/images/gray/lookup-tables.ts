import { t } from '@lingui/core/macro';
import { DicomError } from '@radwork/dicom/dicom-error';
import {
  alikePalette,
  type LookupTable,
  lookupTableOf,
  type Palette,
  type TableData,
} from '@radwork/dicom/lookup-table';
import { isSupplemented } from '@radwork/dicom/supplemental-palette';
import {
  type DicomJson,
  itemsOf,
  numberOf,
  numbersOf,
  type Tag,
  tag,
  textOf,
} from '#reading/viewer/images/header/dicom-json.ts';
import { instanceOf } from '#reading/viewer/images/header/instance-id.ts';

/** VOI LUT of an image, with its name. */
export type NamedTable = { name: string; table: LookupTable };

/** Attributes that define a table in a header. */
type Source = { descriptor: number[]; element: DicomJson[string]; isSigned: boolean; isSegmented: boolean };
type NamedSource = { name: string; source: Source };

/** Tables of one instance, not decoded yet. */
type Sources = {
  modality: Source | undefined;
  /** VOI LUTs by frame, from 0. A single entry applies to all frames. */
  grays: { named: readonly NamedSource[]; isFirst: boolean }[];
  palette: readonly (Source | undefined)[];
  /** Colors of the highest values of a grayscale image. */
  supplemental: readonly (Source | undefined)[];
};

/** Bytes of the tables stored outside the header, by URI. */
type ExternalTables = Map<string, Uint8Array>;

const sourceOf = (header: DicomJson, descriptor: Tag, data: readonly Tag[], isSigned: boolean): Source[] => {
  const attribute = data.find((attributeTag) => header[attributeTag]);
  const element = attribute && header[attribute];
  if (!element) return [];
  const isSegmented = segmentedData.includes(attribute);
  return [{ descriptor: numbersOf(header, descriptor), element, isSigned, isSegmented }];
};

const palettes = [
  [
    tag.RedPaletteColorLookupTableDescriptor,
    tag.RedPaletteColorLookupTableData,
    tag.SegmentedRedPaletteColorLookupTableData,
  ],
  [
    tag.GreenPaletteColorLookupTableDescriptor,
    tag.GreenPaletteColorLookupTableData,
    tag.SegmentedGreenPaletteColorLookupTableData,
  ],
  [
    tag.BluePaletteColorLookupTableDescriptor,
    tag.BluePaletteColorLookupTableData,
    tag.SegmentedBluePaletteColorLookupTableData,
  ],
] as const;

const segmentedData: readonly Tag[] = palettes.map(([, , segmented]) => segmented);

/**
 * Returns the item of a functional group: the values of the frame, and the shared values where the frame has none.
 * Without groups, returns the header (PS3.3 §C.7.6.16.2.9 and 10).
 */
const groupOf = (header: DicomJson, frame: number, group: Tag): DicomJson => {
  const ofFrame = itemsOf(header, tag.PerFrameFunctionalGroupsSequence)[frame];
  const [ofAll] = itemsOf(header, tag.SharedFunctionalGroupsSequence);
  const [own] = ofFrame ? itemsOf(ofFrame, group) : [];
  const [shared] = ofAll ? itemsOf(ofAll, group) : [];
  return own || shared ? { ...shared, ...own } : header;
};

/**
 * Whether the pixels are stored for display, as in angiography. The modality LUT of such an image converts them back to
 * measured values (PS3.3 §C.8.7.1.1.2).
 */
const isForDisplay = (header: DicomJson): boolean =>
  ['LOG', 'DISP'].includes(textOf(header, tag.PixelIntensityRelationship));

/**
 * Returns the sequence item with the modality LUT. Undefined if the image has a slope, as most images do, or if its
 * pixels are stored for display.
 */
export const modalityTableItem = (header: DicomJson): DicomJson | undefined => {
  const rescale = groupOf(header, 0, tag.PixelValueTransformationSequence);
  if (numberOf(rescale, tag.RescaleSlope) !== undefined || isForDisplay(header)) return undefined;
  return itemsOf(header, tag.ModalityLUTSequence)[0];
};

const isSignedIn = (header: DicomJson): boolean => numberOf(header, tag.PixelRepresentation) === 1;

const graysOf = (header: DicomJson, frame: number): Sources['grays'][number] => {
  const rescale = groupOf(header, frame, tag.PixelValueTransformationSequence);
  const voi = groupOf(header, frame, tag.FrameVOILUTSequence);
  // Whether values may be negative. Only then is the first input of a table signed (PS3.3 §C.11.2.1.1).
  const canBeNegative =
    isSignedIn(header) ||
    (numberOf(rescale, tag.RescaleIntercept) ?? 0) < 0 ||
    (numberOf(rescale, tag.RescaleSlope) ?? 1) < 0;
  const named: NamedSource[] = [];
  for (const item of itemsOf(voi, tag.VOILUTSequence)) {
    const name = textOf(item, tag.LUTExplanation) || t`Table`;
    const isTaken = named.some((one) => one.name === name);
    for (const source of sourceOf(item, tag.LUTDescriptor, [tag.LUTData], canBeNegative)) {
      named.push({ name: isTaken ? `${name} ${named.length + 1}` : name, source });
    }
  }
  // A window takes precedence over a table if the image has both, as on the server. The standard allows either (PS3.3
  // §C.11.2).
  return { named, isFirst: !((numberOf(voi, tag.WindowWidth) ?? 0) > 0) };
};

const sourcesOf = (header: DicomJson): Sources | undefined => {
  const item = modalityTableItem(header);
  const [modality] = item ? sourceOf(item, tag.LUTDescriptor, [tag.LUTData], isSignedIn(header)) : [];
  const isByFrame = itemsOf(header, tag.PerFrameFunctionalGroupsSequence).length > 0;
  const frames = isByFrame ? (numberOf(header, tag.NumberOfFrames) ?? 1) : 1;
  const grays = Array.from({ length: frames }, (_, frame) => graysOf(header, frame));
  const isPalette = textOf(header, tag.PhotometricInterpretation) === 'PALETTE COLOR';
  const hasColors = isPalette || isSupplemented(header);
  const colors = hasColors
    ? palettes.map(([descriptor, ...data]) => sourceOf(header, descriptor, data, isSignedIn(header))[0])
    : [];
  const isAny = modality !== undefined || hasColors || grays.some(({ named }) => named.length > 0);
  return isAny
    ? { modality, grays, palette: isPalette ? colors : [], supplemental: isPalette ? [] : colors }
    : undefined;
};

/** Tables of known instances, by the part of the image ID that identifies the instance. */
const known = new Map<string, Sources & { apart: ExternalTables }>();

/** Records the tables of an instance. Keeps bytes that were fetched before, because images on screen may use them. */
export const learnTables = (imageId: string, header: DicomJson) => {
  const [instance, sources] = [instanceOf(imageId), sourcesOf(header)];
  if (sources) known.set(instance, { ...sources, apart: known.get(instance)?.apart ?? new Map() });
};

/** Removes the tables of images. */
export const forgetTables = (imageIds: Iterable<string>) => {
  for (const imageId of imageIds) known.delete(instanceOf(imageId));
};

/** Returns the URIs of the tables that an image still needs, and the map that stores their bytes. */
export const missingTables = (imageId: string): { uris: string[]; apart: ExternalTables } => {
  const sources = known.get(instanceOf(imageId));
  if (!sources) return { uris: [], apart: new Map() };
  const wanted = [
    sources.modality,
    ...sources.palette,
    ...sources.supplemental,
    ...graysFor(imageId).named.map(({ source }) => source),
  ];
  const uris = new Set(wanted.flatMap((table) => table?.element.BulkDataURI ?? []));
  return { uris: [...uris].filter((uri) => !sources.apart.has(uri)), apart: sources.apart };
};

/** Returns the frame index of an image ID, from 0. */
const frameOf = (imageId: string): number => Number(/\/frames\/(\d+)$/.exec(imageId)?.[1] ?? 1) - 1;

const graysFor = (imageId: string): Sources['grays'][number] => {
  const greys = known.get(instanceOf(imageId))?.grays ?? [];
  return greys[frameOf(imageId)] ?? greys[0] ?? { named: [], isFirst: false };
};

const dataOf = ({ Value, InlineBinary, BulkDataURI }: DicomJson[string], imageId: string): TableData => {
  if (Value) return { numbers: Value.map(Number) };
  if (InlineBinary) return { bytes: Uint8Array.from(atob(InlineBinary), (character) => character.charCodeAt(0)) };
  return { bytes: (BulkDataURI && known.get(instanceOf(imageId))?.apart.get(BulkDataURI)) || new Uint8Array() };
};

const read = new WeakMap<Source, LookupTable | undefined>();

/** Decodes a table. Throws DicomError for a damaged palette. */
const tableOf = (source: Source, imageId: string): LookupTable | undefined => {
  if (read.has(source)) return read.get(source);
  const { descriptor, element, isSigned, isSegmented } = source;
  const table = lookupTableOf({ descriptor, data: dataOf(element, imageId), isSigned, isSegmented });
  const { BulkDataURI } = element;
  const isThere = !BulkDataURI || known.get(instanceOf(imageId))?.apart.has(BulkDataURI);
  if (isThere) read.set(source, table);
  return table;
};

/** Returns the modality LUT of an image (PS3.3 §C.11.1), once fetched. Throws DicomError if it is damaged. */
export const modalityTableOf = (imageId: string): LookupTable | undefined => {
  const modality = known.get(instanceOf(imageId))?.modality;
  const table = modality && tableOf(modality, imageId);
  // Throws, because measured values would be wrong without the table.
  if (modality && !table) throw new DicomError('modalityTableDamaged');
  return table;
};

/**
 * Returns the VOI LUTs of an image (PS3.3 §C.11.2.1.1), once fetched. `isFirst` tells whether the first LUT is the
 * default display; the result also tells whether any LUT is damaged.
 */
export const grayTablesOf = (imageId: string): { tables: NamedTable[]; isFirst: boolean; isAnyDamaged: boolean } => {
  const { named, isFirst } = graysFor(imageId);
  const tables = named.flatMap(({ name, source }) => {
    const table = tableOf(source, imageId);
    return table ? [{ name, table }] : [];
  });
  return { tables, isFirst, isAnyDamaged: tables.length < named.length };
};

/** Returns the palette of an image (PS3.3 §C.7.6.3.1.5), once fetched. Throws DicomError if it is damaged. */
export const paletteOf = (imageId: string): Palette | undefined =>
  tablesIn(known.get(instanceOf(imageId))?.palette ?? [], imageId);

/**
 * Returns the colors of the highest values of a grayscale image (PS3.3 §C.7.6.19), once fetched. Throws DicomError if
 * they are damaged.
 */
export const supplementalPaletteOf = (imageId: string): Palette | undefined =>
  tablesIn(known.get(instanceOf(imageId))?.supplemental ?? [], imageId);

const tablesIn = (sources: Sources['palette'], imageId: string): Palette | undefined => {
  const [red, green, blue] = sources.map((source) => source && tableOf(source, imageId));
  return red && green && blue ? alikePalette([red, green, blue]) : undefined;
};
