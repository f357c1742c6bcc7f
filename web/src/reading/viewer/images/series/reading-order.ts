import { depthOf, dot, type ImagePlane, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';
import { type DicomJson, tag, textOf, textsOf } from '#reading/viewer/images/header/dicom-json.ts';
import { type ImagePhase, parallel, type PlacedImage, phasesOf, samePlace } from './image-phases.ts';

/** Properties that decide the place of an image in its series. */
export type Positioned = {
  header: DicomJson;
  plane: ImagePlane | undefined;
  instanceNumber: number | undefined;
  frame: number;
};

/**
 * Sorts a series for reading. Parallel slices at distinct positions are sorted by position, from the end with the
 * lowest image numbers. If positions repeat, images are sorted by phase (time, echo, diffusion weight), then by
 * position, and each gets its phase. If no attribute tells the phases, or if directions differ (localizers), images are
 * sorted by number. Localizers among slices come last.
 */
export const inReadingOrder = <Image extends Positioned>(
  images: readonly Image[],
): (Image & { phase?: ImagePhase })[] => {
  const slices = images.filter((image) => !isLocalizer(image));
  if (slices.length === 0 || slices.length === images.length) return inOrder(images);
  return [...inOrder(slices), ...images.filter(isLocalizer).toSorted(byNumber)];
};

/** Whether an image was only acquired to plan others (ImageType value 3, PS3.3 §C.8.2.1.1.1 and §C.8.16.1.3). */
export const isLocalizer = ({ header }: Positioned): boolean =>
  ['CT', 'MR'].includes(textOf(header, tag.Modality)) && textsOf(header, tag.ImageType)[2] === 'LOCALIZER';

const inOrder = <Image extends Positioned>(images: readonly Image[]): (Image & { phase?: ImagePhase })[] => {
  const numbered = images.toSorted(byNumber);
  const inPhases = byPhase(numbered);
  if (inPhases) return inPhases;
  const depths = depthsOf(numbered);
  if (!depths) return numbered;
  const sign = runsBackwards(numbered, depths) ? -1 : 1;
  return numbered.toSorted((one, other) => sign * ((depths.get(one) ?? 0) - (depths.get(other) ?? 0)));
};

const byNumber = (one: Positioned, other: Positioned): number =>
  (one.instanceNumber ?? Number.MAX_SAFE_INTEGER) - (other.instanceNumber ?? Number.MAX_SAFE_INTEGER) ||
  one.frame - other.frame;

/** Sorts by phase, then by place. Images without a place, such as a summary, come last. Undefined without phases. */
const byPhase = <Image extends Positioned>(numbered: readonly Image[]) => {
  const positioned = numbered.flatMap((image, order) => {
    const { plane, header, frame } = image;
    return plane ? [{ plane, header, frame, order, image } satisfies PlacedImage & { image: Image }] : [];
  });
  const phases = phasesOf(positioned);
  if (!phases) return undefined;
  const sorted = [...phases].toSorted(([, one], [, other]) => one.at - other.at || one.place - other.place);
  const unplaced = numbered.filter(({ plane }) => plane === undefined);
  return [...sorted.map(([{ image }, phase]) => ({ ...image, phase })), ...unplaced];
};

/**
 * Returns the position of each image along the normal, in mm. Undefined unless all images are parallel and at distinct
 * positions.
 */
const depthsOf = <Image extends Positioned>(images: readonly Image[]): Map<Image, number> | undefined => {
  const depths = new Map<Image, number>();
  const first = images[0]?.plane;
  for (const image of images) {
    if (!first || !image.plane || dot(normalOf(first), normalOf(image.plane)) < parallel) return undefined;
    depths.set(image, depthOf(image.plane));
  }
  const sorted = [...depths.values()].toSorted((one, other) => one - other);
  const repeats = sorted.some((depth, index) => index > 0 && depth - (sorted[index - 1] ?? depth) < samePlace);
  return repeats ? undefined : depths;
};

/** Whether the numbers decrease along the normal. A single misplaced image does not reverse the series. */
const runsBackwards = <Image extends Positioned>(numbered: readonly Image[], depths: Map<Image, number>): boolean => {
  const steps = numbered.slice(1).map((image, index) => {
    const before = numbered[index];
    return before ? Math.sign((depths.get(image) ?? 0) - (depths.get(before) ?? 0)) : 0;
  });
  return steps.reduce((sum, step) => sum + step, 0) < 0;
};
