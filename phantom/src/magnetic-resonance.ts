import { writePart10, type Elements } from '@radwork/dicom/part10';
import { axial, coronal, sagittal, stackAround, type Orientation, type Plane } from './geometry.ts';
import { headScenes, type Weighting } from './head-signal.ts';
import {
  explicitLittleEndian,
  grayscaleElements,
  instanceElements,
  planeElements,
  storedPixels,
  type Series,
} from './image-elements.ts';
import { imageOf, type Scene } from './scene.ts';
import { fileName, studyElements, uidOf, type PhantomFile, type Procedure, type StudyOptions } from './study.ts';

const mrImageStorage = '1.2.840.10008.5.1.4.1.1.4';
const fieldOfView = 256;

export const headMr: Procedure = {
  modality: 'MR',
  code: { CodeValue: '24590-2', CodingSchemeDesignator: 'LN', CodeMeaning: 'MR Brain' },
  bodyPart: 'BRAIN',
  room: 'MR 2',
  manufacturer: 'Radwork',
  model: 'Phantom MR 1.5T',
  stationName: 'MR2',
};

type MrSeries = Series & {
  folder: string;
  weighting: Weighting;
  orientation: Orientation;
  /** Millimeters covered by the stack. */
  extent: number;
  window: { center: number; width: number };
  sequence: Elements;
};

export const mrSeries: readonly MrSeries[] = [
  {
    modality: 'MR',
    number: 1,
    description: 'T1 sagittal',
    bodyPart: 'BRAIN',
    start: 60,
    folder: 'MR-T1-SAGITTAL',
    weighting: 'T1',
    orientation: sagittal,
    extent: 150,
    window: { center: 750, width: 1500 },
    sequence: { ScanningSequence: 'SE', RepetitionTime: 520, EchoTime: 11, EchoTrainLength: 1 },
  },
  {
    modality: 'MR',
    number: 2,
    description: 'T2 axial',
    bodyPart: 'BRAIN',
    start: 420,
    folder: 'MR-T2-AXIAL',
    weighting: 'T2',
    orientation: axial,
    extent: 150,
    window: { center: 850, width: 1700 },
    sequence: { ScanningSequence: 'SE', RepetitionTime: 4200, EchoTime: 96, EchoTrainLength: 12 },
  },
  {
    modality: 'MR',
    number: 3,
    description: 'FLAIR coronal',
    bodyPart: 'BRAIN',
    start: 780,
    folder: 'MR-FLAIR-CORONAL',
    weighting: 'FLAIR',
    orientation: coronal,
    extent: 180,
    window: { center: 750, width: 1500 },
    sequence: {
      ScanningSequence: ['SE', 'IR'],
      RepetitionTime: 9000,
      EchoTime: 118,
      EchoTrainLength: 16,
      InversionTime: 2500,
    },
  },
];

/** The slices of one series. */
export const mrPlanes = (
  { orientation, extent }: Pick<MrSeries, 'orientation' | 'extent'>,
  { slices = 24, size = 192 }: { slices?: number; size?: number },
): Plane[] =>
  stackAround([0, -6, 4], orientation, {
    rows: size,
    columns: size,
    pixelSpacing: fieldOfView / size,
    slices,
    spacing: extent / slices,
  });

/** A brain MR of three series in one frame of reference: T1 sagittal, T2 axial and FLAIR coronal. */
export function* magneticResonance(options: StudyOptions): Generator<PhantomFile> {
  const scenes = headScenes();
  for (const series of mrSeries) yield* mrImages(options, series, scenes[series.weighting]);
}

function* mrImages(options: StudyOptions, series: MrSeries, scene: Scene): Generator<PhantomFile> {
  const study = studyElements(options, headMr);
  const planes = mrPlanes(series, options);
  for (const [index, plane] of planes.entries()) {
    const number = index + 1;
    const image = imageOf(scene, plane, { floor: 14, share: 0.03 }, `${options.seed} ${series.folder} ${number}`);
    const bytes = writePart10({
      transferSyntaxUID: explicitLittleEndian,
      dataset: {
        ...study,
        ...instanceElements(options, series, mrImageStorage, number),
        ...planeElements(plane, uidOf(options, 'MR', 'frame of reference'), series.extent / planes.length),
        ...grayscaleElements(plane, 12),
        ...mrElements,
        ...series.sequence,
        WindowCenter: series.window.center,
        WindowWidth: series.window.width,
      },
      pixelData: storedPixels(image, 12, (signal) => signal),
    });
    yield { name: fileName(series.folder, number), bytes };
  }
}

/** Acquisition attributes of all series (PS3.3 §C.8.3.1). */
const mrElements: Elements = {
  ImageType: ['ORIGINAL', 'PRIMARY', 'OTHER'],
  PatientPosition: 'HFS',
  ProtocolName: 'Brain',
  SequenceVariant: 'SK',
  ScanOptions: '',
  MRAcquisitionType: '2D',
  MagneticFieldStrength: 1.5,
  FlipAngle: 90,
};
