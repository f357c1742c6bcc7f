import { numberOf, tag, textOf } from '#viewer/images/dicom-json.ts';
import { dot, type ImagePlane, normalOf } from '#viewer/images/image-plane.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { type Slice, sliceOf } from '#viewer/images/slice.ts';
import type { Contour, ImageReference, MaskFrame } from './segment-set.ts';

/** An image that something may be drawn on. */
export type Target = {
  sopInstanceUID: string;
  /** From 1. */
  frame: number;
  slice: Slice | undefined;
  rows: number;
  columns: number;
};

/** A frame of a segmentation for one of its segments, or a contour, on one image. */
export type Part = { region: number } & (
  | { mask: MaskFrame; /** Counted along the pixels of the image, having no place of its own. */ isOnGrid: boolean }
  | { contour: Contour }
);

/** Where a set goes on a stack of images: by the number of the image, from 0. */
export type Placement = {
  parts: ReadonlyMap<number, readonly Part[]>;
  /** Why parts of a region are not placed, and how many, in words; by the region's number. */
  reasons: ReadonlyMap<number, ReadonlyMap<string, number>>;
};

/** What is to be placed and where it can go. */
export type Stack = {
  targets: readonly Target[];
  /** The numbers of images by the instance they are of. */
  byInstance: ReadonlyMap<string, readonly number[]>;
  /** Millimetres between neighbouring images, undefined where that cannot be said. */
  spacing: number | undefined;
};

const targetOf = (image: SeriesImage): Target => ({
  sopInstanceUID: textOf(image.header, tag.SOPInstanceUID),
  frame: image.frame,
  slice: sliceOf(image),
  rows: numberOf(image.header, tag.Rows) ?? 0,
  columns: numberOf(image.header, tag.Columns) ?? 0,
});

/** The distance between parallel neighbours that is met most often in the middle of the stack. */
const spacingOf = (targets: readonly Target[]): number | undefined => {
  const first = targets[0]?.slice;
  if (!first) return undefined;
  const normal = normalOf(first);
  const depths = targets.flatMap(({ slice }) => (slice ? [dot(slice.position, normal)] : [])).toSorted((a, b) => a - b);
  const gaps = depths
    .slice(1)
    .map((depth, index) => depth - (depths[index] ?? depth))
    .filter((gap) => gap > 0.01)
    .toSorted((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)];
};

export const stackOf = (images: readonly SeriesImage[]): Stack => {
  const targets = images.map(targetOf);
  const byInstance = new Map<string, number[]>();
  for (const [index, { sopInstanceUID }] of targets.entries()) {
    const there = byInstance.get(sopInstanceUID);
    if (there) there.push(index);
    else byInstance.set(sopInstanceUID, [index]);
  }
  return { targets, byInstance, spacing: spacingOf(targets) };
};

/** The images of a stack that something refers to. */
export const referredTo = ({ targets, byInstance }: Stack, references: readonly ImageReference[]): number[] =>
  references.flatMap(({ sopInstanceUID, frames }) =>
    (byInstance.get(sopInstanceUID) ?? []).filter(
      (index) => frames.length === 0 || frames.includes(targets[index]?.frame ?? 0),
    ),
  );

/** Planes that are turned against each other by less than one degree are one plane, whichever way they are counted. */
const nearlyOne = Math.cos(Math.PI / 180);

export const lieAlike = (one: ImagePlane, other: ImagePlane): boolean =>
  Math.abs(dot(normalOf(one), normalOf(other))) > nearlyOne;

/** Gathers what goes where. */
export const gathering = () => {
  const parts = new Map<number, Part[]>();
  const reasons = new Map<number, Map<string, number>>();
  return {
    parts,
    reasons,
    put: (image: number, part: Part) => {
      const there = parts.get(image);
      if (there) there.push(part);
      else parts.set(image, [part]);
    },
    leaveOut: (region: number, reason: string) => {
      const ofRegion = reasons.get(region) ?? new Map<string, number>();
      ofRegion.set(reason, (ofRegion.get(reason) ?? 0) + 1);
      reasons.set(region, ofRegion);
    },
  };
};

/** Why something is placed nowhere, behind "3 frames not drawn:". */
export const otherFrameOfReference = 'in another frame of reference than these images';
export const placeUnknown = 'placed in the patient, which these images are not';
export const elsewhere = 'elsewhere than the image referred to';
export const atAngle = 'at an angle to these images';

/** No fault, but what follows from images that are farther apart or fewer. */
export const notReached = 'between these images or beside them';
