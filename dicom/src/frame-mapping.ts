import type { ExactRead } from './byte-window.ts';
import type { EncapsulatedPixels, Fragment } from './fragments.ts';
import type { Codec } from './transfer-syntax.ts';

/** The first fragment of each frame, and the method that found it. */
export type FrameStarts = {
  how:
    | 'single frame'
    | 'extended offset table'
    | 'basic offset table'
    | 'one fragment per frame'
    | 'start of codestream';
  starts: number[];
};

/**
 * Divides fragments into frames by the first method that works. Offset tables are often wrong: a table is ignored
 * unless it points at the starts of fragments. Returns undefined when no method works.
 */
export const findFrameStarts = async (
  read: ExactRead,
  { basicOffsetTable, fragments }: EncapsulatedPixels,
  extendedOffsetTable: number[],
  frames: number,
): Promise<FrameStarts | undefined> => {
  const fromExtended = startsAtOffsets(extendedOffsetTable, fragments, frames);
  if (fromExtended) return { how: 'extended offset table', starts: fromExtended };
  if (frames === 1) return { how: 'single frame', starts: [0] };
  const fromBasic = startsAtOffsets(basicOffsetTable, fragments, frames);
  if (fromBasic) return { how: 'basic offset table', starts: fromBasic };
  if (fragments.length === frames) return { how: 'one fragment per frame', starts: [...fragments.keys()] };
  if (fragments.length < frames) return undefined;
  const starts = await codestreamStarts(read, fragments);
  return starts[0] === 0 && starts.length === frames ? { how: 'start of codestream', starts } : undefined;
};

/**
 * Divides fragments without knowing the number of frames. Uses what the fragments show: a codestream that begins after
 * another has ended, the offset table, or one fragment for each frame (RLE: PS3.5 §A.4.2). Returns undefined if the
 * fragments show nothing, or contradict the offset table.
 */
export const shownFrameStarts = async (
  read: ExactRead,
  { basicOffsetTable, fragments }: EncapsulatedPixels,
  codec: Codec,
  bitsPerFrame: number,
): Promise<FrameStarts | undefined> => {
  const inTable = startsAtOffsets(basicOffsetTable, fragments, basicOffsetTable.length);
  const starts = await certainStarts(read, fragments, codec, bitsPerFrame);
  const table = inTable && inTable.length > 1 ? inTable : undefined;
  if (!starts) return table && { how: 'basic offset table', starts: table };
  if (table && table.join() !== starts.join()) return undefined;
  return { how: 'start of codestream', starts };
};

const certainStarts = async (
  read: ExactRead,
  fragments: Fragment[],
  codec: Codec,
  bitsPerFrame: number,
): Promise<number[] | undefined> => {
  const isOneEach = codec === 'rle' || codec === 'none';
  const starts: number[] = [];
  let isEnded = true;
  for (const [index, fragment] of fragments.entries()) {
    const begins = isEnded && (await beginsFrame(read, fragment, codec, bitsPerFrame));
    if (begins) starts.push(index);
    else if (isOneEach || starts.length === 0) return undefined;
    isEnded = isOneEach || (await endsCodestream(read, fragment));
  }
  return isEnded ? starts : undefined;
};

const beginsFrame = async (
  read: ExactRead,
  { offset, length }: Fragment,
  codec: Codec,
  bitsPerFrame: number,
): Promise<boolean> => {
  if (codec === 'none') return length === 2 * Math.ceil(bitsPerFrame / 16);
  if (length < 12) return false;
  const bytes = await read(offset, 12);
  // An RLE frame begins with a header of 64 bytes. It holds the number of segments, then the offset of the first
  // segment, which is 64 (PS3.5 §G.5).
  if (codec === 'rle') return length > 64 && bytes.readUInt32LE(0) <= 15 && bytes.readUInt32LE(4) === 64;
  // SOI and another marker, SOC and SIZ, or the signature box of JPEG 2000 or JPEG XL.
  const [first, second] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  return (
    first >>> 8 === 0xff_d8ff || first === 0xff4f_ff51 || (first === 12 && [0x6a50_2020, 0x4a58_4c20].includes(second))
  );
};

/** Whether a fragment ends with EOI of JPEG or EOC of JPEG 2000, and padding. */
export const endsCodestream = async (read: ExactRead, { offset, length }: Fragment): Promise<boolean> => {
  const checked = Math.min(4, length);
  const end = await read(offset + length - checked, checked);
  return end.lastIndexOf(endOfImage) >= 0;
};

const endOfImage = Buffer.from([0xff, 0xd9]);

/** The fragments at these offsets. There must be one for each frame, ascending from the first fragment. */
const startsAtOffsets = (offsets: number[], fragments: Fragment[], frames: number): number[] | undefined => {
  if (offsets.length !== frames || offsets[0] !== 0) return undefined;
  const indexOfOffset = new Map(fragments.map(({ itemOffset }, index) => [itemOffset, index]));
  const starts: number[] = [];
  for (const offset of offsets) {
    const index = indexOfOffset.get(offset);
    if (index === undefined || index <= (starts.at(-1) ?? -1)) return undefined;
    starts.push(index);
  }
  return starts;
};

const codestreamStarts = async (read: ExactRead, fragments: Fragment[]): Promise<number[]> => {
  const starts: number[] = [];
  for (const [index, { offset, length }] of fragments.entries()) {
    if (length >= 4 && beginsCodestream(await read(offset, 4))) starts.push(index);
  }
  return starts;
};

/** Codestream starts: SOI of JPEG and JPEG-LS, SOC of JPEG 2000, the JPEG XL marker, or a box signature. */
const beginsCodestream = (bytes: Buffer): boolean =>
  [0xffd8, 0xff4f, 0xff0a].includes(bytes.readUInt16BE(0)) || bytes.readUInt32BE(0) === 0x0000_000c;
