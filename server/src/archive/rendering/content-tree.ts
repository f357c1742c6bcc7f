import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';

/** One item of a structured report (PS3.3 §C.17.3): what it is about, what it says, and what belongs to it. */
export type ContentItem = { name: string; value: string; children: ContentItem[] };

/** The content of a structured report, of which the data set itself is the root. */
export const contentTree = (item: DicomJson): ContentItem => ({
  name: meaningOf(item, 'ConceptNameCodeSequence'),
  value: valueOf(item),
  children: itemsOf(item, 'ContentSequence').map(contentTree),
});

const meaningOf = (item: DicomJson, sequence: string): string => {
  const [code] = itemsOf(item, sequence);
  return (code && (textOf(code, 'CodeMeaning') ?? textOf(code, 'CodeValue'))) ?? '';
};

const valueReaders: Record<string, (item: DicomJson) => string> = {
  TEXT: (item) => textOf(item, 'TextValue') ?? '',
  CODE: (item) => meaningOf(item, 'ConceptCodeSequence'),
  NUM: (item) => measurementOf(item),
  DATETIME: (item) => textOf(item, 'DateTime') ?? '',
  DATE: (item) => textOf(item, 'Date') ?? '',
  TIME: (item) => textOf(item, 'Time') ?? '',
  PNAME: (item) => (textOf(item, 'PersonName') ?? '').replaceAll('^', ' ').trim(),
  UIDREF: (item) => textOf(item, 'UID') ?? '',
  SCOORD: (item) => graphicOf(item),
  SCOORD3D: (item) => graphicOf(item),
  TCOORD: (item) => textOf(item, 'TemporalRangeType') ?? '',
  IMAGE: (item) => referenceOf(item),
  COMPOSITE: (item) => referenceOf(item),
  WAVEFORM: (item) => referenceOf(item),
};

const valueOf = (item: DicomJson): string => {
  const reference = numbersOf(item, 'ReferencedContentItemIdentifier');
  if (reference.length > 0) return `see item ${reference.join('.')}`;
  return valueReaders[textOf(item, 'ValueType') ?? '']?.(item) ?? '';
};

const measurementOf = (item: DicomJson): string => {
  const [measured] = itemsOf(item, 'MeasuredValueSequence');
  if (!measured) return meaningOf(item, 'NumericValueQualifierCodeSequence');
  const [unit] = itemsOf(measured, 'MeasurementUnitsCodeSequence');
  // "1" is UCUM's way of saying that there is no unit.
  const symbol = (unit && textOf(unit, 'CodeValue')) ?? '';
  return `${textOf(measured, 'NumericValue') ?? ''} ${symbol === '1' ? '' : symbol}`.trim();
};

const graphicOf = (item: DicomJson): string => {
  return `${textOf(item, 'GraphicType') ?? ''} ${numbersOf(item, 'GraphicData').join(', ')}`.trim();
};

const referenceOf = (item: DicomJson): string => {
  const [reference] = itemsOf(item, 'ReferencedSOPSequence');
  const frames = reference ? numbersOf(reference, 'ReferencedFrameNumber').join(', ') : '';
  const instance = (reference && textOf(reference, 'ReferencedSOPInstanceUID')) ?? '';
  return frames ? `${instance}, frame ${frames}` : instance;
};

const numbersOf = (item: DicomJson, keyword: string): number[] =>
  valuesOf(item, keyword).filter((value) => typeof value === 'number');
