import type { ExactRead } from './byte-window.ts';
import type { EncapsulatedPixels, Fragment } from './fragments.ts';

/** Which fragment each frame begins with, and what told so. */
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
 * Divides fragments into frames by the first means that works. Offset tables are wrong often enough: one that does
 * not point at the beginning of fragments is passed over. Undefined when nothing works.
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

/** The fragments at these offsets, if there are as many as frames, the first is the first, and they rise. */
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

/** JPEG and JPEG-LS begin with SOI, JPEG 2000 with SOC, JPEG XL with its own marker; a box file with its signature. */
const beginsCodestream = (bytes: Buffer): boolean =>
  [0xffd8, 0xff4f, 0xff0a].includes(bytes.readUInt16BE(0)) || bytes.readUInt32BE(0) === 0x0000_000c;
