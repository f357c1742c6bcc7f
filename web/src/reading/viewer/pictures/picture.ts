import type { SeriesSummary, StudyDetails } from '@radwork/contract/imaging/studies';
import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';
import type { Edges } from '#reading/viewer/images/geometry/orientation.ts';

/** Rectangle of a screen, in CSS pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/** Lines, text and areas over an image, as SVG elements in CSS pixels. */
export type DrawnLines = {
  markup: string;
  /** True if it hides content, as a shutter does. It stays when drawings are omitted. */
  isCover: boolean;
};

/** Areas over an image, and their position on its screen. */
export type DrawnAreas = { areas: HTMLCanvasElement; at: Box };

/** Overlay of an image. */
export type Overlay = DrawnLines | DrawnAreas;

/** An image and its overlays, kept apart. */
export type Layers = {
  canvas: HTMLCanvasElement;
  /** Measurements, arrows, text, lines, segments and shutters, the lowest first. */
  over: readonly Overlay[];
  /** Part of that screen shown by the canvas. */
  box: Box;
};

/** Picture to save, as it was on screen at one moment. */
export type Picture = {
  /** Study of the image; for a prior, the prior. */
  study: StudyDetails;
  /** Series shown; a fusion shows two. */
  series: readonly SeriesSummary[];
  /** One header per patient named in the images, and per series. */
  headers: readonly DicomJson[];
  /** Null for a plane through a volume. */
  sopInstanceUID: string | null;
  layers: Layers;
  edges: Edges | undefined;
  /** "Image 12 of 40", "W 400  L 40": facts needed to read it, without patient data. */
  facts: readonly string[];
  /** Text by users, which may contain the patient name. */
  titles: readonly string[];
  /** Place in the series, for the file name: "image-12". */
  place: string;
  /** Draws the whole image at one picture pixel per image pixel. Absent without an image. */
  drawWhole?: () => Promise<Layers>;
  /** Reason why the whole image cannot be drawn. */
  whyNotWhole?: string;
};

/** A picture, or the reason why there is none, as a message. */
export type CaptureResult = Picture | string;
