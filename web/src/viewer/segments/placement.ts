import { tag, textOf } from '#viewer/images/dicom-json.ts';
import type { SeriesImage } from '#viewer/images/series-loader.ts';
import { placeContours } from './place-contours.ts';
import { placeMasks } from './place-masks.ts';
import type { Region, SegmentSet } from './segment-set.ts';
import { notReached, type Placement, stackOf } from './stack.ts';

type Shown = { studyInstanceUID: string; images: readonly SeriesImage[] };

/** Why a set cannot go on any image of a series, in words; '' when it may. */
const refusalOf = (set: SegmentSet, { studyInstanceUID, images }: Shown): string => {
  if (set.lack) return set.lack;
  if (set.studyInstanceUID !== studyInstanceUID) return 'It belongs to another study than these images.';
  const patients = new Set(images.map(({ header }) => textOf(header, tag.PatientID)).filter(Boolean));
  if (set.patientId && [...patients].some((patient) => patient !== set.patientId)) {
    return 'It says that it is of another patient than these images.';
  }
  return '';
};

export type Placed = { refusal: string; placement: Placement };

const nowhere: Placement = { parts: new Map(), reasons: new Map() };

/**
 * Where a set goes on the images of a series. What refers to one of them goes there, as long as both lie at the same
 * place; what refers to none goes where it lies in the same frame of reference. Nothing is placed by the order of rows,
 * columns or frames, apart from what has no place of its own and as many rows and columns as the image it refers to.
 */
export const place = (set: SegmentSet, shown: Shown): Placed => {
  const refusal = refusalOf(set, shown);
  if (refusal) return { refusal, placement: nowhere };
  const stack = stackOf(shown.images);
  if (set.masks) return { refusal, placement: placeMasks(set.masks, set, stack) };
  return { refusal, placement: set.outlines ? placeContours(set.outlines, stack) : nowhere };
};

/** The images on which a region appears, in their order. */
export const imagesOf = ({ parts }: Placement, region: number): number[] =>
  [...parts]
    .flatMap(([image, those]) => (those.some((part) => part.region === region) ? [image] : []))
    .toSorted((one, other) => one - other);

/** How a region stands on a series: where it appears, and what of it does not. */
export type Standing = {
  images: readonly number[];
  /** What is not drawn and why, in sentences; '' when all is. */
  missing: string;
  /** Whether a reader has to be told beside the image: it is not there, or not for a reason that lies in the images. */
  isWrong: boolean;
};

const sentences = (reasons: ReadonlyMap<string, number>, noun: string): string[] =>
  [...reasons].map(([reason, count]) => `${count} ${noun}${count === 1 ? '' : 's'} not drawn: ${reason}.`);

export const standingOf = (set: SegmentSet, { number, lack }: Region, { refusal, placement }: Placed): Standing => {
  const images = imagesOf(placement, number);
  const reasons = placement.reasons.get(number) ?? new Map<string, number>();
  const empty = !lack && !refusal && images.length === 0 && reasons.size === 0 ? ['It has no frames.'] : [];
  const isWrong =
    refusal !== '' || lack !== '' || images.length === 0 || [...reasons.keys()].some((reason) => reason !== notReached);
  const missing = [lack, ...sentences(reasons, set.masks ? 'frame' : 'contour'), ...empty].filter(Boolean).join(' ');
  return { images, missing, isWrong };
};
