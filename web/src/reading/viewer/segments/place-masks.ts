import { t } from '@lingui/core/macro';
import { distanceFrom, middleOf, shareFrame, type Slice } from '#reading/viewer/images/geometry/slice.ts';
import {
  createCollector,
  lieAlike,
  atAngle,
  elsewhere,
  notReached,
  otherFrameOfReference,
  placeUnknown,
  type Placement,
  referredTo,
  type Stack,
  type Target,
} from './image-stack.ts';
import type { MaskFrame, Masks, SegmentSet } from './segment-set.ts';

/** Tolerance for rounding in headers, in mm. */
const rounding = 0.01;

/** Largest distance between frames at the same position, in mm. */
const onePlace = 0.001;

/**
 * Reason for a frame with an unusable position. Such a frame is not placed by its references, because it may be
 * mirrored or lie elsewhere.
 */
const placeUnusable = t`incomplete or invalid position in the patient`;

/** Returns the distance of an image from a frame in mm, or the reason why the image does not fit. */
const fit = (frame: Slice, image: Slice | undefined, reach: number): { away: number } | { reason: string } => {
  if (!image) return { reason: placeUnknown };
  if (!shareFrame(frame, image)) return { reason: otherFrameOfReference };
  if (!lieAlike(frame, image)) return { reason: atAngle };
  const away = Math.abs(distanceFrom(frame, middleOf(image)));
  if (away > reach + rounding) return { reason: notReached };
  return { away };
};

/**
 * Returns the reason why a frame without a position does not fit an image to which it refers. Empty if both have the
 * same numbers of rows and columns and no different frames of reference.
 */
const gridReason = (masks: Masks, set: SegmentSet, { rows, columns, slice }: Target): string => {
  const frames = [set.frameOfReference, slice?.frameOfReference].filter(Boolean);
  if (frames.length === 2 && frames[0] !== frames[1]) return otherFrameOfReference;
  if (rows === masks.rows && columns === masks.columns) return '';
  return t`no position in the patient, and the size differs from the referenced image`;
};

/** Images on which a frame is placed, with their distances. If there are none, `reason` says why. */
type MaskPlace = { at: { image: number; away: number }[]; isOnGrid: boolean; reason: string };

const nowhere = (reason: string): MaskPlace => ({ at: [], isOnGrid: false, reason });

const findOnGrid = (masks: Masks, set: SegmentSet, stack: Stack, images: readonly number[]): MaskPlace => {
  if (images.length === 0) return nowhere(t`no position in the patient, and no reference to these images`);
  const reasons = images.map((image) => {
    const target = stack.targets[image];
    return target ? gridReason(masks, set, target) : '';
  });
  const refusalReason = reasons.find(Boolean);
  if (refusalReason) return nowhere(refusalReason);
  return { at: images.map((image) => ({ image, away: 0 })), isOnGrid: true, reason: '' };
};

const findByPlace = (frame: Slice, stack: Stack, images: readonly number[], reach: number): MaskPlace => {
  const at: MaskPlace['at'] = [];
  let reason = '';
  for (const image of images) {
    const fitting = fit(frame, stack.targets[image]?.slice, reach);
    if ('away' in fitting) at.push({ image, away: fitting.away });
    // Keeps the most specific reason. For most images, the reason is only that they lie at another position.
    else if (!reason || reason === notReached) ({ reason } = fitting);
  }
  return { at, isOnGrid: false, reason };
};

const finder = (masks: Masks, set: SegmentSet, stack: Stack) => {
  const everywhere = [...stack.targets.keys()];
  // Caches results, because many segments have frames at the same positions.
  const known = new Map<string, MaskPlace>();
  return (frame: MaskFrame): MaskPlace => {
    const referred = referredTo(stack, frame.references);
    if (!frame.slice) return frame.hasPosition ? nowhere(placeUnusable) : findOnGrid(masks, set, stack, referred);
    if (referred.length > 0) {
      const byPlace = findByPlace(frame.slice, stack, referred, masks.reach);
      return byPlace.reason === notReached ? { ...byPlace, reason: elsewhere } : byPlace;
    }
    const { position, along, down } = frame.slice;
    const key = [position, along, down].join();
    const result = known.get(key) ?? findByPlace(frame.slice, stack, everywhere, masks.reach);
    known.set(key, result);
    return result;
  };
};

/** Returns the segments that a frame contains. */
const regionsOf = ({ segment }: MaskFrame, set: SegmentSet): number[] =>
  segment === undefined ? set.regions.map(({ number }) => number) : [segment];

/**
 * Places the frames of a segmentation on images within half the frame spacing. For each segment, an image shows the
 * nearest frame. A frame that refers to images of the stack is placed only on these images.
 */
export const placeMasks = (masks: Masks, set: SegmentSet, stack: Stack): Placement => {
  const gathered = createCollector();
  const find = finder(masks, set, stack);
  const isLabelMap = masks.type === 'LABELMAP';
  /** Frames that fit an image, per segment and image, with their distances. */
  const candidates = new Map<
    string,
    { image: number; region: number; away: number; mask: MaskFrame; isOnGrid: boolean }[]
  >();
  for (const mask of masks.frames) {
    if (mask.segment === undefined && !isLabelMap) continue;
    const { at, isOnGrid, reason } = find(mask);
    for (const region of regionsOf(mask, set)) {
      if (at.length === 0) gathered.leaveOut(region, reason);
      for (const { image, away } of at) {
        const key = `${image} ${region}`;
        const one = { image, region, away, mask, isOnGrid };
        const candidatesOfKey = candidates.get(key);
        if (candidatesOfKey) candidatesOfKey.push(one);
        else candidates.set(key, [one]);
      }
    }
  }
  for (const rivals of candidates.values()) {
    const nearest = Math.min(...rivals.map(({ away }) => away));
    for (const { image, region, mask, isOnGrid, away } of rivals) {
      if (away <= nearest + onePlace) gathered.put(image, { region, mask, isOnGrid });
    }
  }
  return { parts: gathered.parts, reasons: gathered.reasons };
};
