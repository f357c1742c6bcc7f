import { plural, t } from '@lingui/core/macro';
import { tag, textOf } from '#reading/viewer/images/header/dicom-json.ts';
import type { SeriesImage } from '#reading/viewer/images/series/series-loader.ts';
import { placeContours } from './place-contours.ts';
import { placeMasks } from './place-masks.ts';
import type { Region, SegmentSet } from './segment-set.ts';
import { notReached, type Placement, stackOf } from './image-stack.ts';

type ShownSeries = { studyInstanceUID: string; images: readonly SeriesImage[] };

/** Returns the reason why a segment set fits no image of a series. Empty if it fits. */
export const refusalOf = (set: SegmentSet, { studyInstanceUID, images }: ShownSeries): string => {
  if (set.lack) return set.lack;
  if (set.studyInstanceUID !== studyInstanceUID) return t`It belongs to a different study.`;
  const patients = new Set(images.map(({ header }) => textOf(header, tag.PatientID)).filter(Boolean));
  if (set.patientId && [...patients].some((patient) => patient !== set.patientId)) {
    return t`It belongs to a different patient.`;
  }
  return '';
};

export type Placed = { refusal: string; placement: Placement };

const nowhere: Placement = { parts: new Map(), reasons: new Map() };

/**
 * Places a segment set on the images of a series. Content that refers to images is placed on them only if the positions
 * agree. Content without references is placed by its position in the same frame of reference. Frames without a position
 * are placed by reference only, and only if the image has the same numbers of rows and columns.
 */
export const place = (set: SegmentSet, shown: ShownSeries): Placed => {
  const refusal = refusalOf(set, shown);
  if (refusal) return { refusal, placement: nowhere };
  const stack = stackOf(shown.images);
  if (set.masks) return { refusal, placement: placeMasks(set.masks, set, stack) };
  return { refusal, placement: set.outlines ? placeContours(set.outlines, stack) : nowhere };
};

/** Returns the images that show a region, in order. */
export const imagesOf = ({ parts }: Placement, region: number): number[] =>
  [...parts]
    .flatMap(([image, those]) => (those.some((part) => part.region === region) ? [image] : []))
    .toSorted((one, other) => one - other);

/** Result of placing a region on a series: the images that show it, and the missing parts. */
export type RegionPlacement = {
  images: readonly number[];
  /** Sentences with the reasons for missing parts. Empty if the region is complete. */
  missing: string;
  /**
   * Whether the reader must be warned next to the image: the region is missing, or a part is missing for a reason other
   * than the choice of images.
   */
  isWrong: boolean;
};

const sentences = (reasons: ReadonlyMap<string, number>, isMasks: boolean): string[] =>
  [...reasons].map(([reason, count]) =>
    isMasks
      ? t`${plural(count, { one: '# frame', other: '# frames' })} not drawn: ${reason}.`
      : t`${plural(count, { one: '# contour', other: '# contours' })} not drawn: ${reason}.`,
  );

export const regionPlacementOf = (
  set: SegmentSet,
  { number, lack }: Region,
  { refusal, placement }: Placed,
): RegionPlacement => {
  const images = imagesOf(placement, number);
  const reasons = placement.reasons.get(number) ?? new Map<string, number>();
  const empty = !lack && !refusal && images.length === 0 && reasons.size === 0 ? [t`It has no frames.`] : [];
  const isWrong =
    refusal !== '' || lack !== '' || images.length === 0 || [...reasons.keys()].some((reason) => reason !== notReached);
  const missing = [lack, ...sentences(reasons, set.masks !== undefined), ...empty].filter(Boolean).join(' ');
  return { images, missing, isWrong };
};
