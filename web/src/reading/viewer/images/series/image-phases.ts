import { dot, depthOf, type ImagePlane, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';
import {
  instanceNumberKey,
  meaningfulKeys,
  type PhasedImage,
  type PhaseKey,
  type PhaseKeyName,
  type PhaseValue,
  plainKeys,
} from './phase-keys.ts';

/** Phase of an image in a series that shows the same positions several times. Indexes count from 0. */
export type ImagePhase = {
  at: number;
  count: number;
  /** Number of the slice within its phase. */
  place: number;
  places: number;
  /** True if the phases follow each other in time. */
  isTime: boolean;
  /** True if only the numbers of the images separate the phases, and no attribute says what the phases are. */
  isUnnamed: boolean;
  /** Values of the attributes that differ between the phases, for this image. */
  facts: Partial<Record<PhaseKeyName, PhaseValue>>;
};

export type PlacedImage = PhasedImage & { plane: ImagePlane };

/** Slices nearer than this have the same position, in mm. */
export const samePlace = 0.01;

/** Slices are parallel if their normals differ by less than about half a degree. */
export const parallel = 0.99996;

/**
 * Smallest fraction of all pairs of position and phase that must have an image. If fewer pairs have one, the repeated
 * positions are overlaps of a scan, not phases.
 */
const mostlyFull = 0.6;

/** Groups images by place: images with the same direction and the same position along the normal. */
const placesOf = <Image extends PlacedImage>(images: readonly Image[]): Image[][] => {
  const directions: Image[][] = [];
  for (const image of images) {
    const normal = normalOf(image.plane);
    const same = directions.find(([first]) => first && dot(normalOf(first.plane), normal) >= parallel);
    if (same) same.push(image);
    else directions.push([image]);
  }
  return directions.flatMap((direction) => {
    const [first] = direction;
    const normal = first && normalOf(first.plane);
    const depth = ({ plane }: Image) => (normal ? dot(plane.position, normal) : depthOf(plane));
    const places: Image[][] = [];
    let last: number | undefined;
    for (const image of direction.toSorted((one, other) => depth(one) - depth(other))) {
      const position = depth(image);
      if (last !== undefined && position - last < samePlace) places.at(-1)?.push(image);
      else places.push([image]);
      last = position;
    }
    return places;
  });
};

/** An attribute that tells phases apart, and its value for each image, comparable across the series. */
type Axis<Image> = { key: PhaseKey; values: ReadonlyMap<Image, PhaseValue | undefined> };

const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/**
 * Numbers the phases of images in the order of their values, such as times. A new phase begins when a place repeats.
 */
const inTurns = <Image>(
  places: readonly Image[][],
  values: ReadonlyMap<Image, PhaseValue | undefined>,
): Map<Image, PhaseValue> => {
  const placeOf = new Map(places.flatMap((place, at) => place.map((image) => [image, at] as const)));
  const placesSeen = new Set<number>();
  const turns = new Map<Image, PhaseValue>();
  let turn = 0;
  for (const image of [...placeOf.keys()].toSorted((one, other) => compare(values.get(one), values.get(other)))) {
    const place = placeOf.get(image) ?? 0;
    if (placesSeen.has(place)) {
      turn += 1;
      placesSeen.clear();
    }
    placesSeen.add(place);
    turns.set(image, turn);
  }
  return turns;
};

/**
 * Makes the values of a key comparable across places. Undefined if the key has a single value at each place. Also
 * undefined if the values vary too much from place to place to mark the same phases.
 */
const axisOf = <Image extends PlacedImage>(places: readonly Image[][], key: PhaseKey): Axis<Image> | undefined => {
  const values = new Map(places.flat().map((image) => [image, key.valueOf(image)] as const));
  const atPlaces = places.map((place) => distinct(place.map((image) => values.get(image))));
  const most = Math.max(...atPlaces.map(({ length }) => length));
  if (most < 2) return undefined;
  if (distinct([...values.values()]).length <= 1.5 * most) return { key, values };
  if (!key.isRanked || [...values.values()].includes(undefined)) return undefined;
  // If a place lacks an image, ranks would assign its later images to wrong phases, so this counts the repetitions in
  // time.
  if (atPlaces.some(({ length }) => length !== most)) return { key, values: inTurns(places, values) };
  const ranked = places.flatMap((place, at) => {
    const sorted = (atPlaces[at] ?? []).toSorted(compare);
    return place.map((image) => [image, sorted.indexOf(values.get(image))] as const);
  });
  return { key, values: new Map(ranked) };
};

const compare = (one: PhaseValue | undefined, other: PhaseValue | undefined): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  // A phase without a value comes first. An example is the phase before contrast.
  if (one === undefined || other === undefined) return Number(one !== undefined) - Number(other !== undefined);
  return 0;
};

/**
 * Sorts and numbers the phases given by the combined values of `axes`. Undefined if two images have the same place and
 * phase, if there is only one phase, or if too many images are missing.
 */
const phasesBy = <Image extends PlacedImage>(places: readonly Image[][], axes: readonly Axis<Image>[]) => {
  const nameOf = (image: Image) => JSON.stringify(axes.map(({ values }) => values.get(image) ?? null));
  const isUnique = places.every((place) => new Set(place.map(nameOf)).size === place.length);
  if (!isUnique) return undefined;
  const images = places.flat().toSorted((one, other) => one.order - other.order);
  // Texts have no order of their own, so they are sorted by the first image that has each text.
  const firstOf = axes.map(({ values }) => distinct(images.map((image) => values.get(image))));
  const imageByPhase = new Map(images.toReversed().map((image) => [nameOf(image), image] as const));
  const phases = [...imageByPhase].toSorted(([, one], [, other]) => {
    for (const [at, { values }] of axes.entries()) {
      const [mine, theirs] = [values.get(one), values.get(other)];
      const isText = typeof mine === 'string' && typeof theirs === 'string';
      const first = firstOf[at] ?? [];
      const order = isText ? first.indexOf(mine) - first.indexOf(theirs) : compare(mine, theirs);
      if (order !== 0) return order;
    }
    return 0;
  });
  const isFull = images.length > mostlyFull * places.length * phases.length;
  if (phases.length < 2 || !isFull) return undefined;
  const at = new Map(phases.map(([name], index) => [name, index]));
  return { axes, phaseOf: (image: Image) => at.get(nameOf(image)) ?? 0, count: phases.length };
};

/** Returns all combinations of `size` items, in their given order. */
const choicesOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  size === 0
    ? [[]]
    : items.flatMap((item, at) => choicesOf(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]));

/**
 * Whether the image numbers run through one complete phase after another, or through all images of one place after
 * another.
 */
const areNumbersRegular = <Image extends PlacedImage>(places: readonly Image[][]): boolean => {
  const [first] = places;
  const count = first?.length ?? 0;
  if (places.some(({ length }) => length !== count)) return false;
  const placeOf = new Map(places.flatMap((place, at) => place.map((image) => [image, at] as const)));
  const sorted = places.flat().toSorted((one, other) => one.order - other.order);
  const turns = Array.from({ length: count }, (_, turn) =>
    sorted.slice(turn * places.length, (turn + 1) * places.length),
  );
  const blocks = places.map((_, block) => sorted.slice(block * count, (block + 1) * count));
  const placesIn = (images: readonly Image[]) => new Set(images.map((image) => placeOf.get(image))).size;
  return turns.every((turn) => placesIn(turn) === places.length) || blocks.every((block) => placesIn(block) === 1);
};

const detect = <Image extends PlacedImage>(places: readonly Image[][]) => {
  const axesOf = (keys: readonly PhaseKey[]) => keys.flatMap((key) => axisOf(places, key) ?? []);
  const meaningful = axesOf(meaningfulKeys);
  const plain = axesOf(plainKeys);
  const keys = [...meaningful, ...plain];
  for (const size of [1, 2, 3]) {
    for (const axes of choicesOf(meaningful, size)) {
      const meaningfulPhases = phasesBy(places, axes);
      if (meaningfulPhases) return { ...meaningfulPhases, keys };
    }
  }
  // If one attribute is not enough, for example for a b-value measured twice, adds a second attribute that separates
  // the repetitions.
  for (const axes of [
    ...choicesOf(meaningful, 1).flatMap((one) => plain.map((other) => [...one, other])),
    ...choicesOf(plain, 1),
  ]) {
    const separatedPhases = phasesBy(places, axes);
    if (separatedPhases) return { ...separatedPhases, keys };
  }
  const numbers = areNumbersRegular(places) ? axisOf(places, instanceNumberKey) : undefined;
  const numberedPhases = numbers && phasesBy(places, [numbers]);
  return numberedPhases && { ...numberedPhases, keys };
};

/**
 * Finds the phases of a series: images at the same places that differ in time, heart phase, b-value, echo, contrast or
 * the like. Uses the fewest attributes that separate all images of each place. Undefined if places do not repeat, or if
 * no attribute separates the images.
 */
export const phasesOf = <Image extends PlacedImage>(images: readonly Image[]): Map<Image, ImagePhase> | undefined => {
  const places = placesOf(images);
  if (places.length === images.length) return undefined;
  const detected = detect(places);
  if (!detected) return undefined;
  const { axes, phaseOf, count, keys } = detected;
  const ordered = inPlaceOrder(places);
  const isTime = axes.at(-1)?.key.isTime === true;
  const isUnnamed = axes[0]?.key === instanceNumberKey;
  return new Map(
    ordered.flatMap((place, at) =>
      place.map((image) => {
        const facts: ImagePhase['facts'] = {};
        for (const { key } of keys) {
          const value = key.valueOf(image);
          if (value !== undefined) facts[key.name] = value;
        }
        return [
          image,
          { at: phaseOf(image), count, place: at, places: places.length, isTime, isUnnamed, facts },
        ] as const;
      }),
    ),
  );
};

/**
 * Sorts places along their normal, from the end with the lowest image numbers. If places have several directions, such
 * as long axes of the heart, sorts them by image number.
 */
const inPlaceOrder = <Image extends PlacedImage>(places: readonly Image[][]): Image[][] => {
  const firstNumber = (place: readonly Image[]) => Math.min(...place.map(({ order }) => order));
  const numbered = places.toSorted((one, other) => firstNumber(one) - firstNumber(other));
  const normal = places[0]?.[0] && normalOf(places[0][0].plane);
  const planes = numbered.flatMap(([first]) => first?.plane ?? []);
  if (!normal || planes.some((plane) => dot(normalOf(plane), normal) < parallel)) return numbered;
  const steps = planes.slice(1).map((plane, at) => Math.sign(depthOf(plane) - depthOf(planes[at] ?? plane)));
  const sign = steps.reduce((sum, step) => sum + step, 0) < 0 ? -1 : 1;
  const depth = ([first]: readonly Image[]) => (first ? depthOf(first.plane) : 0);
  return places.toSorted((one, other) => sign * (depth(one) - depth(other)));
};
