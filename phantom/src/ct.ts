import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestInHounsfield } from './chest.ts';
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
import { fileName, studyElements, uidOf, type PhantomFile, type Procedure, type StudyOptions } from './study.ts';

export const ctImageStorage = '1.2.840.10008.5.1.4.1.1.2';
export const rescaleIntercept = -1024;

/** Dose of one chest scan: CTDIvol in mGy, scan length in mm. */
export const chestDose = { ctdiVol: 7.2, scanLength: 240 } as const;

export const chestCt: Procedure = {
  modality: 'CT',
  code: { CodeValue: '24627-2', CodingSchemeDesignator: 'LN', CodeMeaning: 'CT Chest' },
  bodyPart: 'CHEST',
  room: 'CT 1',
  manufacturer: 'Radwork',
  model: 'Phantom CT 64',
  stationName: 'CT1',
};

export type CtSeries = Series & {
  planes: readonly Plane[];
  frameOfReferenceUID: string;
  /** Standard deviation of the noise in HU. */
  noise: number;
  elements?: Elements;
};

/**
 * The slices of a chest CT from the head down. They cover 240 mm of the body and 400 mm in width, for any number of
 * slices and pixels.
 */
export const ctPlanes = ({ slices = 40, size = 256 }: { slices?: number; size?: number }): Plane[] =>
  stackAround([0, 0, 0], axial, {
    rows: size,
    columns: size,
    pixelSpacing: 400 / size,
    slices,
    spacing: -chestDose.scanLength / slices,
  });

/** A chest CT with contrast medium, supine, head first. Defaults to 40 slices of 256 x 256. */
export function* ctVolume(options: StudyOptions, elements: Elements = {}): Generator<PhantomFile> {
  yield* ctSeries(options, chestCt, {
    modality: 'CT',
    number: 1,
    description: 'Chest with contrast',
    bodyPart: 'CHEST',
    start: 120,
    planes: ctPlanes(options),
    frameOfReferenceUID: uidOf(options, 'CT', 'frame of reference'),
    noise: 16,
    elements,
  });
}

/** One series of chest CT images in the study of a procedure. */
export function* ctSeries(options: StudyOptions, procedure: Procedure, series: CtSeries): Generator<PhantomFile> {
  const study = studyElements(options, procedure);
  for (const [index, plane] of series.planes.entries()) {
    const number = index + 1;
    const seed = `${options.seed} CT ${number}`;
    const image = imageOf(chestInHounsfield, plane, { floor: series.noise, share: 0 }, seed);
    const bytes = writePart10({
      transferSyntaxUID: explicitLittleEndian,
      dataset: {
        ...study,
        ...instanceElements(options, series, ctImageStorage, number),
        ...planeElements(plane, series.frameOfReferenceUID, chestDose.scanLength / series.planes.length),
        ...grayscaleElements(plane, 12),
        ...ctElements,
        ...series.elements,
      },
      pixelData: storedPixels(image, 12, (hounsfield) => hounsfield - rescaleIntercept),
    });
    yield { name: fileName('CT', number), bytes };
  }
}

/** Acquisition, display and dose of the images (PS3.3 §C.8.2.1). */
const ctElements: Elements = {
  ImageType: ['ORIGINAL', 'PRIMARY', 'AXIAL'],
  PatientPosition: 'HFS',
  ProtocolName: 'Chest',
  KVP: 120,
  XRayTubeCurrent: 210,
  ExposureTime: 500,
  ConvolutionKernel: 'STANDARD',
  ContrastBolusAgent: 'Iohexol 350',
  ContrastBolusRoute: 'IV',
  CTDIvol: chestDose.ctdiVol,
  CTDIPhantomTypeCodeSequence: [
    { CodeValue: '113691', CodingSchemeDesignator: 'DCM', CodeMeaning: 'IEC Body Dosimetry Phantom' },
  ],
  RescaleIntercept: rescaleIntercept,
  RescaleSlope: 1,
  RescaleType: 'HU',
  WindowCenter: [40, -600],
  WindowWidth: [400, 1500],
  WindowCenterWidthExplanation: ['SOFT TISSUE', 'LUNG'],
};
