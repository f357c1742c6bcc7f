import { writePart10, type Elements } from '@radwork/dicom/part10';
import { heartbeat } from './heart.ts';
import { instanceElements, type Series } from './image-elements.ts';
import { jpegOf } from './jpeg.ts';
import { fileName, studyElements, type PhantomFile, type Procedure, type StudyOptions } from './study.ts';
import { columns, dopplerRegion, rows, tissueRegion, ultrasoundPictures } from './ultrasound-picture.ts';

const ultrasoundMultiframeStorage = '1.2.840.10008.5.1.4.1.1.3.1';
const jpegBaseline = '1.2.840.10008.1.2.4.50';

const echocardiography: Procedure = {
  modality: 'US',
  code: { CodeValue: '34552-0', CodingSchemeDesignator: 'LN', CodeMeaning: 'US Heart 2D' },
  bodyPart: 'HEART',
  room: 'Echo 3',
  manufacturer: 'Radwork',
  model: 'Phantom Echo',
  stationName: 'US3',
};
const series: Series = { modality: 'US', number: 1, description: 'Apical four chambers', bodyPart: 'HEART', start: 60 };

/** `stages` of stress echo: one cine for each name. */
export type UltrasoundOptions = Omit<StudyOptions, 'size'> & { stages?: readonly string[] };

/**
 * One beat of a heart in color, from its apex, above a Doppler strip: 30 frames (`slices`) of 640 x 480. Throws
 * RangeError for a number of frames that is not whole.
 */
export function* ultrasoundCine({ stages = [''], ...options }: UltrasoundOptions): Generator<PhantomFile> {
  const { slices: frames = 30, seed } = options;
  if (!Number.isInteger(frames) || frames < 1) throw new RangeError(`Invalid number of frames: ${frames}`);
  const compressed = ultrasoundPictures(frames, seed).map((picture) => jpegOf(picture, columns, rows));
  for (const [index, stage] of stages.entries()) {
    const number = index + 1;
    const bytes = writePart10({
      transferSyntaxUID: jpegBaseline,
      dataset: {
        ...studyElements(options, echocardiography),
        ...instanceElements(options, series, ultrasoundMultiframeStorage, number),
        ...pictureElements(compressed),
        ...cineElements(frames),
        ...(stage && { StageName: stage, StageNumber: number, ViewName: 'A4C' }),
        SequenceOfUltrasoundRegions: [tissueElements, dopplerElements],
      },
      pixelData: compressed,
    });
    yield { name: fileName('US', number), bytes };
  }
}

const pictureElements = (compressed: readonly Buffer[]): Elements => {
  const compressedSize = compressed.reduce((sum, { length }) => sum + length, 0);
  return {
    ImageType: ['ORIGINAL', 'PRIMARY'],
    PatientOrientation: [],
    SamplesPerPixel: 3,
    PhotometricInterpretation: 'YBR_FULL_422',
    PlanarConfiguration: 0,
    Rows: rows,
    Columns: columns,
    BitsAllocated: 8,
    BitsStored: 8,
    HighBit: 7,
    PixelRepresentation: 0,
    UltrasoundColorDataPresent: 1,
    LossyImageCompression: '01',
    LossyImageCompressionMethod: 'ISO_10918_1',
    LossyImageCompressionRatio: Number(((compressed.length * rows * columns * 3) / compressedSize).toFixed(1)),
  };
};

/** The frame rate (PS3.3 §C.7.6.5, C.7.6.6). All frames together are one beat. */
const cineElements = (frames: number): Elements => ({
  NumberOfFrames: frames,
  FrameIncrementPointer: '00181063',
  FrameTime: Number(((heartbeat * 1000) / frames).toFixed(4)),
  CineRate: Math.round(frames / heartbeat),
  RecommendedDisplayFrameRate: Math.round(frames / heartbeat),
  HeartRate: 60 / heartbeat,
});

/** Units of a region: centimeters, seconds, centimeters a second (PS3.3 §C.8.5.5.1.15). */
const units = { cm: 3, seconds: 4, cmPerSecond: 7 } as const;

/** The calibrated regions (PS3.3 §C.8.5.5). A reference pixel counts from the corner of its region. */
const tissueElements: Elements = {
  RegionSpatialFormat: 1,
  RegionDataType: 1,
  RegionFlags: 0,
  RegionLocationMinX0: tissueRegion.first[0],
  RegionLocationMinY0: tissueRegion.first[1],
  RegionLocationMaxX1: tissueRegion.last[0],
  RegionLocationMaxY1: tissueRegion.last[1],
  ReferencePixelX0: tissueRegion.apex[0],
  ReferencePixelY0: tissueRegion.apex[1],
  ReferencePixelPhysicalValueX: 0,
  ReferencePixelPhysicalValueY: 0,
  PhysicalUnitsXDirection: units.cm,
  PhysicalUnitsYDirection: units.cm,
  PhysicalDeltaX: tissueRegion.mmPerPixel / 10,
  PhysicalDeltaY: tissueRegion.mmPerPixel / 10,
};

const dopplerElements: Elements = {
  RegionSpatialFormat: 3,
  RegionDataType: 3,
  RegionFlags: 0,
  RegionLocationMinX0: dopplerRegion.first[0],
  RegionLocationMinY0: dopplerRegion.first[1],
  RegionLocationMaxX1: dopplerRegion.last[0],
  RegionLocationMaxY1: dopplerRegion.last[1],
  ReferencePixelX0: 0,
  ReferencePixelY0: dopplerRegion.baseline - dopplerRegion.first[1],
  ReferencePixelPhysicalValueX: 0,
  ReferencePixelPhysicalValueY: 0,
  PhysicalUnitsXDirection: units.seconds,
  PhysicalUnitsYDirection: units.cmPerSecond,
  PhysicalDeltaX: dopplerRegion.secondsPerPixel,
  PhysicalDeltaY: -dopplerRegion.velocityPerPixel,
};
