import { pipeline } from 'node:stream/promises';
import { createInflate } from 'node:zlib';

type Bytes = { size: number; read: (offset: number, length: number) => Promise<Buffer> };

const pieceLength = 1 << 20;
/** Longer than any name that is looked for, with each of its letters as "#4A". */
const overlap = 64;
/** Bytes that the streams of a document may become, and go through a decoder. Real documents stay far below. */
const longestInflated = 256 << 20;

const escaped = (name: string): string =>
  Array.from(name, (letter) => {
    const hex = letter.charCodeAt(0).toString(16);
    return `(?:${letter}|#${hex.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  }).join('');

/** A name as a reader of PDF understands it, in whatever spelling (ISO 32000-1 §7.3.5). */
const nameOf = (...names: string[]): RegExp => new RegExp(`/(?:${names.map(escaped).join('|')})(?![A-Za-z0-9#])`);

/** Names that only actions and what runs have (ISO 32000-1 §12.6.4, §13, §12.7.8), and what makes a document unreadable. */
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

/** Notes what the pieces of one text hold, across the places where one ends and the next begins. */
const createLook = (found: Set<What>) => {
  let before = '';
  return (piece: Buffer): void => {
    const text = before + piece.toString('latin1');
    for (const what of whats) if (!found.has(what) && looksFor[what].test(text)) found.add(what);
    before = text.slice(-overlap);
  };
};

/**
 * Why a PDF is not taken: it has scripts or actions that start something, or could hide them. Looks at all bytes, and into
 * everything that is compressed as object streams are, whatever the tables of the document say is there: readers of PDF
 * repair these tables, each in its own way. Links to pages and to the web are taken: they do nothing before they are pressed.
 */
export const refusalOfPdf = async (bytes: Bytes, most = longestInflated): Promise<string | undefined> => {
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

const reasonOf = (found: ReadonlySet<What>, isWhole: boolean): string | undefined => {
  if (found.has('encryption'))
    return 'The PDF is encrypted, so that nobody sees what it does. Save it without a password';
  if (found.has('script')) return 'The PDF has a script. Print it to a new PDF, which has none';
  if (found.has('action') || (found.has('form') && found.has('forms'))) {
    return 'The PDF starts something or has files attached. Print it to a new PDF, which does not';
  }
  if (!isWhole || (found.has('objectStreams') && found.has('otherFilters'))) {
    return 'The PDF cannot be looked through. Print it to a new PDF';
  }
  return undefined;
};

const keyword = Buffer.from('stream');
/** The keyword, its end of line, and the two bytes that data of FlateDecode begin with (RFC 1950 §2.2). */
const keywordLength = keyword.length + 4;

/** The places where data of FlateDecode streams begin. */
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

/** Looks into compressed streams. False where they are more than is looked into. */
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

/** Gives `look` what is compressed from `start` on, also where its end is damaged. Answers how many bytes went in and out. */
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

/** An object stream begins with a number, which blanks and comments may precede (ISO 32000-1 §7.5.7). Few pictures do. */
const mayHoldObjects = (beginning: Buffer): boolean =>
  /^[\0\s]*(?:[\d%+.-]|$)/.test(beginning.toString('latin1', 0, 1024));

/** Whatever follows the end of a stream is no damage, and not looked at. */
const isDamage = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^(?:Z_|ERR_STREAM_|ABORT_ERR)/.test(error.code);
