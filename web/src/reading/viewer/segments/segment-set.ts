import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { Color } from './color.ts';

/** Referenced image, with frames from 1. No frames means all. */
export type ImageReference = { sopInstanceUID: string; frames: readonly number[] };

/** Segment of a segmentation, or region of a structure set. */
export type Region = {
  /** Unique among all segments of a study. */
  key: string;
  number: number;
  name: string;
  /** Description and origin, as in the object. */
  words: string;
  color: Color;
  /** Reason why all or part of it cannot be shown on any image. Empty otherwise. */
  lack: string;
};

/** Frame of a segmentation. */
export type MaskFrame = {
  /** Counted from 1. */
  number: number;
  /** Segment of the frame. Undefined in a label map, whose frames hold all segments. */
  segment: number | undefined;
  /** Position in the patient. Undefined if missing or unusable. */
  slice: Slice | undefined;
  /** True if it has any position. It then goes there or nowhere. */
  isPlaced: boolean;
  references: readonly ImageReference[];
};

export type Masks = {
  type: 'BINARY' | 'FRACTIONAL' | 'LABELMAP';
  rows: number;
  columns: number;
  bitsAllocated: number;
  /** Value of a whole pixel in a fractional segmentation. */
  maximum: number;
  /** Reach of a frame to both sides of its plane, in mm. */
  reach: number;
  frames: readonly MaskFrame[];
};

/** Points of a contour in the patient, in mm: left, posterior, superior. */
export type Contour = {
  kind: 'closed' | 'open' | 'point';
  /** True if areas common with other contours of its region and plane are removed (PS3.3 §C.8.8.6.3). */
  isExclusive: boolean;
  points: Float64Array;
  references: readonly ImageReference[];
};

export type Outlines = ReadonlyMap<number, { frameOfReference: string; contours: readonly Contour[] }>;

/** Segmentation (PS3.3 §A.51) or structure set (PS3.3 §A.19). */
export type SegmentSet = {
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopInstanceUID: string;
  title: string;
  /** "Binary", "Probability", "Contours". */
  kind: string;
  patientId: string;
  /** Empty if not given. */
  frameOfReference: string;
  /** Series of the images it was made on, as far as known. */
  madeOn: readonly string[];
  regions: readonly Region[];
  masks?: Masks;
  outlines?: Outlines;
  /** Reason why nothing can be shown. Empty otherwise. */
  lack: string;
};

/** Location of an object in the archive. */
export type Whereabouts = { studyInstanceUID: string; seriesInstanceUID: string };

export const pointOf = ({ points }: Contour, index: number): Vector => [
  points[index * 3] ?? 0,
  points[index * 3 + 1] ?? 0,
  points[index * 3 + 2] ?? 0,
];

export const countOf = ({ points }: Contour): number => points.length / 3;
