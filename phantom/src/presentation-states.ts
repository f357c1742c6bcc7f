import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestCt, rescaleIntercept } from './ct.ts';
import { sphereOnImage, referenceTo } from './documents.ts';
import { explicitLittleEndian, instanceElements } from './image-elements.ts';
import { fileName, studyElements, uidOf, type PhantomFile, type StudyOptions } from './study.ts';

const grayscaleSoftcopyState = '1.2.840.10008.5.1.4.1.1.11.1';

type Window = { center: number; width: number };

/** Output values of a lookup table, 0 to 65535. The first is for the input value `first` (PS3.3 §C.11.2.1.1). */
type Table = { first: number; entries: readonly number[] };

/** Spreads dark values and compresses bright values. The table is long enough to be bulk data outside the header. */
const bentTable: Table = {
  first: 0,
  entries: Array.from({ length: 800 }, (_, at) => Math.round(65_535 * Math.sqrt(at / 799))),
};
type Corner = readonly [column: number, row: number];

/** The content of a state. Pixels are in graphic units (PS3.3 §C.10.5): the first pixel spans 0 to 1. */
export type KnownState = {
  label: string;
  description: string;
  image: number;
  /** A window, or a lookup table instead of it. */
  window: Window;
  table?: Table;
  shape: 'IDENTITY' | 'INVERSE';
  rotation: 0 | 90 | 180 | 270;
  isFlipped: boolean;
  /** The first and the last visible pixel as shown on the screen, from 1 (PS3.3 §C.10.4). */
  area: readonly [Corner, Corner];
  /** Center and radius of a circle, in pixels. */
  circle: { column: number; row: number; radius: number };
  /** The last visible columns and rows of a rectangular shutter, from 1. */
  shutter?: { left: number; right: number; upper: number; lower: number };
};

/**
 * Three presentations of images from the study of `ctVolume`. The first is rotated by 90 degrees and then mirrored, so
 * columns run down and rows across, and it shows a part. The second is inverted and has a shutter. The third uses a
 * lookup table.
 */
export const knownStates = (
  options: Pick<StudyOptions, 'slices' | 'size'>,
): readonly [KnownState, KnownState, KnownState] => {
  const { size = 256 } = options;
  const granuloma = sphereOnImage('granuloma in the left lower lobe', options);
  const cyst = sphereOnImage('liver cyst', options);
  const about = ({ column, row, radius }: ReturnType<typeof sphereOnImage>) => ({
    column: column + 0.5,
    row: row + 0.5,
    radius: radius * 1.5,
  });
  return [
    {
      label: 'LUNG',
      description: 'Granuloma, lung window',
      image: granuloma.image,
      window: { center: -600, width: 1500 },
      shape: 'IDENTITY',
      rotation: 90,
      isFlipped: true,
      area: [
        [size / 4 + 1, size / 8 + 1],
        [size, size],
      ],
      circle: about(granuloma),
    },
    {
      label: 'INVERSE',
      description: 'Cyst, inverted',
      image: cyst.image,
      window: { center: 60, width: 200 },
      shape: 'INVERSE',
      rotation: 0,
      isFlipped: false,
      area: [
        [1, 1],
        [size, size],
      ],
      circle: about(cyst),
      shutter: { left: size / 8, right: size - size / 4, upper: size / 8, lower: size - size / 8 },
    },
    {
      label: 'TABLE',
      description: 'Cyst, through a table',
      image: cyst.image,
      window: { center: 400, width: 800 },
      table: bentTable,
      shape: 'IDENTITY',
      rotation: 0,
      isFlipped: false,
      area: [
        [1, 1],
        [size, size],
      ],
      circle: about(cyst),
    },
  ];
};

/** The states as Grayscale Softcopy Presentation States (PS3.3 §A.33.1), in their own series. */
export function* presentationStates(options: StudyOptions): Generator<PhantomFile> {
  for (const [index, state] of knownStates(options).entries()) {
    const series = { modality: 'PR', number: 93, description: 'Presentation', bodyPart: 'CHEST', start: 1000 };
    const bytes = writePart10({
      transferSyntaxUID: explicitLittleEndian,
      dataset: {
        ...studyElements(options, chestCt),
        ...instanceElements(options, series, grayscaleSoftcopyState, index + 1),
        AcquisitionDate: undefined,
        AcquisitionTime: undefined,
        AcquisitionNumber: undefined,
        ...stateElements(options, state),
      },
    });
    yield { name: fileName('PR', index + 1), bytes };
  }
}

const stateElements = (options: StudyOptions, state: KnownState): Elements => ({
  ContentLabel: state.label,
  ContentDescription: state.description,
  PresentationCreationDate: options.studyDate,
  PresentationCreationTime: '120000',
  ContentCreatorName: 'Okafor^Ngozi^^Dr',
  ReferencedSeriesSequence: [
    { SeriesInstanceUID: uidOf(options, 'CT', 1), ReferencedImageSequence: [referenceTo(options, state.image)] },
  ],
  DisplayedAreaSelectionSequence: [
    {
      DisplayedAreaTopLeftHandCorner: state.area[0],
      DisplayedAreaBottomRightHandCorner: state.area[1],
      PresentationSizeMode: 'SCALE TO FIT',
      PresentationPixelSpacing: [400 / (options.size ?? 256), 400 / (options.size ?? 256)],
    },
  ],
  ImageHorizontalFlip: state.isFlipped ? 'Y' : 'N',
  ImageRotation: state.rotation,
  GraphicLayerSequence: [{ GraphicLayer: 'FINDINGS', GraphicLayerOrder: 1 }],
  GraphicAnnotationSequence: [annotation(options, state)],
  RescaleIntercept: rescaleIntercept,
  RescaleSlope: 1,
  RescaleType: 'HU',
  SoftcopyVOILUTSequence: [voiElements(state)],
  PresentationLUTShape: state.shape,
  ...(state.shutter && {
    ShutterShape: 'RECTANGULAR',
    ShutterLeftVerticalEdge: state.shutter.left,
    ShutterRightVerticalEdge: state.shutter.right,
    ShutterUpperHorizontalEdge: state.shutter.upper,
    ShutterLowerHorizontalEdge: state.shutter.lower,
    ShutterPresentationValue: 0,
  }),
});

const voiElements = ({ window, table }: KnownState): Elements => {
  if (!table) return { WindowCenter: window.center, WindowWidth: window.width };
  const { first, entries } = table;
  return {
    VOILUTSequence: [
      { LUTDescriptor: [entries.length, first, 16], LUTData: Buffer.from(Uint16Array.from(entries).buffer) },
    ],
  };
};

const annotation = (options: StudyOptions, { image, circle, label }: KnownState): Elements => ({
  ReferencedImageSequence: [referenceTo(options, image)],
  GraphicLayer: 'FINDINGS',
  GraphicObjectSequence: [
    {
      GraphicAnnotationUnits: 'PIXEL',
      GraphicDimensions: 2,
      NumberOfGraphicPoints: 2,
      GraphicData: [circle.column, circle.row, circle.column + circle.radius, circle.row],
      GraphicType: 'CIRCLE',
      GraphicFilled: 'N',
    },
  ],
  TextObjectSequence: [
    {
      AnchorPointAnnotationUnits: 'PIXEL',
      AnchorPoint: [circle.column, circle.row],
      AnchorPointVisibility: 'Y',
      UnformattedTextValue: `Seen in ${label}`,
    },
    {
      BoundingBoxAnnotationUnits: 'DISPLAY',
      BoundingBoxTopLeftHandCorner: [0.05, 0.9],
      BoundingBoxBottomRightHandCorner: [0.6, 0.96],
      BoundingBoxTextHorizontalJustification: 'LEFT',
      UnformattedTextValue: 'Kept by the phantom',
    },
  ],
});
