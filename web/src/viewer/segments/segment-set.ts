import type { Vector } from '#viewer/images/image-plane.ts';
import type { Slice } from '#viewer/images/slice.ts';
import type { Colour } from './colour.ts';

/** An image that something was drawn on: all of its frames where none is named. Frames count from 1. */
export type ImageReference = { sopInstanceUID: string; frames: readonly number[] };

/** What has a name and a colour of its own: a segment of a segmentation, a region of a structure set. */
export type Region = {
  /** One of its kind among everything that a study has. */
  key: string;
  number: number;
  name: string;
  /** What it is and how it was made, in the object's own words. */
  words: string;
  colour: Colour;
  /** Why nothing of it, or not all of it, can be shown, whatever the images; '' otherwise. */
  lack: string;
};

/** A frame of a segmentation. */
export type MaskFrame = {
  /** From 1. */
  number: number;
  /** The segment that it is of; undefined in a label map, whose frames have all of them. */
  segment: number | undefined;
  /** Where it lies in the patient, undefined where it does not say, or not so that it can be found. */
  slice: Slice | undefined;
  /** Whether it says anything of where it lies: then it goes there or nowhere. */
  isPlaced: boolean;
  references: readonly ImageReference[];
};

export type Masks = {
  type: 'BINARY' | 'FRACTIONAL' | 'LABELMAP';
  rows: number;
  columns: number;
  bitsAllocated: number;
  /** The number that stands for all of a pixel, in a fractional segmentation. */
  maximum: number;
  /** How far a frame reaches on either side of its plane, in mm. */
  reach: number;
  frames: readonly MaskFrame[];
};

/** Points of one contour, in mm in the patient, one after the other: left, posterior, superior. */
export type Contour = {
  kind: 'closed' | 'open' | 'point';
  /** Whether it takes away what it shares with other contours of its region in its plane (PS3.3 §C.8.8.6.3). */
  isExclusive: boolean;
  points: Float64Array;
  references: readonly ImageReference[];
};

export type Outlines = ReadonlyMap<number, { frameOfReference: string; contours: readonly Contour[] }>;

/** A segmentation (PS3.3 §A.51) or a structure set (PS3.3 §A.19). */
export type SegmentSet = {
  studyInstanceUID: string;
  seriesInstanceUID: string;
  sopInstanceUID: string;
  title: string;
  /** "Binary", "Probability", "Contours". */
  kind: string;
  patientId: string;
  /** '' where it names none. */
  frameOfReference: string;
  /** The series of the images that it was made on, as far as it says. */
  madeOn: readonly string[];
  regions: readonly Region[];
  masks?: Masks;
  outlines?: Outlines;
  /** Why nothing of it can be shown, in words; '' otherwise. */
  lack: string;
};

/** Where an object was found in the archive. */
export type Whereabouts = { studyInstanceUID: string; seriesInstanceUID: string };

/** A point of a contour. */
export const pointOf = ({ points }: Contour, index: number): Vector => [
  points[index * 3] ?? 0,
  points[index * 3 + 1] ?? 0,
  points[index * 3 + 2] ?? 0,
];

export const countOf = ({ points }: Contour): number => points.length / 3;
