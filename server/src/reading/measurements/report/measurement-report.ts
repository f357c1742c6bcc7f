import { type Elements, writePart10 } from '@radwork/dicom/part10';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { type Code, dcm, sct } from '#imaging/study-documents/codes.ts';
import { codeItem, container, imageItem, templateOf } from '#imaging/study-documents/content-items.ts';
import {
  type AboutStudy,
  documentElements,
  type DocumentIdentity,
  evidenceOf,
  languageItem,
  observerItems,
  referencedStudy,
} from '#imaging/study-documents/study-document.ts';
import { type Measured, measurementGroup, type MeasuredSources } from './measurement-group.ts';

/**
 * The class for reports without patient coordinates. More systems accept it than the 3D class, which patient
 * coordinates need (docs/decisions/0043).
 */
export const comprehensiveSr = '1.2.840.10008.5.1.4.1.1.88.33';
export const comprehensive3dSr = '1.2.840.10008.5.1.4.1.1.88.34';
/** This number is greater than the series numbers of scanners and signed reports. */
const seriesNumber = 9902;

export type MeasurementReport = AboutStudy & MeasuredSources & { measurements: readonly Measured[] };

/** Shapes in patient coordinates need the 3D class (PS3.3 §A.35.3, A.35.13). */
export const sopClassOf = ({ measurements }: Pick<MeasurementReport, 'measurements'>): string =>
  measurements.some(isInSpace) ? comprehensive3dSr : comprehensiveSr;

const isInSpace = ({ tool, sopInstanceUID, frameOfReferenceUID }: Measured): boolean =>
  frameOfReferenceUID !== null && (tool === 'SPHERE' || sopInstanceUID === null);

/**
 * Creates a DICOM Measurement Report (PS3.16 TID 1500) with one group per measurement. Throws a RangeError without
 * measurements.
 */
export const measurementReport = (report: MeasurementReport, identity: DocumentIdentity): Buffer => {
  if (report.measurements.length === 0) throw new RangeError('A measurement report has a measurement at least');
  return writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: {
      ...objectElements(report, identity),
      ...evidenceOf(report, imagesIn(report)),
      ...rootContainer(report),
    },
  });
};

const objectElements = (report: MeasurementReport, identity: DocumentIdentity): Elements => {
  const { predecessor, seriesInstanceUid } = identity;
  const kind = { sopClassUid: sopClassOf(report), modality: 'SR', seriesNumber, seriesDescription: 'Measurements' };
  return {
    ...documentElements(report, identity, kind),
    CompletionFlag: 'COMPLETE',
    VerificationFlag: 'UNVERIFIED',
    PerformedProcedureCodeSequence: [],
    ...(predecessor && {
      PredecessorDocumentsSequence: [
        referencedStudy(report.studyInstanceUid, new Map([[seriesInstanceUid, [predecessor]]])),
      ],
    }),
  };
};

/** Lists the images in the report, each once. */
const imagesIn = ({ measurements, images }: MeasurementReport) =>
  [
    ...new Set(
      measurements.filter((measurement) => !isInSpace(measurement)).map(({ sopInstanceUID }) => sopInstanceUID),
    ),
  ].flatMap((sopInstanceUid) => {
    const image = sopInstanceUid === null ? undefined : images.get(sopInstanceUid);
    return image && sopInstanceUid !== null ? [{ ...image, sopInstanceUid }] : [];
  });

const contains = (name: Code, items: readonly Elements[], template?: string): Elements =>
  container({ relationship: 'CONTAINS', name, items }, template);

const rootContainer = (report: MeasurementReport): Elements => {
  const { RelationshipType: _, ...root } = container({
    relationship: 'CONTAINS',
    name: dcm('126000', 'Imaging Measurement Report'),
    items: rootItems(report),
  });
  return { ...root, ContentTemplateSequence: [templateOf('1500')] };
};

const rootItems = (report: MeasurementReport): Elements[] => {
  const { measurements } = report;
  const authors = [...new Set(measurements.map(({ author }) => author.name))];
  const library = imagesIn(report).map((image) =>
    imageItem({ relationship: 'CONTAINS' }, { ...image, frame: undefined }),
  );
  const groups = measurements.map((measurement, at) =>
    measurementGroup(measurement, at + 1, report, authors.length > 1),
  );
  return [
    languageItem(),
    ...authors.flatMap(observerItems),
    codeItem(
      { relationship: 'HAS CONCEPT MOD', name: dcm('121058', 'Procedure reported') },
      sct('363679005', 'Imaging procedure'),
    ),
    ...(library.length > 0
      ? [contains(dcm('111028', 'Image Library'), [contains(dcm('126200', 'Image Library Group'), library)])]
      : []),
    contains(dcm('126010', 'Imaging Measurements'), groups),
  ];
};
