import { type DicomJson, type DicomValue } from '@radwork/dicom/dataset';
import { entryOf } from '@radwork/dicom/dictionary';
import { hasTime } from '@radwork/dicom/dicom-date';
import type { FileFacts } from '#imaging/archive/header/file-facts.ts';

/** A value that was read again. `before` and `after` are texts for the list of changes. */
export type Difference = { keyword: string; before: string; after: string };

/** Maximum number of characters of a listed value. */
const longestValue = 200;
/** Maximum number of listed elements of a file, so that a change of all private elements does not fill the list. */
const mostElements = 20;

export const differenceOf = (keyword: string, before: Value, after: Value): Difference => ({
  keyword,
  before: listText(before),
  after: listText(after),
});

type Value = string | number | null;

const listText = (value: Value): string =>
  String(value ?? '')
    .replaceAll('\0', ' ')
    .slice(0, longestValue)
    .toWellFormed();

/** Returns the top-level elements that differ between two headers. */
export const changedElements = (before: DicomJson, after: DicomJson): Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((tag) => JSON.stringify(before[tag]) !== JSON.stringify(after[tag]))
    .slice(0, mostElements)
    .map((tag) => differenceOf(entryOf(tag)?.keyword ?? tag, valueOf(before, tag), valueOf(after, tag)));

const valueOf = (header: DicomJson, tag: string): string =>
  (header[tag]?.Value ?? []).map((value) => textOfValue(value)).join('\\');

const textOfValue = (value: DicomValue): string => {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  if ('Alphabetic' in value || 'Ideographic' in value || 'Phonetic' in value) {
    const groups = [value.Alphabetic, value.Ideographic, value.Phonetic].map((group) =>
      typeof group === 'string' ? group : '',
    );
    return groups.slice(0, groups.findLastIndex((group) => group !== '') + 1).join('=');
  }
  return JSON.stringify(value);
};

/** Columns of a stored instance that a header determines. */
export type StoredColumns = Omit<FileFacts['instance'], 'metadata'>;

/** Returns how the frames of a file differ from the stored ones. */
export const frameDifferences = (stored: StoredColumns, read: StoredColumns): Difference[] => {
  const frames = ({ number_of_frames, is_renderable }: StoredColumns) =>
    is_renderable ? String(number_of_frames) : `${number_of_frames} (not shown)`;
  if (frames(stored) !== frames(read)) return [differenceOf('NumberOfFrames', frames(stored), frames(read))];
  const areSame = stored.frame_index === read.frame_index || read.frame_index?.equals(stored.frame_index ?? noBytes);
  return areSame ? [] : [differenceOf('PixelData', bytesOf(stored.frame_index), bytesOf(read.frame_index))];
};

const noBytes = Buffer.alloc(0);

const bytesOf = (index: Buffer | null): string => (index ? `frame index of ${index.length} bytes` : '');

/** Returns whether any other column differs. */
export const hasOtherColumns = (stored: StoredColumns, read: StoredColumns): boolean =>
  (
    [
      'sop_class_uid',
      'instance_number',
      'transfer_syntax_uid',
      'rows',
      'columns',
      'bits_allocated',
      'photometric_interpretation',
    ] as const
  ).some((column) => stored[column] !== read[column]);

/** True when a file adds the time to a stored day whose time is unknown. */
export const addsTime = (stored: string, isTimeKnown: boolean, read: string | null): read is string =>
  !isTimeKnown && read !== null && hasTime(read) && read.slice(0, 10) === stored.slice(0, 10);

/**
 * True when a file adds the time to a stored midnight, which may stand for an unknown time. The column has no mark for
 * that.
 */
export const replacesMidnight = (stored: string, read: string): boolean =>
  stored.slice(11, 19) === '00:00:00' && addsTime(stored, false, read) && read.slice(11, 19) !== '00:00:00';

/**
 * True when an earlier reader stored only the first value of a description. Some senders write backslashes in it, which
 * separate values.
 */
export const isCutAtBackslash = (stored: string, read: string): boolean =>
  stored !== '' && read.split('\\')[0]?.trim() === stored && read !== stored;
