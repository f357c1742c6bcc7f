import { writePart10, type Elements } from '@radwork/dicom/part10';
import { explicitLittleEndian, instanceElements, type Series } from './image-elements.ts';
import { jpegOf } from './jpeg.ts';
import { fileName, studyElements, uidOf, type PhantomFile, type Procedure, type StudyOptions } from './study.ts';

const wholeSlideStorage = '1.2.840.10008.5.1.4.1.1.77.1.6';
const jpegBaseline = '1.2.840.10008.1.2.4.50';

const scanning: Procedure = {
  modality: 'SM',
  code: { CodeValue: '104157003', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Light microscopy' },
  bodyPart: 'COLON',
  room: 'Pathology',
  manufacturer: 'Radwork',
  model: 'Phantom Slide',
  stationName: 'SM1',
};
const series: Series = { modality: 'SM', number: 1, description: 'HE', bodyPart: 'COLON', start: 60 };

type Color = readonly [red: number, green: number, blue: number];

/** Colors of the generated slide. Glass is gray and never white. Padding of edge tiles has a color of its own. */
export const slideColors = {
  glass: [226, 224, 230],
  tissue: [206, 128, 170],
  gland: [120, 70, 140],
  mark: [20, 60, 200],
  padding: [255, 0, 255],
} as const satisfies Record<string, Color>;

/** The generated slide: its size in pixels of the largest level, and its mark as a box that tells sides apart. */
export const slideTruth = {
  columns: 2000,
  rows: 1400,
  tile: 256,
  micrometersPerPixel: 0.5,
  objectivePower: 20,
  /** Columns and rows of the largest level, first included and last not. It covers the tile of column 6 and row 1. */
  mark: { left: 1536, top: 256, right: 1792, bottom: 512 },
  /** For each level, how many pixels of the largest level one of its pixels spans, per side. */
  factors: [1, 2, 8],
} as const;

/** Returns the color at a place of the largest level, in pixels from its top left corner. */
export const slideColorAt = (x: number, y: number): Color => {
  const { mark } = slideTruth;
  if (x >= mark.left && x < mark.right && y >= mark.top && y < mark.bottom) return slideColors.mark;
  if (((x - 800) / 620) ** 2 + ((y - 760) / 480) ** 2 > 1) return slideColors.glass;
  const isGland = Math.hypot((x % 160) - 80, (y % 120) - 60) < 36;
  return isGland ? slideColors.gland : slideColors.tissue;
};

export type SlideOptions = Omit<StudyOptions, 'slices' | 'size'> & {
  /** Places of tiles: by their order, or by a functional group of each frame (PS3.3 §C.7.6.17.3). */
  organization?: 'TILED_FULL' | 'TILED_SPARSE';
  /** Default: baseline JPEG. */
  isCompressed?: boolean;
  /** Divisors of the levels to write. Default: all three. */
  factors?: readonly number[];
  /** Whether to write a label and an overview. */
  hasLabel?: boolean;
};

type Picture = { columns: number; rows: number; colorAt: (x: number, y: number) => Color };

const tileOf = (picture: Picture, left: number, top: number, side: { columns: number; rows: number }): Buffer => {
  const pixels = Buffer.alloc(side.columns * side.rows * 3);
  for (let y = 0; y < side.rows; y += 1) {
    for (let x = 0; x < side.columns; x += 1) {
      const isInside = left + x < picture.columns && top + y < picture.rows;
      const color = isInside ? picture.colorAt(left + x, top + y) : slideColors.padding;
      pixels.set(color, 3 * (y * side.columns + x));
    }
  }
  return pixels;
};

/**
 * Slide in three levels of tiles (PS3.3 §A.32.8), with a label and an overview. Tiles at the right and lower edge are
 * padded. A sparse slide leaves out the tiles that show only glass.
 */
export function* slidePyramid(options: SlideOptions): Generator<PhantomFile> {
  const { organization = 'TILED_FULL', isCompressed = true, factors = slideTruth.factors, hasLabel = true } = options;
  let number = 0;
  for (const factor of factors) {
    number += 1;
    const level: Picture = {
      columns: slideTruth.columns / factor,
      rows: slideTruth.rows / factor,
      colorAt: (x, y) => slideColorAt((x + 0.5) * factor, (y + 0.5) * factor),
    };
    const shape = { level, number, tile: slideTruth.tile, kind: 'VOLUME', spacing: spacingOf(factor) } as const;
    yield slideFile(options, { ...shape, isSparse: organization === 'TILED_SPARSE' }, isCompressed);
  }
  if (!hasLabel) return;
  const pictures = {
    LABEL: { columns: 200, rows: 200, colorAt: labelColorAt },
    OVERVIEW: { columns: 300, rows: 120, colorAt: overviewColorAt },
  };
  for (const [kind, level] of Object.entries(pictures)) {
    number += 1;
    yield slideFile(options, { level, number, tile: undefined, kind, spacing: 0.2, isSparse: false }, isCompressed);
  }
}

/** Spacing in millimeters. */
const spacingOf = (factor: number): number => (slideTruth.micrometersPerPixel * factor) / 1000;

const labelColorAt = (x: number, y: number): Color =>
  y > 40 && y < 160 && x > 30 && x < 170 && Math.floor(x / 10) % 3 === 0 ? [30, 30, 30] : [240, 220, 90];

const overviewColorAt = (x: number, y: number): Color =>
  x < 90 ? [240, 220, 90] : slideColorAt(((x - 90) * slideTruth.columns) / 210, (y * slideTruth.rows) / 120);

type Shape = {
  level: Picture;
  number: number;
  /** Side of a tile. Undefined: one frame with the whole picture. */
  tile: number | undefined;
  kind: string;
  spacing: number;
  isSparse: boolean;
};

const slideFile = (options: SlideOptions, shape: Shape, isCompressed: boolean): PhantomFile => {
  const { level, number, tile, kind } = shape;
  const side = { columns: tile ?? level.columns, rows: tile ?? level.rows };
  const places: { left: number; top: number; pixels: Buffer }[] = [];
  for (let top = 0; top < level.rows; top += side.rows) {
    for (let left = 0; left < level.columns; left += side.columns) {
      const pixels = tileOf(level, left, top, side);
      if (!shape.isSparse || !isGlass(pixels)) places.push({ left, top, pixels });
    }
  }
  const frames = places.map(({ pixels }) => (isCompressed ? jpegOf(pixels, side.columns, side.rows) : pixels));
  const bytes = writePart10({
    transferSyntaxUID: isCompressed ? jpegBaseline : explicitLittleEndian,
    dataset: {
      ...studyElements(options, scanning),
      ...instanceElements(options, series, wholeSlideStorage, number),
      ...matrixElements(options, shape),
      ...pixelElements(side, frames, isCompressed),
      ImageType: [kind === 'VOLUME' && number === 1 ? 'ORIGINAL' : 'DERIVED', 'PRIMARY', kind, 'NONE'],
      SpecimenLabelInImage: kind === 'VOLUME' ? 'NO' : 'YES',
      ...(shape.isSparse && { PerFrameFunctionalGroupsSequence: places.map((place) => frameGroups(place, shape)) }),
    },
    pixelData: isCompressed ? frames : Buffer.concat(frames),
  });
  return { name: fileName('SM', number), bytes };
};

/** Whether a tile shows nothing but glass and padding. */
const isGlass = (pixels: Buffer): boolean => {
  for (let at = 0; at < pixels.length; at += 3) {
    const green = pixels[at + 1];
    if (green !== slideColors.glass[1] && green !== slideColors.padding[1]) return false;
  }
  return true;
};

const matrixElements = (options: StudyOptions, { level, spacing, isSparse, tile }: Shape): Elements => ({
  FrameOfReferenceUID: uidOf(options, 'SM', 'frame of reference'),
  PositionReferenceIndicator: 'SLIDE_CORNER',
  AcquisitionDateTime: `${options.studyDate}100000`,
  AcquisitionDuration: 30,
  BurnedInAnnotation: 'NO',
  ContainerIdentifier: options.accessionNumber,
  VolumetricProperties: 'VOLUME',
  ImagedVolumeWidth: level.columns * spacing,
  ImagedVolumeHeight: level.rows * spacing,
  ImagedVolumeDepth: 0.001,
  TotalPixelMatrixColumns: level.columns,
  TotalPixelMatrixRows: level.rows,
  TotalPixelMatrixFocalPlanes: 1,
  TotalPixelMatrixOriginSequence: [{ XOffsetInSlideCoordinateSystem: 20, YOffsetInSlideCoordinateSystem: 40 }],
  FocusMethod: 'AUTO',
  ExtendedDepthOfField: 'NO',
  ImageOrientationSlide: [0, -1, 0, -1, 0, 0],
  ...(tile !== undefined && { DimensionOrganizationType: isSparse ? 'TILED_SPARSE' : 'TILED_FULL' }),
  NumberOfOpticalPaths: 1,
  OpticalPathSequence: [
    {
      OpticalPathIdentifier: '1',
      OpticalPathDescription: 'Brightfield',
      ObjectiveLensPower: slideTruth.objectivePower,
    },
  ],
  SharedFunctionalGroupsSequence: [
    {
      PixelMeasuresSequence: [{ PixelSpacing: [spacing, spacing], SliceThickness: 0.001 }],
      OpticalPathIdentificationSequence: [{ OpticalPathIdentifier: '1' }],
    },
  ],
});

const pixelElements = (
  { columns, rows }: { columns: number; rows: number },
  frames: readonly Buffer[],
  isCompressed: boolean,
): Elements => ({
  SamplesPerPixel: 3,
  PhotometricInterpretation: isCompressed ? 'YBR_FULL_422' : 'RGB',
  PlanarConfiguration: 0,
  NumberOfFrames: frames.length,
  Rows: rows,
  Columns: columns,
  BitsAllocated: 8,
  BitsStored: 8,
  HighBit: 7,
  PixelRepresentation: 0,
  LossyImageCompression: isCompressed ? '01' : '00',
  ...(isCompressed && { LossyImageCompressionMethod: 'ISO_10918_1', LossyImageCompressionRatio: 10 }),
});

/** The place of a tile, from 1 (PS3.3 §C.8.12.6.1). */
const frameGroups = ({ left, top }: { left: number; top: number }, { spacing }: Pick<Shape, 'spacing'>): Elements => ({
  FrameContentSequence: [{ DimensionIndexValues: [top + 1, left + 1] }],
  PlanePositionSlideSequence: [
    {
      ColumnPositionInTotalImagePixelMatrix: left + 1,
      RowPositionInTotalImagePixelMatrix: top + 1,
      XOffsetInSlideCoordinateSystem: Number((20 - top * spacing).toFixed(6)),
      YOffsetInSlideCoordinateSystem: Number((40 - left * spacing).toFixed(6)),
      ZOffsetInSlideCoordinateSystem: 0,
    },
  ],
});
