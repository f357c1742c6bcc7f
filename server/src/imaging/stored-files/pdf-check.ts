import { type Sentence, sentence } from '@radwork/contract/core/translate';
import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';

type Bytes = { size: number; read: (offset: number, length: number) => Promise<Buffer> };

const pieceLength = 1 << 20;
/**
 * Two pieces overlap by this many bytes. This is longer than any searched name, even if each of its letters is written
 * as "#4A".
 */
const overlap = 64;
/** Maximum number of bytes that the compressed streams of one document may need. Real documents need far fewer. */
const longestInflated = 256 << 20;

const escaped = (name: string): string =>
  Array.from(name, (letter) => {
    const hex = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|#${hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  }).join('');

/** Returns a pattern for a name in every spelling allowed in PDF (ISO 32000-1 §7.3.5). */
const nameOf = (...names: string[]): RegExp => new RegExp(`/(?:${names.map(escaped).join('|')})(?![A-Za-z0-9#])`);

/**
 * Names of actions, executable content (ISO 32000-1 §12.6.4, §13, §12.7.8), encryption, and structures that could hide
 * these.
 */
const looksFor = {
  script: nameOf('JavaScript'),
  action: nameOf(
    'Launch',
    'SubmitForm',
    'ImportData',
    'Rendition',
    'RichMedia',
    'GoToE',
    'EmbeddedFile',
    'EmbeddedFiles',
  ),
  form: nameOf('XFA'),
  forms: nameOf('AcroForm'),
  encryption: nameOf('Encrypt'),
  objectStreams: nameOf('ObjStm', 'XRef', 'XRefStm'),
  otherFilters: nameOf('LZWDecode', 'ASCIIHexDecode', 'ASCII85Decode', 'RunLengthDecode', 'LZW', 'AHx', 'A85', 'RL'),
};
type PdfFeature = keyof typeof looksFor;

const whats: readonly PdfFeature[] = [
  'script',
  'action',
  'form',
  'forms',
  'encryption',
  'objectStreams',
  'otherFilters',
];

/** Searches the pieces of a text. Also finds matches that lie across two pieces. */
const createLook = (features: Set<PdfFeature>) => {
  let before = '';
  return (chunk: Buffer): void => {
    const text = before + chunk.toString('latin1');
    for (const what of whats) if (!features.has(what) && looksFor[what].test(text)) features.add(what);
    before = text.slice(-overlap);
  };
};

/**
 * Returns why a PDF is refused: scripts, actions that start something, or ways to hide them. Searches all bytes and
 * every FlateDecode stream, even those that the tables do not list, because PDF readers repair tables in different
 * ways. Links to pages and to the web are accepted, because they need a click.
 */
export const refusalOfPdf = async (bytes: Bytes, most = longestInflated): Promise<Sentence | undefined> => {
  const features = new Set<PdfFeature>();
  const look = createLook(features);
  const streams: number[] = [];
  let end = Buffer.alloc(0);
  for (let offset = 0; offset < bytes.size; offset += pieceLength) {
    const chunk = await bytes.read(offset, Math.min(pieceLength, bytes.size - offset));
    look(chunk);
    const joined = Buffer.concat([end, chunk]);
    streams.push(...streamsIn(joined).map((at) => offset - end.length + at));
    end = Buffer.from(joined.subarray(-keywordLength));
  }
  const isWhole = await lookInto(bytes, [...new Set(streams)], { features, most });
  return reasonOf(features, isWhole);
};

const reasonOf = (found: ReadonlySet<PdfFeature>, isWhole: boolean): Sentence | undefined => {
  if (found.has('encryption')) return sentence`The PDF is encrypted and cannot be checked. Save it without a password`;
  if (found.has('script')) return sentence`The PDF contains a script. Print it to a new PDF`;
  if (found.has('action') || (found.has('form') && found.has('forms'))) {
    return sentence`The PDF starts an action or has attached files. Print it to a new PDF`;
  }
  if (!isWhole || (found.has('objectStreams') && found.has('otherFilters'))) {
    return sentence`The PDF cannot be checked. Print it to a new PDF`;
  }
  return undefined;
};

const keyword = Buffer.from('stream');
/** The keyword, its line end, and the first two bytes of FlateDecode data (RFC 1950 §2.2). */
const keywordLength = keyword.length + 4;

/** Returns the positions at which FlateDecode data begin. */
const streamsIn = (chunk: Buffer): number[] => {
  const places: number[] = [];
  for (let at = chunk.indexOf(keyword); at >= 0; at = chunk.indexOf(keyword, at + keyword.length)) {
    let begin = at + keyword.length;
    while (begin < at + keyword.length + 2 && (chunk[begin] === 0x0d || chunk[begin] === 0x0a)) begin += 1;
    const [first = 0, second] = [chunk[begin], chunk[begin + 1]];
    const isZlib = second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
    if (begin > at + keyword.length && isZlib) places.push(begin);
  }
  return places;
};

/** Searches compressed streams. Returns false when they inflate to more than the limit. */
const lookInto = async (
  bytes: Bytes,
  streams: readonly number[],
  { features, most }: { features: Set<PdfFeature>; most: number },
): Promise<boolean> => {
  let remaining = most;
  for (const start of streams) {
    remaining -= await inflateFrom(bytes, start, remaining, createLook(features));
    if (remaining <= 0) return false;
  }
  return true;
};

const [shortestInput, longestInput] = [4 << 10, 256 << 10];

/**
 * Inflates the data from `start` and passes the result to `look`, even if the end of the data is damaged. Returns the
 * number of bytes read and written.
 */
const inflateFrom = async (
  { size, read }: Bytes,
  start: number,
  most: number,
  look: (chunk: Buffer) => void,
): Promise<number> => {
  let [worked, isAtEnd, isBeginning] = [0, false, true];
  async function* compressed() {
    let [offset, length] = [start, shortestInput];
    while (offset < size && worked < most && !isAtEnd) {
      const chunk = await read(offset, Math.min(length, size - offset));
      offset += chunk.length;
      worked += chunk.length;
      length = Math.min(2 * length, longestInput);
      yield chunk;
    }
  }
  const lookAt = async (inflated: AsyncIterable<Buffer>) => {
    for await (const chunk of inflated) {
      if (isBeginning && !mayHoldObjects(chunk)) break;
      isBeginning = false;
      worked += chunk.length;
      look(chunk);
      if (worked >= most) break;
    }
    isAtEnd = true;
  };
  await pipeline(compressed, createInflate(), lookAt).catch((error: unknown) => {
    if (!isDamage(error)) throw error;
  });
  return worked;
};

/**
 * An object stream begins with a number, after optional white space and comments (ISO 32000-1 §7.5.7). Few images begin
 * so.
 */
const mayHoldObjects = (beginning: Buffer): boolean =>
  /^[\0\s]*(?:[\d%+.-]|$)/.test(beginning.toString('latin1', 0, 1024));

/** Bytes after the end of a stream are ignored and do not count as damage. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:Z_|ERR_STREAM_|ABORT_ERR)/.test(error.code);
