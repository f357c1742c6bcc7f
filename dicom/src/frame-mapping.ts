import type { ExactRead } from './byte-window.ts';
import type { EncapsulatedPixels, Fragment } from './fragments.ts';

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
