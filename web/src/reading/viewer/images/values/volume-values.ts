/** Header attributes of stored values and their scaling (PS3.3 §C.7.6.3.1), named as in the imaging library. */
export type HeaderOfNumbers = {
  bitsAllocated: number;
  bitsStored?: number | undefined;
  highBit?: number | undefined;
  pixelRepresentation?: number | undefined;
  rescaleSlope: number;
  rescaleIntercept: number;
  /** SUV in g/ml per rescaled PET value. */
  suvbw?: number | undefined;
  /** Dose in Gy per stored value. */
  doseGridScaling?: number | undefined;
  /** Lowest and highest value of the image, if it is loaded. */
  loaded?: Ends | undefined;
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

/** Returns the number of bits of a value. Uses all allocated bits if the header is invalid, as `storedNumbers` does. */
const bitsOf = ({ bitsAllocated, bitsStored = 0, highBit = bitsStored - 1 }: HeaderOfNumbers): number =>
  bitsStored > 1 && highBit >= bitsStored - 1 && highBit < bitsAllocated ? bitsStored : bitsAllocated;

/** Returns the lowest and highest value that the bits and scaling of an image allow. */
const endsOf = (header: HeaderOfNumbers): Ends => {
  const bits = bitsOf(header);
  const lowest = header.pixelRepresentation === 1 ? -(2 ** (bits - 1)) : 0;
  const highest = lowest + 2 ** bits - 1;
  const scale = scaleOf(header);
  // Values stay unscaled if the scaling gives fractions that cannot be drawn.
  const { slope, intercept } = isWhole(scale) ? scale : { slope: 1, intercept: 0 };
  const both = [lowest, highest].map((number) => number * slope + intercept);
  return { min: Math.min(...both), max: Math.max(...both) };
};

/**
 * Returns the type of array that can hold the values of all images of a volume. The imaging library checks only the
 * first, middle and last image, and uses the type of cached images without a check. Undefined leaves the choice to the
 * library.
 */
export const typeThatHolds = (headers: readonly HeaderOfNumbers[], drawsFractions: boolean): string | undefined => {
  if (headers.some(({ bitsAllocated }) => bitsAllocated === 32 || bitsAllocated === 64)) return 'Float32Array';
  if (headers.some(({ bitsAllocated }) => bitsAllocated !== 8 && bitsAllocated !== 16)) return undefined;
  if (drawsFractions && !headers.map(scaleOf).every(isWhole)) return 'Float32Array';
  const each = headers.map(endsOf);
  const all = { min: Math.min(...each.map(({ min }) => min)), max: Math.max(...each.map(({ max }) => max)) };
  const type = Object.keys(ends).find((name) => isWithin(all, ends[name]));
  // Scanners store Hounsfield units in 16 bits and use half of the range, so `Int16Array` suffices until a loaded image
  // exceeds it. The volume is then built again (`exceedsVolume`), with twice the memory.
  const isMoved = all.max - all.min < 2 ** 16;
  const isBeyond = headers.some(({ loaded }) => loaded && !isWithin(loaded, ends['Int16Array']));
  return type ?? (isMoved && !isBeyond ? 'Int16Array' : 'Float32Array');
};

/** Returns the lowest and highest value of a loaded image. */
export const loadedEnds = (image: { minPixelValue: number; maxPixelValue: number } | undefined): Ends | undefined =>
  image && { min: image.minPixelValue, max: image.maxPixelValue };

/** Whether values of an image do not fit the type of its volume. They would be drawn at its limit. */
export const exceedsVolume = (type: string, image: { minPixelValue: number; maxPixelValue: number }): boolean =>
  !isWithin({ min: image.minPixelValue, max: image.maxPixelValue }, ends[type]);

/** Far below all values that images hold. Infinity would give NaN where slices are interpolated. */
const farBelow = -1e9;

const empties = new WeakMap<object, Int16Array | Float32Array>();

/**
 * Returns the voxels of a slice that could not be loaded: lower than any value, so that a volume rendering shows nothing
 * there. The graphics card fills with 0, which is the gray of water in CT. Undefined for a type without negative values. `owner`
 * keeps the slice for the next call.
 */
export const emptySlice = (owner: object, type: string, length: number): Int16Array | Float32Array | undefined => {
  if (type !== 'Int16Array' && type !== 'Float32Array') return undefined;
  const known = empties.get(owner);
  if (known?.length === length) return known;
  const slice = type === 'Int16Array' ? new Int16Array(length).fill(-32_768) : new Float32Array(length).fill(farBelow);
  empties.set(owner, slice);
  return slice;
};

type Numbers = Float32Array | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array;

type Frame = { pixelData: Numbers; smallestPixelValue: number; largestPixelValue: number };

const floats = new WeakMap<object, Float32Array>();

/** Converts the voxels of a slice for the graphics card. `owner` keeps the array, and the next call overwrites it. */
export const asFloats = (owner: object, slice: Numbers): Float32Array => {
  const known = floats.get(owner);
  const target = known?.length === slice.length ? known : new Float32Array(slice.length);
  target.set(slice);
  floats.set(owner, target);
  return target;
};

/** Converts the values of a frame to the type of its volume. If a value does not fit, the frame keeps its type. */
export const asOrdered = (
  { pixelData, smallestPixelValue: min, largestPixelValue: max }: Frame,
  Ordered: { name: string; new (numbers: Numbers): Numbers },
): Numbers => (isWithin({ min, max }, ends[Ordered.name]) ? new Ordered(pixelData) : pixelData);

/** Copies values into an array and limits them to its range. Without the limit, they would wrap around. */
export const fillWithin = (target: Numbers, source: Numbers) => {
  const limits = ends[target.constructor.name];
  if (!limits) target.set(source);
  else target.set(source.map((number) => Math.min(limits.max, Math.max(limits.min, number))));
};
