import { type DicomJson, itemsOf, textOf, valuesOf } from './dataset.ts';
import { tagOf } from './dictionary.ts';

/** An instance that a report refers to (PS3.3 §C.18.3). */
export type ContentReference = { sopClassUID: string; sopInstanceUID: string; frames: number[] };

/**
 * A number and its unit as UCUM symbol and text. The UCUM symbol "1" means no unit. `qualifier` says why the number is
 * missing or uncertain, for example after a failed measurement. It is '' for most numbers.
 */
export type ContentMeasure = { number: string; symbol: string; unit: string; qualifier: string };

/** One item of a structured report (PS3.3 §C.17.3): name, value and children. */
export type ContentItem = {
  valueType: string;
  /** The relationship to the parent item, such as "CONTAINS" or "INFERRED FROM". */
  relationship: string;
  name: string;
  /** The value in one line of text. */
  value: string;
  measure?: ContentMeasure;
  references: ContentReference[];
  /** Reason why the item could not be read as intended. */
  fault?: string;
  children: ContentItem[];
};

/**
 * Limits of a tree: levels, and items with their references. A typical report has a few hundred items in a few levels.
 */
export type TreeLimits = { depth: number; items: number };

const usualLimits: TreeLimits = { depth: 64, items: 20_000 };

/**
 * Reads the content of a structured report. The data set is the root item. Content beyond the limits is replaced by a
 * note that it was not read.
 */
export const contentTree = (root: DicomJson, { depth, items }: TreeLimits = usualLimits): ContentItem => {
  let remainingItems = items;
  const itemOf = (item: DicomJson, level: number): ContentItem => {
    const referred = itemsOf(item, 'ReferencedSOPSequence');
    const references = referred.slice(0, remainingItems).map(referenceOf);
    remainingItems -= references.length;
    const children = below(item, level);
    if (references.length < referred.length) children.push(notRead('Refers to further content that is not shown'));
    return { ...contentOf(item), references, children };
  };
  const below = (item: DicomJson, level: number): ContentItem[] => {
    const children = itemsOf(item, 'ContentSequence');
    if (children.length === 0) return [];
    if (level >= depth) return [notRead('Deeper content is not shown')];
    const read: ContentItem[] = [];
    for (const child of children) {
      if (remainingItems <= 0) return [...read, notRead('Further content is not shown')];
      remainingItems -= 1;
      read.push(itemOf(child, level + 1));
    }
    return read;
  };
  return itemOf(root, 0);
};

const notRead = (fault: string): ContentItem => ({
  valueType: '',
  relationship: '',
  name: '',
  value: fault,
  references: [],
  fault,
  children: [],
});

const contentOf = (item: DicomJson): Omit<ContentItem, 'children' | 'references'> => {
  const valueType = textOf(item, 'ValueType')?.trim() ?? '';
  const measure = valueType === 'NUM' ? measureOf(item) : undefined;
  const value = valueOf(item, valueType, measure);
  const fault = faultOf(item, valueType, value);
  return {
    valueType,
    relationship: textOf(item, 'RelationshipType')?.trim() ?? '',
    name: meaningOf(item, 'ConceptNameCodeSequence'),
    value,
    ...(measure && { measure }),
    ...(fault && { fault }),
  };
};

const meaningOf = (item: DicomJson, sequence: string): string => {
  const [code] = itemsOf(item, sequence);
  return (code && (textOf(code, 'CodeMeaning') ?? textOf(code, 'CodeValue'))) ?? '';
};

const valueReaders: Record<string, (item: DicomJson) => string> = {
  CONTAINER: () => '',
  TEXT: (item) => textOf(item, 'TextValue') ?? '',
  CODE: (item) => meaningOf(item, 'ConceptCodeSequence'),
  NUM: (item) => qualifierOf(item),
  DATETIME: (item) => textOf(item, 'DateTime') ?? '',
  DATE: (item) => textOf(item, 'Date') ?? '',
  TIME: (item) => textOf(item, 'Time') ?? '',
  PNAME: (item) => (textOf(item, 'PersonName') ?? '').replaceAll(/\^+/g, ' ').trim(),
  UIDREF: (item) => textOf(item, 'UID') ?? '',
  SCOORD: (item) => graphicOf(item),
  SCOORD3D: (item) => graphicOf(item),
  TCOORD: (item) => textOf(item, 'TemporalRangeType') ?? '',
  IMAGE: (item) => referenceTextOf(item),
  COMPOSITE: (item) => referenceTextOf(item),
  WAVEFORM: (item) => referenceTextOf(item),
};

const qualifierOf = (item: DicomJson): string => meaningOf(item, 'NumericValueQualifierCodeSequence');

const isByReference = (item: DicomJson): boolean => numbersOf(item, 'ReferencedContentItemIdentifier').length > 0;

const valueOf = (item: DicomJson, valueType: string, measure: ContentMeasure | undefined): string => {
  if (isByReference(item)) return `see item ${numbersOf(item, 'ReferencedContentItemIdentifier').join('.')}`;
  if (measure) return measureText(measure, measure.symbol);
  return valueReaders[valueType]?.(item) ?? '';
};

/** A number with its unit and its qualifier (PS3.3 §C.18.1). */
export const measureText = ({ number, symbol, qualifier }: ContentMeasure, unit: string): string =>
  [number, symbol === '1' ? '' : unit, qualifier && `(${qualifier})`].filter((part) => part !== '').join(' ');

/** Longer text and coordinates stay in the file as bulk data. */
const bulkKeywords = ['TextValue', 'GraphicData'];

const faultOf = (item: DicomJson, valueType: string, value: string): string | undefined => {
  if (bulkKeywords.some((keyword) => item[tagOf(keyword)]?.BulkDataURI)) return 'Too long to show';
  if (isByReference(item)) return undefined;
  if (valueType === '') return 'Content without a type';
  if (!valueReaders[valueType]) return `Content of the unknown type ${valueType}`;
  if (valueType !== 'CONTAINER' && value === '') return 'No value';
  return undefined;
};

const measureOf = (item: DicomJson): ContentMeasure | undefined => {
  const [measured] = itemsOf(item, 'MeasuredValueSequence');
  const number = measured && (textOf(measured, 'NumericValue') ?? textOf(measured, 'FloatingPointValue'))?.trim();
  if (!number) return undefined;
  const [unit = {}] = itemsOf(measured, 'MeasurementUnitsCodeSequence');
  const symbol = textOf(unit, 'CodeValue') ?? '';
  return {
    number,
    symbol,
    unit: textOf(unit, 'CodeMeaning') ?? symbol,
    qualifier: qualifierOf(item),
  };
};

const graphicOf = (item: DicomJson): string =>
  `${textOf(item, 'GraphicType') ?? ''} ${numbersOf(item, 'GraphicData').join(', ')}`.trim();

const referenceOf = (item: DicomJson): ContentReference => ({
  sopClassUID: textOf(item, 'ReferencedSOPClassUID') ?? '',
  sopInstanceUID: textOf(item, 'ReferencedSOPInstanceUID') ?? '',
  frames: numbersOf(item, 'ReferencedFrameNumber'),
});

/** Number of values that are listed. Further values are only counted. */
const framesNamed = 20;

/** "1, 2, 3", or "1, 2, … and 480 more" for very many. */
export const framesText = (frames: readonly number[]): string => {
  const frameList = frames.slice(0, framesNamed).join(', ');
  return frames.length > framesNamed ? `${frameList} and ${frames.length - framesNamed} more` : frameList;
};

const referenceTextOf = (item: DicomJson): string => {
  const [reference] = itemsOf(item, 'ReferencedSOPSequence');
  if (!reference) return '';
  const { sopInstanceUID, frames } = referenceOf(reference);
  return frames.length > 0 ? `${sopInstanceUID}, frame ${framesText(frames)}` : sopInstanceUID;
};

const numbersOf = (item: DicomJson, keyword: string): number[] =>
  valuesOf(item, keyword)
    .map((value) => (typeof value === 'number' || typeof value === 'string' ? Number.parseFloat(String(value)) : NaN))
    .filter(Number.isFinite);
