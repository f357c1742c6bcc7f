import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestInSuv } from './chest.ts';
import { ctPlanes, ctSeries } from './ct.ts';
import { axial, stackAround, type Plane } from './geometry.ts';
import {
  explicitLittleEndian,
  grayscaleElements,
  instanceElements,
  planeElements,
  storedPixels,
  type Series,
} from './image-elements.ts';
import { imageOf } from './scene.ts';
import {
  fileName,
  studyElements,
  timeAfter,
  uidOf,
  type Code,
  type PhantomFile,
  type Procedure,
  type StudyOptions,
} from './study.ts';

const petImageStorage = '1.2.840.10008.5.1.4.1.1.128';
const sliceSpacing = 4;

/** The injection: dose in Bq, half-life and waiting time in seconds, weight in kg. */
export const tracer = { dose: 331_000_000, halfLife: 6586.2, wait: 3600, weight: 74.5 } as const;

/** The activity of SUV 1 in Bq/ml: the dose remaining at the start of the scan, divided by the patient's weight. */
export const activityOfSuv1 = (tracer.dose * 0.5 ** (tracer.wait / tracer.halfLife)) / (tracer.weight * 1000);

const wholePetCt: Procedure = {
  modality: 'PT',
  code: { CodeValue: '44136-0', CodingSchemeDesignator: 'LN', CodeMeaning: 'PET/CT FDG' },
  bodyPart: 'CHEST',
  room: 'PET 1',
  manufacturer: 'Radwork',
  model: 'Phantom PET/CT',
  stationName: 'PET1',
};

const petSeries: Series = { modality: 'PT', number: 2, description: 'PET AC', bodyPart: 'CHEST', start: 600 };
const body: Elements = { PatientWeight: tracer.weight, PatientSize: 1.71 };

/**
 * The slices of the PET from the feet up, 4 mm apart. Its pixels are larger than those of the CT, and its center
 * differs.
 */
export const petPlanes = ({ size = 96 }: { size?: number } = {}): Plane[] =>
  stackAround([6, -4, 2], axial, {
    rows: size,
    columns: size,
    pixelSpacing: 480 / size,
    slices: 58,
    spacing: sliceSpacing,
  });

/**
 * A chest PET with FDG and its CT, in one frame of reference on different grids. `slices` and `size` apply to the CT.
 */
export function* petCt(options: StudyOptions): Generator<PhantomFile> {
  const frameOfReferenceUID = uidOf(options, 'PT', 'frame of reference');
  yield* ctSeries(options, wholePetCt, {
    modality: 'CT',
    number: 1,
    description: 'CT low dose',
    bodyPart: 'CHEST',
    start: 300,
    planes: ctPlanes({ slices: 60, ...options }),
    frameOfReferenceUID,
    noise: 30,
    elements: { ...body, XRayTubeCurrent: 60, CTDIvol: 2.4 },
  });
  const planes = petPlanes();
  for (const [index, plane] of planes.entries()) {
    yield petImage(options, plane, { number: index + 1, of: planes.length, frameOfReferenceUID });
  }
}

const petImage = (
  options: StudyOptions,
  plane: Plane,
  { number, of, frameOfReferenceUID }: { number: number; of: number; frameOfReferenceUID: string },
): PhantomFile => {
  const image = imageOf(chestInSuv, plane, { floor: 0.02, share: 0.12 }, `${options.seed} PT ${number}`);
  const highest = image.reduce((most, suv) => Math.max(most, suv), 1);
  const slope = Number(((highest * activityOfSuv1) / 65_535).toPrecision(10));
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, wholePetCt),
      ...body,
      ...instanceElements(options, petSeries, petImageStorage, number),
      ...planeElements(plane, frameOfReferenceUID, sliceSpacing),
      SpacingBetweenSlices: undefined,
      ...grayscaleElements(plane, 16),
      ...petElements(of),
      ...tracerElements(options),
      ImageIndex: number,
      RescaleIntercept: 0,
      RescaleSlope: slope,
      WindowCenter: Math.round(activityOfSuv1 * 3.5),
      WindowWidth: Math.round(activityOfSuv1 * 7),
    },
    pixelData: storedPixels(image, 16, (suv) => (suv * activityOfSuv1) / slope),
  });
  return { name: fileName('PT', number), bytes };
};

/** Units, counts and corrections (PS3.3 §C.8.9.1, C.8.9.4). */
const petElements = (numberOfSlices: number): Elements => ({
  ImageType: ['ORIGINAL', 'PRIMARY'],
  SeriesType: ['STATIC', 'IMAGE'],
  Units: 'BQML',
  CountsSource: 'EMISSION',
  NumberOfSlices: numberOfSlices,
  DecayCorrection: 'START',
  CorrectedImage: ['DECY', 'ATTN', 'SCAT', 'DTIM', 'RAN', 'NORM'],
  AttenuationCorrectionMethod: 'CT',
  RandomsCorrectionMethod: 'DLYD',
  ScatterCorrectionMethod: 'Model based',
  ReconstructionMethod: 'OSEM',
  CollimatorType: 'NONE',
  FrameReferenceTime: 0,
  ActualFrameDuration: 180_000,
  DecayFactor: 1,
});

const snomed = (CodeValue: string, CodeMeaning: string): Code => ({
  CodeValue,
  CodingSchemeDesignator: 'SCT',
  CodeMeaning,
});

/** The injection and the patient's position (PS3.3 §C.8.9.2, C.8.4.6), from which the SUV is computed. */
const tracerElements = (options: StudyOptions): Elements => {
  const injected = timeAfter(options, petSeries.start - tracer.wait);
  return {
    RadiopharmaceuticalInformationSequence: [
      {
        Radiopharmaceutical: 'Fluorodeoxyglucose',
        RadiopharmaceuticalStartTime: injected,
        RadiopharmaceuticalStartDateTime: `${options.studyDate}${injected}`,
        RadionuclideTotalDose: tracer.dose,
        RadionuclideHalfLife: tracer.halfLife,
        RadionuclidePositronFraction: 0.967,
        RadionuclideCodeSequence: [snomed('77004003', '^18^Fluorine')],
        RadiopharmaceuticalCodeSequence: [snomed('35321007', 'Fluorodeoxyglucose F^18^')],
      },
    ],
    PatientOrientationCodeSequence: [
      {
        ...snomed('102538003', 'recumbent'),
        PatientOrientationModifierCodeSequence: [snomed('40199007', 'supine')],
      },
    ],
    PatientGantryRelationshipCodeSequence: [snomed('102540008', 'headfirst')],
  };
};
