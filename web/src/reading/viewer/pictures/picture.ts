import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/study-rows';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import type { Edges } from '#reading/viewer/images/geometry/orientation.ts';

/** Rectangle of a screen, in CSS pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/** Lines, text and filled areas over an image, as SVG elements in CSS pixels. */
export type DrawnLines = {
  markup: string;
  /** Whether the overlay hides content, as a shutter does. Such covers stay when drawings are left out. */
  isCover: boolean;
};

/** Areas over an image, drawn on a canvas, and their position in the viewport of the image. */
export type DrawnAreas = { areas: HTMLCanvasElement; at: Box };

/** Overlay of an image. */
export type Overlay = DrawnLines | DrawnAreas;

/** An image and its overlays as separate layers. */
export type Layers = {
  canvas: HTMLCanvasElement;
  /** Overlays, the lowest first: measurements, arrows, text, lines, segments and shutters. */
  over: readonly Overlay[];
  /** Part of the viewport that the canvas shows. */
  box: Box;
};

/** Picture to save: the content of the screen at one moment. */
export type Picture = {
  /** Study of the image. For a prior, the study of the prior. */
  study: StudyDetails;
  /** Series in the picture; a fusion shows two. */
  series: readonly SeriesSummary[];
  /** One header for each patient named in the images of each series. */
  headers: readonly DicomJson[];
  /** UID of the image; null for a plane through a volume. */
  sopInstanceUID: string | null;
  layers: Layers;
  edges: Edges | undefined;
  /** Facts needed to read the picture, without patient data: "Image 12 of 40", "W 400 L 40". */
  facts: readonly string[];
  /** Text typed by users, which may contain the patient name. */
  titles: readonly string[];
  /** Position in the series, for the file name: "image-12". */
  place: string;
  /** Draws the whole image with one picture pixel per image pixel. Absent if this is not possible. */
  drawWhole?: () => Promise<Layers>;
  /** Reason why the whole image cannot be drawn. */
  whyNotWhole?: string;
};

/** A picture, or a message with the reason why there is none. */
export type CaptureResult = Picture | string;
