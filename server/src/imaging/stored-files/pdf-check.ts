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
type What = keyof typeof looksFor;

const whats: readonly What[] = ['script', 'action', 'form', 'forms', 'encryption', 'objectStreams', 'otherFilters'];

/** Searches the pieces of a text. Also finds matches that lie across two pieces. */
const createLook = (found: Set<What>) => {
  let before = '';
  return (piece: Buffer): void => {
    const text = before + piece.toString('latin1');
    for (const what of whats) if (!found.has(what) && looksFor[what].test(text)) found.add(what);
    before = text.slice(-overlap);
  };
};

/**
 * Returns why a PDF is refused: scripts, actions that start something, or ways to hide them. Searches all bytes and
 * every FlateDecode stream, even those that the tables do not list, because PDF readers repair tables in different
 * ways. Links to pages and to the web are accepted, because they need a click.
 */
export const refusalOfPdf = async (bytes: Bytes, most = longestInflated): Promise<Sentence | undefined> => {
  const found = new Set<What>();
  const look = createLook(found);
  const streams: number[] = [];
  let end = Buffer.alloc(0);
  for (let offset = 0; offset < bytes.size; offset += pieceLength) {
    const piece = await bytes.read(offset, Math.min(pieceLength, bytes.size - offset));
    look(piece);
    const joined = Buffer.concat([end, piece]);
    streams.push(...streamsIn(joined).map((at) => offset - end.length + at));
    end = Buffer.from(joined.subarray(-keywordLength));
  }
  const isWhole = await lookInto(bytes, [...new Set(streams)], { found, most });
  return reasonOf(found, isWhole);
};

const reasonOf = (found: ReadonlySet<What>, isWhole: boolean): Sentence | undefined => {
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
const streamsIn = (piece: Buffer): number[] => {
  const places: number[] = [];
  for (let at = piece.indexOf(keyword); at >= 0; at = piece.indexOf(keyword, at + keyword.length)) {
    let begin = at + keyword.length;
    while (begin < at + keyword.length + 2 && (piece[begin] === 0x0d || piece[begin] === 0x0a)) begin += 1;
    const [first = 0, second] = [piece[begin], piece[begin + 1]];
    const isZlib = second !== undefined && (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
    if (begin > at + keyword.length && isZlib) places.push(begin);
  }
  return places;
};

/** Searches compressed streams. Returns false when they inflate to more than the limit. */
const lookInto = async (
  bytes: Bytes,
  streams: readonly number[],
  { found, most }: { found: Set<What>; most: number },
): Promise<boolean> => {
  let left = most;
  for (const start of streams) {
    left -= await inflateFrom(bytes, start, left, createLook(found));
    if (left <= 0) return false;
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
  look: (piece: Buffer) => void,
): Promise<number> => {
  let [worked, isAtEnd, isBeginning] = [0, false, true];
  async function* compressed() {
    let [offset, length] = [start, shortestInput];
    while (offset < size && worked < most && !isAtEnd) {
      const piece = await read(offset, Math.min(length, size - offset));
      offset += piece.length;
      worked += piece.length;
      length = Math.min(2 * length, longestInput);
      yield piece;
    }
  }
  const lookAt = async (inflated: AsyncIterable<Buffer>) => {
    for await (const piece of inflated) {
      if (isBeginning && !mayHoldObjects(piece)) break;
      isBeginning = false;
      worked += piece.length;
      look(piece);
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
