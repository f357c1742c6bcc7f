import { writePart10, type Elements } from '@radwork/dicom/part10';
import type { KnownSphere } from './chest.ts';
import { chestCt, ctPlanes } from './ct.ts';
import { pixelOf, plus, type Plane } from './geometry.ts';
import { explicitLittleEndian, instanceElements } from './image-elements.ts';
import { frameOfReference, type Marking, referenceTo, seriesNumber, sphereNamed } from './segmentation.ts';
import { fileName, studyElements, uidOf, type PhantomFile, type StudyOptions } from './study.ts';

const structureSetStorage = '1.2.840.10008.5.1.4.1.1.481.3';
const detachedStudyManagement = '1.2.840.10008.3.1.2.3.1';

/** Points of each contour. */
const points = 48;

/** The outlined structures: spheres of the CT, with references to its images or by position only, and one point. */
export const outlined = [
  { name: 'liver metastasis', colour: [255, 200, 0], refers: true },
  { name: 'granuloma in the left lower lobe', colour: [0, 255, 120], refers: false },
] as const;

export const isocenter = { name: 'Isocentre', colour: [255, 255, 255], of: 'left hilar node' } as const;

/** A structure set (PS3.3 §A.19): outlines of spheres on the CT images of `ctVolume`, and a point. */
export const structureSet = (options: StudyOptions, marking: Marking = {}): PhantomFile => {
  const series = {
    modality: 'RTSTRUCT',
    number: seriesNumber(22, marking),
    description: 'Outlines',
    bodyPart: 'CHEST',
    start: 1200,
  };
  const frame = frameOfReference(options, marking);
  const planes = ctPlanes(options);
  const regions = [...outlined, isocenter];
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, chestCt),
      ...instanceElements(options, series, structureSetStorage, 1),
      BodyPartExamined: undefined,
      AcquisitionDate: undefined,
      AcquisitionTime: undefined,
      AcquisitionNumber: undefined,
      ContentDate: undefined,
      ContentTime: undefined,
      FrameOfReferenceUID: frame,
      PositionReferenceIndicator: '',
      StructureSetLabel: 'OUTLINES',
      StructureSetDate: options.studyDate,
      StructureSetTime: '120000',
      ReferencedFrameOfReferenceSequence: [referencedFrame(options, frame, planes.length)],
      StructureSetROISequence: regions.map(({ name }, index) => ({
        ROINumber: index + 1,
        ReferencedFrameOfReferenceUID: frame,
        ROIName: name,
        ROIGenerationAlgorithm: 'AUTOMATIC',
      })),
      ROIContourSequence: regions.map((region, index) => ({
        ROIDisplayColor: region.colour,
        ReferencedROINumber: index + 1,
        ContourSequence: 'of' in region ? [pointOf(sphereNamed(region.of))] : circles(options, planes, region),
      })),
      RTROIObservationsSequence: regions.map((_, index) => ({
        ObservationNumber: index + 1,
        ReferencedROINumber: index + 1,
        RTROIInterpretedType: '',
        ROIInterpreter: '',
      })),
    },
  });
  return { name: fileName('RTSTRUCT', series.number), bytes };
};

const referencedFrame = (options: StudyOptions, frame: string, images: number): Elements => ({
  FrameOfReferenceUID: frame,
  RTReferencedStudySequence: [
    {
      ReferencedSOPClassUID: detachedStudyManagement,
      ReferencedSOPInstanceUID: uidOf(options, 'CT', 'study'),
      RTReferencedSeriesSequence: [
        {
          SeriesInstanceUID: uidOf(options, 'CT', 1),
          ContourImageSequence: Array.from({ length: images }, (_, index) => referenceTo(options, index)),
        },
      ],
    },
  ],
});

const pointOf = ({ centre }: KnownSphere): Elements => ({
  ContourGeometricType: 'POINT',
  NumberOfContourPoints: 1,
  ContourData: [...centre],
});

/** The cross-sections of a sphere in the images, as circles. */
const circles = (
  options: StudyOptions,
  planes: readonly Plane[],
  { name, refers }: { name: string; refers: boolean },
): Elements[] => {
  const sphere = sphereNamed(name);
  return planes.flatMap((plane, index): Elements[] => {
    const { distance } = pixelOf(sphere.centre, plane);
    if (Math.abs(distance) >= sphere.radius) return [];
    const radius = Math.sqrt(sphere.radius ** 2 - distance ** 2);
    const ContourData = Array.from({ length: points }, (_, step) => {
      const angle = (2 * Math.PI * step) / points;
      const [left, posterior] = plus(sphere.centre, [radius * Math.cos(angle), radius * Math.sin(angle), 0]);
      return [left, posterior, plane.position[2]].map((part) => Number(part.toFixed(3)));
    }).flat();
    return [
      {
        ...(refers && { ContourImageSequence: [referenceTo(options, index)] }),
        ContourGeometricType: 'CLOSED_PLANAR',
        NumberOfContourPoints: points,
        ContourData,
      },
    ];
  });
};
