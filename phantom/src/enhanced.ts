import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestCt, rescaleIntercept } from './ct.ts';
import { planeAround, type Plane } from './geometry.ts';
import { explicitLittleEndian, grayscaleElements, instanceElements, type Series } from './image-elements.ts';
import { headMr } from './magnetic-resonance.ts';
import {
  fileName,
  studyElements,
  timeAfter,
  uidOf,
  type PhantomFile,
  type Procedure,
  type StudyOptions,
} from './study.ts';

const enhancedMrStorage = '1.2.840.10008.5.1.4.1.1.4.1';
const enhancedCtStorage = '1.2.840.10008.5.1.4.1.1.2.1';

const grid = { rows: 48, columns: 64, pixelSpacing: 2.5 };

/** View from the back, turned by 37 degrees about the body axis. The patient's left is on the left of the image. */
export const enhancedMrPlane: Plane = planeAround([10, -20, 30], { along: [-0.8, 0.6, 0], down: [0, 0, -1] }, grid);

export const enhancedCtPlane: Plane = planeAround([0, 0, 50], { along: [1, 0, 0], down: [0, 1, 0] }, grid);

/** Stored values by column in both images. In the CT one step is 2 HU, starting at -1024. */
export const storedInColumn = (column: number): number => 400 + 8 * column;
export const enhancedCtScale = { slope: 2, intercept: rescaleIntercept } as const;

type Enhanced = {
  sopClassUID: string;
  procedure: Procedure;
  series: Series;
  plane: Plane;
  elements: Elements;
  /** Functional groups shared by all frames, and those of the only frame (PS3.3 §C.7.6.16). */
  shared: Elements;
  frame: Elements;
};

const code = (CodeValue: string, CodeMeaning: string): Elements => ({
  CodeValue,
  CodingSchemeDesignator: 'SCT',
  CodeMeaning,
});

/** An enhanced image of one frame. Its position and value scale are only in functional groups. */
const enhancedFile = (options: StudyOptions, image: Enhanced): PhantomFile => {
  const { sopClassUID, procedure, series, plane, elements, shared, frame } = image;
  const moment = `${options.studyDate}${timeAfter(options, series.start)}`;
  const [left, posterior, superior] = plane.position;
  const stored = Uint16Array.from({ length: plane.rows * plane.columns }, (_, at) =>
    storedInColumn(at % plane.columns),
  );
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, procedure),
      ...instanceElements(options, series, sopClassUID, 1),
      ...grayscaleElements(plane, 12),
      FrameOfReferenceUID: uidOf(options, series.modality, 'frame of reference of the enhanced image'),
      PositionReferenceIndicator: '',
      AcquisitionDateTime: moment,
      AcquisitionDuration: 1,
      BurnedInAnnotation: 'NO',
      LossyImageCompression: '00',
      PresentationLUTShape: 'IDENTITY',
      ContentQualification: 'RESEARCH',
      NumberOfFrames: 1,
      PatientPosition: 'HFS',
      VolumetricProperties: 'VOLUME',
      VolumeBasedCalculationTechnique: 'NONE',
      PixelPresentation: 'MONOCHROME',
      AcquisitionContextSequence: [],
      ...elements,
      SharedFunctionalGroupsSequence: [
        {
          PixelMeasuresSequence: [{ PixelSpacing: [plane.pixelSpacing, plane.pixelSpacing], SliceThickness: 5 }],
          PlaneOrientationSequence: [{ ImageOrientationPatient: [...plane.along, ...plane.down] }],
          ...shared,
        },
      ],
      PerFrameFunctionalGroupsSequence: [
        {
          FrameContentSequence: [
            {
              FrameAcquisitionDateTime: moment,
              FrameReferenceDateTime: moment,
              FrameAcquisitionDuration: 1000,
              FrameAcquisitionNumber: 1,
              StackID: '1',
              InStackPositionNumber: 1,
              DimensionIndexValues: [1, 1],
            },
          ],
          PlanePositionSequence: [{ ImagePositionPatient: [left, posterior, superior] }],
          ...frame,
        },
      ],
      ...dimensionElements(uidOf(options, series.modality, 'dimensions')),
    },
    pixelData: Buffer.from(stored.buffer),
  });
  return { name: fileName(`ENHANCED-${series.modality}`, 1), bytes };
};

/** Frames are ordered in stacks (PS3.3 §C.7.6.17). */
const dimensionElements = (uid: string): Elements => ({
  DimensionOrganizationSequence: [{ DimensionOrganizationUID: uid }],
  DimensionIndexSequence: [
    {
      DimensionOrganizationUID: uid,
      DimensionIndexPointer: '00209056',
      FunctionalGroupPointer: '00209111',
      DimensionDescriptionLabel: 'Stack',
    },
    {
      DimensionOrganizationUID: uid,
      DimensionIndexPointer: '00209057',
      FunctionalGroupPointer: '00209111',
      DimensionDescriptionLabel: 'Position in the stack',
    },
  ],
});

const anatomy = (region: Elements): Elements => ({
  FrameAnatomySequence: [{ FrameLaterality: 'U', AnatomicRegionSequence: [region] }],
});

const frameKind: Elements = {
  VolumetricProperties: 'VOLUME',
  VolumeBasedCalculationTechnique: 'NONE',
  PixelPresentation: 'MONOCHROME',
};
const mrKind: Elements = { ComplexImageComponent: 'MAGNITUDE', AcquisitionContrast: 'T1' };
/** Derived images need no acquisition attributes. */
const imageType = ['DERIVED', 'PRIMARY', 'VOLUME', 'RESAMPLED'];

/** An enhanced CT of one frame. Only a functional group converts its values to HU. */
export const enhancedCt = (options: StudyOptions): PhantomFile =>
  enhancedFile(options, {
    sopClassUID: enhancedCtStorage,
    procedure: chestCt,
    series: {
      modality: 'CT',
      number: 8,
      description: 'Enhanced CT of one frame',
      bodyPart: 'CHEST',
      start: 600,
    },
    plane: enhancedCtPlane,
    elements: { ImageType: imageType },
    shared: {
      ...anatomy(code('51185008', 'Chest')),
      IrradiationEventIdentificationSequence: [{ IrradiationEventUID: uidOf(options, 'CT', 'irradiation') }],
      CTImageFrameTypeSequence: [{ FrameType: imageType, ...frameKind }],
      PixelValueTransformationSequence: [
        { RescaleIntercept: enhancedCtScale.intercept, RescaleSlope: enhancedCtScale.slope, RescaleType: 'HU' },
      ],
      FrameVOILUTSequence: [{ WindowCenter: 200, WindowWidth: 1200 }],
    },
    frame: {},
  });

/** An enhanced MR of one frame, oblique and mirrored. Only functional groups give its orientation. */
export const enhancedMr = (options: StudyOptions): PhantomFile =>
  enhancedFile(options, {
    sopClassUID: enhancedMrStorage,
    procedure: headMr,
    series: {
      modality: 'MR',
      number: 9,
      description: 'Enhanced MR of one frame',
      bodyPart: 'BRAIN',
      start: 900,
    },
    plane: enhancedMrPlane,
    elements: {
      ImageType: imageType,
      ...mrKind,
      ResonantNucleus: '1H',
      KSpaceFiltering: 'NONE',
      ApplicableSafetyStandardAgency: 'IEC',
      MagneticFieldStrength: 1.5,
    },
    shared: {
      ...anatomy(code('12738006', 'Brain')),
      MRImageFrameTypeSequence: [{ FrameType: imageType, ...frameKind, ...mrKind }],
      PixelValueTransformationSequence: [{ RescaleIntercept: 0, RescaleSlope: 1, RescaleType: 'US' }],
      FrameVOILUTSequence: [{ WindowCenter: 650, WindowWidth: 600 }],
    },
    frame: {},
  });
