/** What a header says of the numbers of an image (PS3.3 §C.7.6.3.1) and of what becomes of them, as the imaging library knows it. */
export type HeaderOfNumbers = {
  bitsAllocated: number;
  bitsStored?: number | undefined;
  highBit?: number | undefined;
  pixelRepresentation?: number | undefined;
  rescaleSlope: number;
  rescaleIntercept: number;
  /** Grams per millilitre for each rescaled number of a PET. */
  suvbw?: number | undefined;
  /** Gray for each stored number of a dose. */
  doseGridScaling?: number | undefined;
};

type Ends = { min: number; max: number };

const ends: Record<string, Ends> = {
  Uint8Array: { min: 0, max: 255 },
  Uint16Array: { min: 0, max: 65_535 },
  Int16Array: { min: -32_768, max: 32_767 },
};

const isWithin = (numbers: Ends, limits: Ends | undefined): boolean =>
  limits === undefined || (numbers.min >= limits.min && numbers.max <= limits.max);

const scaleOf = ({ rescaleSlope, rescaleIntercept, suvbw = 1, doseGridScaling }: HeaderOfNumbers) =>
  doseGridScaling === undefined
    ? { slope: rescaleSlope * suvbw, intercept: rescaleIntercept * suvbw }
    : { slope: doseGridScaling, intercept: 0 };

const isWhole = ({ slope, intercept }: ReturnType<typeof scaleOf>) =>
  Number.isInteger(slope) && Number.isInteger(intercept);

/** How many bits a number may have: all of its cell where the header says nothing that can be (as `storedNumbers` reads it). */
const bitsOf = ({ bitsAllocated, bitsStored = 0, highBit = bitsStored - 1 }: HeaderOfNumbers): number =>
  bitsStored > 1 && highBit >= bitsStored - 1 && highBit < bitsAllocated ? bitsStored : bitsAllocated;

/** From the lowest number that an image may have to its highest. */
const endsOf = (header: HeaderOfNumbers): Ends => {
  const bits = bitsOf(header);
  const lowest = header.pixelRepresentation === 1 ? -(2 ** (bits - 1)) : 0;
  const highest = lowest + 2 ** bits - 1;
  const scale = scaleOf(header);
  // Where fractions cannot be drawn, numbers that would have some are left as they are stored.
  const { slope, intercept } = isWhole(scale) ? scale : { slope: 1, intercept: 0 };
  const both = [lowest, highest].map((number) => number * slope + intercept);
  return { min: Math.min(...both), max: Math.max(...both) };
};

/**
 * The numbers that a volume is made of, so that they hold those of all its images: the imaging library asks the first, the
 * middle and the last one, and of those that it has already takes what happened to be enough for them. Undefined where it
 * is left to the library.
 */
export const typeThatHolds = (headers: readonly HeaderOfNumbers[], drawsFractions: boolean): string | undefined => {
  if (headers.every(({ bitsAllocated }) => bitsAllocated === 32)) return 'Float32Array';
  if (headers.some(({ bitsAllocated }) => bitsAllocated !== 8 && bitsAllocated !== 16)) return undefined;
  if (drawsFractions && !headers.map(scaleOf).every(isWhole)) return 'Float32Array';
  const each = headers.map(endsOf);
  const all = { min: Math.min(...each.map(({ min }) => min)), max: Math.max(...each.map(({ max }) => max)) };
  const type = Object.keys(ends).find((name) => isWithin(all, ends[name]));
  // Scanners store Hounsfield units in all of 16 bits and use half of them: what lies beyond is drawn as the end of these.
  const isMoved = all.max - all.min < 2 ** 16;
  return type ?? (isMoved ? 'Int16Array' : 'Float32Array');
};

type Numbers = Float32Array | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;

type Frame = { pixelData: Numbers; smallestPixelValue: number; largestPixelValue: number };

/** The numbers of a frame in the type of its volume; in their own where that does not hold them. */
export const asOrdered = (
  { pixelData, smallestPixelValue: min, largestPixelValue: max }: Frame,
  Ordered: { name: string; new (numbers: Numbers): Numbers },
): Numbers => (isWithin({ min, max }, ends[Ordered.name]) ? new Ordered(pixelData) : pixelData);

/** Fills numbers with others: those beyond what they hold become the last one that they do, not one of the other end. */
export const fillWithin = (target: Numbers, source: Numbers) => {
  const limits = ends[target.constructor.name];
  if (!limits) target.set(source);
  else target.set(source.map((number) => Math.min(limits.max, Math.max(limits.min, number))));
};
