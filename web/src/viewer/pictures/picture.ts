import type { SeriesSummary, StudyDetails } from '@radwork/contract/studies';
import type { DicomJson } from '#viewer/images/dicom-json.ts';
import type { Edges } from '#viewer/images/orientation.ts';

/** A piece of a screen, in CSS pixels. */
export type Box = { left: number; top: number; width: number; height: number };

/** Lines, letters and areas that are drawn over a picture, as SVG elements in CSS pixels of its screen. */
export type DrawnLines = {
  markup: string;
  /** It hides what must not be seen, as a shutter does: it stays where what is drawn is left out. */
  isCover: boolean;
};

/** Areas that are drawn over a picture, and where on its screen. */
export type DrawnAreas = { areas: HTMLCanvasElement; at: Box };

/** Something that lies over a picture. */
export type Over = DrawnLines | DrawnAreas;

/** A picture and what is drawn over it, apart from each other. */
export type Layers = {
  canvas: HTMLCanvasElement;
  /** Measurements, arrows, text, lines, segments and shutters; what lies below first. */
  over: readonly Over[];
  /** What of that screen the canvas shows. */
  box: Box;
};

/** A picture that is to be taken away, as it stood on the screen at one moment. */
export type Picture = {
  /** Whose it is: of a prior that stands beside, that of the prior. */
  study: StudyDetails;
  /** What it shows: of a fusion two series. */
  series: readonly SeriesSummary[];
  /** One header for each patient that the images name, and for each series. */
  headers: readonly DicomJson[];
  /** Null for a plane through a volume. */
  sopInstanceUID: string | null;
  layers: Layers;
  edges: Edges | undefined;
  /** "Image 12 of 40", "W 400  L 40": what must be known to read it, and nothing of the patient. */
  facts: readonly string[];
  /** How people have named what is seen, which may be by the patient's name. */
  titles: readonly string[];
  /** Which of its series it is, for the name of a file: "image-12". */
  place: string;
  /** Draws the whole image, one pixel of the picture for each of the image; absent where there is no image. */
  drawWhole?: () => Promise<Layers>;
  /** Why the whole image is not drawn, though there is one. */
  whyNotWhole?: string;
};

/** A picture, or why there is none to take, in words. */
export type Taken = Picture | string;
