import { DicomError } from './dicom-error.ts';

/** Maximum number of segments. It stops palettes whose segments refer to one another without end. */
const mostSegments = 1 << 16;

/** An unfinished table: the values expanded so far, with the words that define it. */
type Expansion = { words: Uint16Array; entries: number; values: number[]; segments: number };

/**
 * Expands a segmented palette (PS3.3 §C.7.9.2): runs of values, lines from the previous value, and reused segments.
 * Throws DicomError for anything else.
 */
export const expandedPalette = (words: Uint16Array, entries: number): Uint16Array => {
  const expansion: Expansion = { words, entries, values: [], segments: 0 };
  for (let at = 0; at < words.length;) at = addSegment(expansion, at, true);
  return Uint16Array.from(expansion.values);
};

/** Adds the segment at a word and returns the start of the next one. */
const addSegment = (expansion: Expansion, at: number, mayRefer: boolean): number => {
  const { words, values, entries } = expansion;
  const [kind, length] = [words[at], words[at + 1]];
  expansion.segments += 1;
  if (length === undefined || values.length > entries || expansion.segments > mostSegments) throw damaged();
  if (kind === 0) return addRun(expansion, at + 2, length);
  if (kind === 1) return addLine(expansion, at + 2, length);
  if (kind === 2 && mayRefer) return addAgain(expansion, at + 2, length);
  throw damaged();
};

const addRun = ({ words, values }: Expansion, at: number, length: number): number => {
  if (at + length > words.length) throw damaged();
  for (const value of words.subarray(at, at + length)) values.push(value);
  return at + length;
};

const addLine = ({ words, values }: Expansion, at: number, length: number): number => {
  const [start, end] = [values.at(-1), words[at]];
  if (start === undefined || end === undefined) throw damaged();
  for (let step = 1; step <= length; step += 1) values.push(Math.round(start + ((end - start) * step) / length));
  return at + 1;
};

/**
 * Adds segments again that occur earlier. Their offset is in bytes, in two words. Reused segments must not reuse other
 * segments.
 */
const addAgain = (expansion: Expansion, at: number, count: number): number => {
  const [low, high] = [expansion.words[at], expansion.words[at + 1]];
  if (low === undefined || high === undefined) throw damaged();
  let from = (low + 65_536 * high) / 2;
  for (let segment = 0; segment < count; segment += 1) from = addSegment(expansion, from, false);
  return at + 2;
};

const damaged = () => new DicomError('paletteDamaged');
