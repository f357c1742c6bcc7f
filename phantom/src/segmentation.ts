import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestSpheres, type KnownSphere } from './chest.ts';
import { chestCt, chestDose, ctImageStorage, ctPlanes } from './ct.ts';
import { between, pixelOf, planeAround, plus, pointOf, type Plane, type Point } from './geometry.ts';
import { explicitLittleEndian, instanceElements, type Series } from './image-elements.ts';
import { fileName, studyElements, uidOf, type Code, type PhantomFile, type StudyOptions } from './study.ts';

const segmentationStorage = '1.2.840.10008.5.1.4.1.1.66.4';

/** The relation of markings to the CT of the same options. */
export type Marking = {
  /** Whether the markings have another frame of reference than the CT. Their place on the CT is then unknown. */
  isStray?: boolean;
};

export const sphereNamed = (name: string): KnownSphere => {
  const match = chestSpheres.find((sphere) => sphere.name === name);
  if (!match) throw new RangeError(`The phantom has no ${name}`);
  return match;
};

/**
 * Returns the series number of markings on a CT. Markings in another frame of reference (`isStray`) have their own
 * series.
 */
export const seriesNumber = (number: number, { isStray }: Marking): number => (isStray ? number + 10 : number);

export const frameOfReference = (options: StudyOptions, { isStray }: Marking): string =>
  uidOf(options, 'CT', isStray ? 'another frame of reference' : 'frame of reference');

/** A reference to one image, counted from 0, of the CT made with the same options. */
export const referenceTo = (options: StudyOptions, index: number): Elements => ({
  ReferencedSOPClassUID: ctImageStorage,
  ReferencedSOPInstanceUID: uidOf(options, 'CT', 1, index + 1),
});

/** The spheres of a binary segmentation with their colors: sRGB, and CIELab as in DICOM (PS3.3 §C.10.7.1.1). */
export const binarySegments = [
  { name: 'nodule in the right upper lobe', colour: [255, 0, 0], lab: [35_580, 53_665, 50_856] },
  { name: 'liver cyst', colour: [0, 0, 255], lab: [19_377, 50_449, 4104] },
] as const;

/**
 * The sphere of a fractional segmentation. Its probability changes between 0 and 1 over `softness` mm across its
 * surface.
 */
export const fractionalSegment = { name: 'left hilar node', softness: 8, maximum: 200 } as const;

/** The grid of a fractional segmentation: larger pixels than the CT, columns from left to right, planes 4 mm apart. */
export const fractionalPlanes = (): Plane[] => {
  const { centre } = sphereNamed(fractionalSegment.name);
  return [-8, -4, 0, 4, 8].map((height) =>
    planeAround(
      plus(centre, [9, -4, height]),
      { along: [-1, 0, 0], down: [0, 1, 0] },
      { rows: 23, columns: 31, pixelSpacing: 2.5 },
    ),
  );
};

const distanceTo = ({ centre }: KnownSphere, point: Point): number => Math.hypot(...between(centre, point));

const probability = (sphere: KnownSphere, point: Point): number =>
  Math.min(1, Math.max(0, 0.5 + (sphere.radius - distanceTo(sphere, point)) / fractionalSegment.softness));

/** The value of each pixel of a plane, row by row. */
const pixelsOf = (plane: Plane, valueAt: (point: Point) => number): number[] =>
  Array.from({ length: plane.rows * plane.columns }, (_, at) =>
    valueAt(pointOf(Math.floor(at / plane.columns), at % plane.columns, plane)),
  );

/** Packs bits without gaps, the first pixel in the lowest bit. Frames may begin within bytes (PS3.5 §8.1.1). */
const packed = (bits: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) if (bit) bytes[at >> 3] = (bytes[at >> 3] ?? 0) | (1 << (at & 7));
  return bytes;
};

type Frame = { segment: number; plane: Plane; source?: Elements; pixels: readonly number[] };

/**
 * Two spheres of the CT of `ctVolume`, marked in its pixels (BINARY). There is a frame for each sphere and each image
 * that it reaches. With an odd number of rows the frames begin within bytes.
 */
export const binarySegmentation = (options: StudyOptions, marking: Marking = {}): PhantomFile => {
  const frames = binarySegments.flatMap(({ name }, segment) => {
    const sphere = sphereNamed(name);
    return ctPlanes(options).flatMap((plane, image): Frame[] => {
      if (Math.abs(pixelOf(sphere.centre, plane).distance) > sphere.radius) return [];
      const pixels = pixelsOf(plane, (point) => (distanceTo(sphere, point) <= sphere.radius ? 1 : 0));
      return [{ segment: segment + 1, plane, source: referenceTo(options, image), pixels }];
    });
  });
  return segmentationFile(options, marking, {
    series: { number: seriesNumber(20, marking), description: 'Balls' },
    spacing: chestDose.scanLength / ctPlanes(options).length,
    frames,
    segments: binarySegments.map(({ name, lab }, index) => segmentElements(index + 1, name, lab)),
    elements: {
      SegmentationType: 'BINARY',
      BitsAllocated: 1,
      BitsStored: 1,
      HighBit: 0,
    },
    pixelData: packed(frames.flatMap(({ pixels }) => pixels)),
  });
};

/** The probability of a third sphere (FRACTIONAL), on its own grid and without references to images. */
export const fractionalSegmentation = (options: StudyOptions, marking: Marking = {}): PhantomFile => {
  const { name, maximum } = fractionalSegment;
  const sphere = sphereNamed(name);
  const frames = fractionalPlanes().map((plane): Frame => ({
    segment: 1,
    plane,
    pixels: pixelsOf(plane, (point) => Math.round(maximum * probability(sphere, point))),
  }));
  return segmentationFile(options, marking, {
    series: { number: seriesNumber(21, marking), description: 'Probability of a ball' },
    spacing: 4,
    frames,
    segments: [segmentElements(1, name, undefined)],
    elements: {
      SegmentationType: 'FRACTIONAL',
      SegmentationFractionalType: 'PROBABILITY',
      MaximumFractionalValue: maximum,
      BitsAllocated: 8,
      BitsStored: 8,
      HighBit: 7,
    },
    pixelData: Buffer.from(frames.flatMap(({ pixels }) => pixels)),
  });
};

const code = (CodeValue: string, CodeMeaning: string): Code => ({
  CodeValue,
  CodingSchemeDesignator: 'SCT',
  CodeMeaning,
});

/** A segment (PS3.3 §C.8.20.4). */
const segmentElements = (number: number, label: string, lab: readonly number[] | undefined): Elements => ({
  SegmentNumber: number,
  SegmentLabel: label,
  SegmentAlgorithmType: 'AUTOMATIC',
  SegmentAlgorithmName: 'Known geometry',
  SegmentedPropertyCategoryCodeSequence: [code('49755003', 'Morphologically Abnormal Structure')],
  SegmentedPropertyTypeCodeSequence: [code('4147007', 'Mass')],
  ...(lab && { RecommendedDisplayCIELabValue: lab }),
});

type Content = {
  series: Pick<Series, 'number' | 'description'>;
  /** Millimeters between frames. */
  spacing: number;
  frames: readonly Frame[];
  segments: readonly Elements[];
  elements: Elements;
  pixelData: Buffer;
};

/** A segmentation file with the attributes of a derived object (PS3.3 §C.7.5.2, C.8.20.2, C.8.20.3). */
const segmentationFile = (options: StudyOptions, marking: Marking, content: Content): PhantomFile => {
  const { frames, segments, elements, pixelData } = content;
  const series: Series = { modality: 'SEG', bodyPart: 'CHEST', start: 900, ...content.series };
  const [first] = frames;
  if (!first) throw new RangeError('The CT has too few slices for a segmentation');
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, chestCt),
      ...instanceElements(options, series, segmentationStorage, 1),
      BodyPartExamined: undefined,
      AcquisitionDate: undefined,
      AcquisitionTime: undefined,
      AcquisitionNumber: undefined,
      ImageType: ['DERIVED', 'PRIMARY'],
      ContentLabel: 'SEGMENTATION',
      ContentDescription: series.description,
      ContentCreatorName: 'Haddad^Samir^^Dr',
      FrameOfReferenceUID: frameOfReference(options, marking),
      PositionReferenceIndicator: '',
      LossyImageCompression: '00',
      SamplesPerPixel: 1,
      PhotometricInterpretation: 'MONOCHROME2',
      PixelRepresentation: 0,
      Rows: first.plane.rows,
      Columns: first.plane.columns,
      NumberOfFrames: frames.length,
      ...elements,
      SegmentSequence: segments,
      ...dimensionElements(uidOf(options, 'SEG', series.number, 'dimensions')),
      ...groupElements(first.plane, content.spacing, frames),
      ...referencedSeries(options, frames),
    },
    pixelData,
  });
  return { name: fileName(series.description, 1), bytes };
};

/** Frames are distinguished by segment and position (PS3.3 §C.7.6.17). */
const dimensionElements = (organization: string): Elements => ({
  DimensionOrganizationSequence: [{ DimensionOrganizationUID: organization }],
  DimensionIndexSequence: [
    {
      DimensionOrganizationUID: organization,
      DimensionIndexPointer: '0062000B',
      FunctionalGroupPointer: '0062000A',
    },
    {
      DimensionOrganizationUID: organization,
      DimensionIndexPointer: '00200032',
      FunctionalGroupPointer: '00209113',
    },
  ],
});

/** The functional groups shared by all frames, and those of each frame (PS3.3 §C.7.6.16). */
const groupElements = (plane: Plane, spacing: number, frames: readonly Frame[]): Elements => {
  const numberOfPlace = new Map<number, number>();
  for (const frame of frames) {
    const height = frame.plane.position[2];
    if (!numberOfPlace.has(height)) numberOfPlace.set(height, numberOfPlace.size + 1);
  }
  return {
    SharedFunctionalGroupsSequence: [
      {
        PixelMeasuresSequence: [
          {
            PixelSpacing: [plane.pixelSpacing, plane.pixelSpacing],
            SliceThickness: spacing,
            SpacingBetweenSlices: spacing,
          },
        ],
        PlaneOrientationSequence: [{ ImageOrientationPatient: [...plane.along, ...plane.down] }],
      },
    ],
    PerFrameFunctionalGroupsSequence: frames.map((frame) => ({
      FrameContentSequence: [
        { DimensionIndexValues: [frame.segment, numberOfPlace.get(frame.plane.position[2]) ?? 1] },
      ],
      PlanePositionSequence: [{ ImagePositionPatient: [...frame.plane.position] }],
      SegmentIdentificationSequence: [{ ReferencedSegmentNumber: frame.segment }],
      ...(frame.source && {
        DerivationImageSequence: [
          {
            DerivationCodeSequence: [
              { CodeValue: '113076', CodingSchemeDesignator: 'DCM', CodeMeaning: 'Segmentation' },
            ],
            SourceImageSequence: [
              {
                ...frame.source,
                PurposeOfReferenceCodeSequence: [
                  {
                    CodeValue: '121322',
                    CodingSchemeDesignator: 'DCM',
                    CodeMeaning: 'Source image for image processing operation',
                  },
                ],
              },
            ],
          },
        ],
      }),
    })),
  };
};

/** All referenced images (PS3.3 §C.12.2). */
const referencedSeries = (options: StudyOptions, frames: readonly Frame[]): Elements => {
  const sources = new Map(
    frames.flatMap(({ source }) => (source ? [[source['ReferencedSOPInstanceUID'], source]] : [])),
  );
  if (sources.size === 0) return {};
  return {
    ReferencedSeriesSequence: [
      { SeriesInstanceUID: uidOf(options, 'CT', 1), ReferencedInstanceSequence: [...sources.values()] },
    ],
  };
};
