import { writePart10, type Elements } from '@radwork/dicom/part10';
import {
  explicitLittleEndian,
  grayscaleElements,
  instanceElements,
  storedPixels,
  type Series,
} from './image-elements.ts';
import { plateOf, radiographOf } from './radiograph.ts';
import { fileName, studyElements, type PhantomFile, type Procedure, type StudyOptions } from './study.ts';

const crImageStorage = '1.2.840.10008.5.1.4.1.1.1';
const highestValue = 4095;
const valuePerMillimeter = 12;

const chestRadiography: Procedure = {
  modality: 'CR',
  code: { CodeValue: '24648-8', CodingSchemeDesignator: 'LN', CodeMeaning: 'XR Chest PA' },
  bodyPart: 'CHEST',
  room: 'X-ray 1',
  manufacturer: 'Radwork',
  model: 'Phantom CR',
  stationName: 'CR1',
};
const series: Series = { modality: 'CR', number: 1, description: 'Chest PA', bodyPart: 'CHEST', start: 60 };

export type RadiographyOptions = StudyOptions & { photometricInterpretation?: 'MONOCHROME1' | 'MONOCHROME2' };

/**
 * One chest radiograph, 1024 rows by default. Bone is bright in both photometric interpretations; in MONOCHROME1 its
 * stored values are low.
 */
export function* computedRadiography(options: RadiographyOptions): Generator<PhantomFile> {
  const { photometricInterpretation = 'MONOCHROME2', size = 1024 } = options;
  const plate = plateOf(size);
  const toStored = (water: number): number =>
    photometricInterpretation === 'MONOCHROME1'
      ? highestValue - water * valuePerMillimeter
      : water * valuePerMillimeter;
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, chestRadiography),
      ...instanceElements(options, series, crImageStorage, 1),
      ...grayscaleElements(plate, 12),
      ...crElements,
      PhotometricInterpretation: photometricInterpretation,
      ImagerPixelSpacing: [plate.pixelSpacing, plate.pixelSpacing],
      PixelSpacing: [plate.pixelSpacing, plate.pixelSpacing],
      WindowCenter: Math.round(toStored(150)),
      WindowWidth: 260 * valuePerMillimeter,
    },
    pixelData: storedPixels(radiographOf(plate, `${options.seed} CR`), 12, toStored),
  });
  yield { name: fileName('CR', 1), bytes };
}

/** The exposure (PS3.3 §C.8.1.1, C.8.1.2). */
const crElements: Elements = {
  ImageType: ['ORIGINAL', 'PRIMARY'],
  ViewPosition: 'PA',
  PatientOrientation: ['L', 'F'],
  KVP: 125,
  XRayTubeCurrent: 320,
  ExposureTime: 8,
  DistanceSourceToDetector: 1800,
  ImageAndFluoroscopyAreaDoseProduct: 1.1,
  PlateType: '',
};
