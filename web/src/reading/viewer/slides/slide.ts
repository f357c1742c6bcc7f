import type { DicomJson } from '#reading/viewer/images/header/dicom-json.ts';

/** Forms in which a tile is fetched: raw JPEG, raw RGB pixels, or drawn by the server. */
export type TileForm = 'jpeg' | 'rgb' | 'rendered';

/** An instance with frames of a layer. A concatenation has several (PS3.3 §C.7.6.16.2.2.4). */
export type SlidePart = {
  instanceUid: string;
  /** Index of its first frame within the layer's frames, from 0. */
  first: number;
  frames: number;
  form: TileForm;
  /** Whether the header says that a JPEG holds red, green and blue. */
  isRgb: boolean;
  /** Window with which the server draws all tiles of a gray slide whose header has none. */
  window?: string;
};

/**
 * Places of the tiles. With `full`, frames follow one another by rows from the frame with the index `first` (PS3.3
 * §C.7.6.17.3). With `sparse`, tiles are listed by cell of the grid. Cell c has the entries from `starts[c]` to before
 * `starts[c + 1]`. Each entry has its frame (index from 0) and its left and top pixel (from 0).
 */
export type TilePlaces =
  | { kind: 'full'; first: number }
  | { kind: 'sparse'; starts: Int32Array; frames: Int32Array; lefts: Int32Array; tops: Int32Array };

/** Tiles of one level for one optical path and one focal plane. */
export type SlideLayer = {
  path: string;
  /** Height of the focal plane in micrometers. */
  z: number;
  parts: SlidePart[];
  tileColumns: number;
  tileRows: number;
  across: number;
  down: number;
  places: TilePlaces;
};

/** Level of a pyramid. `wide` and `tall` are the size of one of its pixels in pixels of the largest level. */
export type SlideLevel = { columns: number; rows: number; wide: number; tall: number; layers: SlideLayer[] };

export type OpticalPath = { id: string; description: string };

/** Images of one area in several resolutions. Levels are sorted from large to small, and there is at least one. */
export type Pyramid = {
  /** Size in pixels of the largest level. Pixels that are not square are made so by a larger height. */
  width: number;
  height: number;
  levels: SlideLevel[];
  /** Width of a pixel of the largest level in millimeters. Undefined without a pixel spacing. */
  spacing: number | undefined;
  /** Power of the objective lens, such as 20. */
  objective: number | undefined;
  paths: OpticalPath[];
  /** Heights of the focal planes in micrometers, ascending. */
  planes: number[];
  turn: Orientation;
};

/** Turn clockwise in radians, after mirroring left to right. */
export type Orientation = { angle: number; isMirrored: boolean };

export type SlidePicture = {
  kind: 'slide' | 'label' | 'overview';
  instanceUid: string;
  pyramid: Pyramid;
};

/** A reason why an image of a slide is left out. Sizes are in pixels. */
export type SlideFault = { columns: number; rows: number } & (
  | { kind: 'frames'; frames: number; needed: number }
  | { kind: 'places'; frames: number }
  | { kind: 'size' }
);

export type Slide = {
  /** The slide first, then its label and overview. */
  pictures: SlidePicture[];
  faults: SlideFault[];
  /** Header of the largest image without the groups of its frames. */
  header: DicomJson;
};
