import type { Vector } from '#reading/viewer/images/geometry/image-plane.ts';
import type { Slice } from '#reading/viewer/images/geometry/slice.ts';
import type { Color } from '@radwork/dicom/cielab';

/** Referenced image, with frame numbers from 1. An empty list means all frames. */
export type ImageReference = { sopInstanceUID: string; frames: readonly number[] };

/** Segment of a segmentation, or region of a structure set. */
export type Region = {
  /** Unique among all segments of a study. */
  key: string;
  number: number;
  name: string;
  /** Description and origin as stated in the object. */
  words: string;
  color: Color;
  /** Reason why the region, or a part of it, cannot be shown on any image. Empty if the whole region can be shown. */
  lack: string;
};

/** Frame of a segmentation. */
export type MaskFrame = {
  /** Frame number, from 1. */
  number: number;
  /** Segment number of the frame. Undefined in a label map, whose frames contain all segments. */
  segment: number | undefined;
  /** Position in the patient. Undefined if missing or unusable. */
  slice: Slice | undefined;
  /**
   * Whether the frame has a position, even an unusable one. A frame with a position is placed only by this position,
   * not by its references.
   */
  hasPosition: boolean;
  references: readonly ImageReference[];
};

export type Masks = {
  type: 'BINARY' | 'FRACTIONAL' | 'LABELMAP';
  rows: number;
  columns: number;
  bitsAllocated: number;
  /** Value of a fully covered pixel in a fractional segmentation. */
  maximum: number;
  /** Largest distance to both sides of a frame at which it is still drawn, in mm. */
  reach: number;
  frames: readonly MaskFrame[];
};

/** Points of a contour in the patient, in mm: left, posterior, superior. */
export type Contour = {
  kind: 'closed' | 'open' | 'point';
  /** Whether an area that several contours of one region share in a plane is left empty (PS3.3 §C.8.8.6.3). */
  isExclusive: boolean;
  points: Float64Array;
  references: readonly ImageReference[];
};

/** Frames in which the pixels of a segment were traced, also those in which it has none. */
export type TracedFrames = {
  /** A point of each frame in the patient, in mm. */
  points: readonly Vector[];
  /** Usual distance of the frames, or the thickness of a single frame, in mm. */
  thickness: number;
};

/** Contours of a region. Without frames in a structure set, which has only contours. */
export type Outline = { frameOfReference: string; contours: readonly Contour[]; frames?: TracedFrames };

export type Outlines = ReadonlyMap<number, Outline>;

/** Segmentation (PS3.3 §A.51) or structure set (PS3.3 §A.19). */
export type SegmentSet = {
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopInstanceUID: string;
  title: string;
  /** Kind of content: "Binary", "Probability", "Contours". */
  kind: string;
  patientId: string;
  /** Frame of reference UID; empty if not given. */
  frameOfReference: string;
  /** UIDs of the series on whose images the object was made. It may be incomplete. */
  madeOn: readonly string[];
  regions: readonly Region[];
  masks?: Masks;
  outlines?: Outlines;
  /** Reason why the whole set cannot be shown. Empty if it can. */
  lack: string;
};

/** Location of an object in the archive. */
export type SeriesLocation = { studyInstanceUID: string; seriesInstanceUID: string };

export const pointOf = ({ points }: Contour, index: number): Vector => [
  points[index * 3] ?? 0,
  points[index * 3 + 1] ?? 0,
  points[index * 3 + 2] ?? 0,
];

export const countOf = ({ points }: Contour): number => points.length / 3;
