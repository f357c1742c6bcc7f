import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestCt } from './ct.ts';
import { between, planeAround, pointOf, type Plane, type Point } from './geometry.ts';
import { explicitLittleEndian, instanceElements } from './image-elements.ts';
import { frameOfReference, type Marking, seriesNumber, sphereNamed } from './segmentation.ts';
import { fileName, studyElements, uidOf, type PhantomFile, type StudyOptions } from './study.ts';

const [doseStorage, planStorage, structureSetStorage] = [
  '1.2.840.10008.5.1.4.1.1.481.2',
  '1.2.840.10008.5.1.4.1.1.481.5',
  '1.2.840.10008.5.1.4.1.1.481.3',
];

/** A dose that falls off around a sphere of the CT, in Gy and mm. */
export const knownDose = {
  around: 'left hilar node',
  maximum: 60,
  /** Standard deviation of the fall-off. */
  spread: 30,
  prescription: 54,
  plan: 'HILUM 54',
  structureSet: 'OUTLINES',
  scaling: 0.001,
} as const;

/** Returns the dose at a point, in Gy. */
export const doseAt = (point: Point): number => {
  const [left, posterior, superior] = between(sphereNamed(knownDose.around).centre, point);
  return knownDose.maximum * Math.exp(-(left ** 2 + posterior ** 2 + superior ** 2) / (2 * knownDose.spread ** 2));
};

/** Heights of the frames around the center of the dose, in mm. The distances differ. */
const heights = [-72, -60, -48, -36, -30, -24, -18, -12, -8, -4, 0, 4, 8, 12, 18, 24, 30, 36, 48, 60, 72];

export type DoseForm = {
  /** Whether frames are given by their height in the patient instead of their distance from the first. */
  hasHeights?: boolean;
  /** Whether frames go from the head down. */
  isDescending?: boolean;
  elements?: Elements;
};

/** The frames of the dose, in the order of the file. */
const dosePlanes = ({ isDescending = false }: DoseForm): Plane[] => {
  const [left, posterior, superior] = sphereNamed(knownDose.around).centre;
  // The grid of a dose begins and ends inside the CT.
  return (isDescending ? heights.toReversed() : heights).map((height) =>
    planeAround(
      [left, posterior, superior + height],
      { along: [1, 0, 0], down: [0, 1, 0] },
      { rows: 49, columns: 61, pixelSpacing: 3 },
    ),
  );
};

const linked = (sopClass: string | undefined, uid: string) => [
  { ReferencedSOPClassUID: sopClass, ReferencedSOPInstanceUID: uid },
];

/** A dose (PS3.3 §A.18) on the CT of `ctVolume`, of the plan of `treatmentPlan`. */
export const doseVolume = (options: StudyOptions, marking: Marking = {}, form: DoseForm = {}): PhantomFile => {
  const series = {
    modality: 'RTDOSE',
    number: seriesNumber(24, marking),
    description: 'Dose',
    bodyPart: 'CHEST',
    start: 1400,
  };
  const planes = dosePlanes(form);
  const [first] = planes;
  if (!first) throw new RangeError('A dose has frames');
  const start = form.hasHeights ? 0 : first.position[2];
  const stored = planes.flatMap((plane) =>
    Array.from({ length: plane.rows * plane.columns }, (_, index) =>
      Math.round(doseAt(pointOf(Math.floor(index / plane.columns), index % plane.columns, plane)) / knownDose.scaling),
    ),
  );
  const dataset: Elements = {
    ...studyElements(options, chestCt),
    ...instanceElements(options, series, doseStorage ?? '', 1),
    FrameOfReferenceUID: frameOfReference(options, marking),
    PositionReferenceIndicator: '',
    ImagePositionPatient: [...first.position],
    ImageOrientationPatient: [...first.along, ...first.down],
    PixelSpacing: [first.pixelSpacing, first.pixelSpacing],
    SliceThickness: '',
    SamplesPerPixel: 1,
    PhotometricInterpretation: 'MONOCHROME2',
    Rows: first.rows,
    Columns: first.columns,
    NumberOfFrames: planes.length,
    FrameIncrementPointer: '3004000C',
    BitsAllocated: 32,
    BitsStored: 32,
    HighBit: 31,
    PixelRepresentation: 0,
    DoseUnits: 'GY',
    DoseType: 'PHYSICAL',
    DoseSummationType: 'PLAN',
    GridFrameOffsetVector: planes.map(({ position }) => position[2] - start),
    DoseGridScaling: knownDose.scaling,
    ReferencedRTPlanSequence: linked(planStorage, uidOf(options, 'RTPLAN', 23, 1)),
    ...form.elements,
  };
  const pixelData = Buffer.from(Uint32Array.from(stored).buffer);
  const bytes = writePart10({ transferSyntaxUID: explicitLittleEndian, dataset, pixelData });
  return { name: fileName('RTDOSE', series.number), bytes };
};

/** The plan of the dose (PS3.3 §A.20), on the structure set of `structureSet`. */
export const treatmentPlan = (options: StudyOptions): PhantomFile => {
  const series = { modality: 'RTPLAN', number: 23, description: 'Plan', bodyPart: 'CHEST', start: 1300 };
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, chestCt),
      ...instanceElements(options, series, planStorage ?? '', 1),
      FrameOfReferenceUID: frameOfReference(options, {}),
      RTPlanLabel: knownDose.plan,
      RTPlanDate: options.studyDate,
      RTPlanTime: '121500',
      RTPlanGeometry: 'PATIENT',
      ReferencedStructureSetSequence: linked(structureSetStorage, uidOf(options, 'RTSTRUCT', 22, 1)),
      DoseReferenceSequence: [
        {
          DoseReferenceNumber: 1,
          DoseReferenceStructureType: 'SITE',
          DoseReferenceType: 'TARGET',
          TargetPrescriptionDose: knownDose.prescription,
        },
        {
          DoseReferenceNumber: 2,
          DoseReferenceStructureType: 'SITE',
          DoseReferenceType: 'ORGAN_AT_RISK',
        },
      ],
    },
  });
  return { name: fileName('RTPLAN', series.number), bytes };
};
