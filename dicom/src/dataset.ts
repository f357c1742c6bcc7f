import { tagOf, type Tag } from './dictionary.ts';

/** The three representations of a name (PS3.5 §6.2.1), each with its components separated by "^". */
export type PersonName = { Alphabetic?: string; Ideographic?: string; Phonetic?: string };

export type DicomValue = string | number | PersonName | DicomJson | null;

/** One element in DICOM JSON (PS3.18 §F.2.2). An element without a value has none of the three. */
export type DicomElement = { vr: string; Value?: DicomValue[]; InlineBinary?: string; BulkDataURI?: string };

/** A data set in the DICOM JSON model (PS3.18 Annex F). */
export type DicomJson = { [tag: Tag]: DicomElement };

/** All values of an element, [] if it is absent or empty. An empty value among several is null. */
export const valuesOf = (json: DicomJson, keyword: string): DicomValue[] => json[tagOf(keyword)]?.Value ?? [];

/** The items of a sequence, [] if it is absent or empty. */
export const itemsOf = (json: DicomJson, keyword: string): DicomJson[] => valuesOf(json, keyword).filter(isItem);

/** The first value as text. Names use the alphabetic representation, else the ideographic, else the phonetic. */
export const textOf = (json: DicomJson, keyword: string): string | undefined => {
  const [first] = valuesOf(json, keyword);
  if (typeof first === 'string') return first === '' ? undefined : first;
  if (typeof first === 'number') return String(first);
  if (isPersonName(first)) return first.Alphabetic ?? first.Ideographic ?? first.Phonetic;
  return undefined;
};

/** The first value as a number. Other systems may write DS and IS as text, which is accepted too. */
export const numberOf = (json: DicomJson, keyword: string): number | undefined => {
  const text = textOf(json, keyword)?.trim();
  if (!text) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
};

const isPersonName = (value: DicomValue | undefined): value is PersonName =>
  typeof value === 'object' &&
  value !== null &&
  ('Alphabetic' in value || 'Ideographic' in value || 'Phonetic' in value);

const isItem = (value: DicomValue): value is DicomJson =>
  typeof value === 'object' && value !== null && !isPersonName(value);
