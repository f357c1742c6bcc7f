import { t } from '@lingui/core/macro';
import { numberOf, tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import { dot, type ImagePlane, normalOf } from '#reading/viewer/images/geometry/image-plane.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { type Slice, sliceOf } from '#reading/viewer/images/geometry/slice.ts';
import type { Contour, ImageReference, MaskFrame } from './segment-set.ts';

/** Image on which segments may be placed. */
export type Target = {
  sopInstanceUID: string;
  /** Counted from 1. */
  frame: number;
  slice: Slice | undefined;
  rows: number;
  columns: number;
};

/** Content for one image: the mask frame of one segment, or a contour. */
export type Part = { region: number } & (
  | { mask: MaskFrame; /** Whether the mask has no position and is aligned to the image pixels. */ isOnGrid: boolean }
  | { contour: Contour }
);

/** Placement of a segment set on a stack: its parts by image number, from 0. */
export type Placement = {
  parts: ReadonlyMap<number, readonly Part[]>;
  /** Number of parts not placed, per region number and reason. */
  reasons: ReadonlyMap<number, ReadonlyMap<string, number>>;
};

/** Stack of images on which segments are placed. */
export type Stack = {
  targets: readonly Target[];
  /** Image numbers by SOPInstanceUID. */
  byInstance: ReadonlyMap<string, readonly number[]>;
  /** Distance between neighboring images in mm. Undefined if unknown. */
  spacing: number | undefined;
};

const targetOf = (image: SeriesImage): Target => ({
  sopInstanceUID: textOf(image.header, tag.SOPInstanceUID),
  frame: image.frame,
  slice: sliceOf(image),
  rows: numberOf(image.header, tag.Rows) ?? 0,
  columns: numberOf(image.header, tag.Columns) ?? 0,
});

/** Returns the most frequent distance between parallel neighbors in the middle of the stack. */
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
    const indexes = byInstance.get(sopInstanceUID);
    if (indexes) indexes.push(index);
    else byInstance.set(sopInstanceUID, [index]);
  }
  return { targets, byInstance, spacing: spacingOf(targets) };
};

/** Returns the numbers of the stack images to which the references point. */
export const referredTo = ({ targets, byInstance }: Stack, references: readonly ImageReference[]): number[] =>
  references.flatMap(({ sopInstanceUID, frames }) =>
    (byInstance.get(sopInstanceUID) ?? []).filter(
      (index) => frames.length === 0 || frames.includes(targets[index]?.frame ?? 0),
    ),
  );

/** Cosine of one degree. Planes within one degree count as parallel, whichever side they face. */
const nearlyOne = Math.cos(Math.PI / 180);

export const lieAlike = (one: ImagePlane, other: ImagePlane): boolean =>
  Math.abs(dot(normalOf(one), normalOf(other))) > nearlyOne;

/** Collects the placed parts, and the reasons for parts not placed. */
export const createCollector = () => {
  const parts = new Map<number, Part[]>();
  const reasons = new Map<number, Map<string, number>>();
  return {
    parts,
    reasons,
    put: (image: number, part: Part) => {
      const partsOfImage = parts.get(image);
      if (partsOfImage) partsOfImage.push(part);
      else parts.set(image, [part]);
    },
    leaveOut: (region: number, reason: string) => {
      const ofRegion = reasons.get(region) ?? new Map<string, number>();
      ofRegion.set(reason, (ofRegion.get(reason) ?? 0) + 1);
      reasons.set(region, ofRegion);
    },
  };
};

/** Reasons for parts not placed, shown after text such as "3 frames not drawn:". */
export const otherFrameOfReference = t`the frame of reference differs from these images`;
export const placeUnknown = t`the images have no position in the patient`;
export const elsewhere = t`the position differs from the referenced image`;
export const atAngle = t`at an angle to these images`;

/** This reason is not an error: the series has fewer images or a larger spacing than the segments. */
export const notReached = t`between or outside these images`;
