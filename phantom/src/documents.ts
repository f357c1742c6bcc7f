import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestSpheres } from './chest.ts';
import { chestCt, ctImageStorage, ctPlanes } from './ct.ts';
import { requestOf } from './dose-report.ts';
import { pixelOf } from './geometry.ts';
import { explicitLittleEndian, instanceElements, type Series } from './image-elements.ts';
import { simplePdf } from './simple-pdf.ts';
import { coded, contains, dicomCode, measured, unit } from './sr-content.ts';
import { fileName, studyElements, uidOf, type Code, type PhantomFile, type StudyOptions } from './study.ts';

const comprehensiveSr = '1.2.840.10008.5.1.4.1.1.88.33';
const keyObjectSelection = '1.2.840.10008.5.1.4.1.1.88.59';
const encapsulatedPdf = '1.2.840.10008.5.1.4.1.1.104.1';

/**
 * A sphere of the chest on the image through its center. Images count from 1; the pixel counts from 0 and is not
 * rounded.
 */
export const sphereOnImage = (name: string, options: Pick<StudyOptions, 'slices' | 'size'>) => {
  const ball = chestSpheres.find((chestSphere) => chestSphere.name === name);
  if (!ball) throw new RangeError(`The chest phantom has no ${name}`);
  const planes = ctPlanes(options);
  const offsets = planes.map((plane) => Math.abs(pixelOf(ball.centre, plane).distance));
  const index = offsets.indexOf(Math.min(...offsets));
  const plane = planes[index];
  if (!plane) throw new RangeError('The CT has no slices');
  const { row, column } = pixelOf(ball.centre, plane);
  return { image: index + 1, row, column, radius: ball.radius / plane.pixelSpacing };
};

/** One image, by number, of the study that `ctVolume` makes with the same options. */
export const referenceTo = (options: StudyOptions, image: number): Elements => ({
  ReferencedSOPClassUID: ctImageStorage,
  ReferencedSOPInstanceUID: uidOf(options, 'CT', 1, image),
});

/** The content and references that differ between the documents. */
export const documentContent = (options: Pick<StudyOptions, 'slices' | 'size'>) => ({
  pdf: { title: 'Referral letter', lines: ['Dear colleague,', 'please see the nodule (right upper lobe).'] },
  report: {
    title: 'Chest CT report',
    finding: 'Round solid nodule in the right upper lobe.',
    diameter: 24,
    observer: 'Okafor^Ngozi^^Dr',
    on: sphereOnImage('nodule in the right upper lobe', options),
  },
  keyImages: {
    title: 'For Referring Provider',
    words: 'The node and the lesion of the liver.',
    images: [sphereOnImage('left hilar node', options).image, sphereOnImage('liver metastasis', options).image],
  },
});

/** A referral letter as Encapsulated PDF, a report and key image notes for the study of `ctVolume`. */
export function* studyDocuments(options: StudyOptions): Generator<PhantomFile> {
  yield { name: fileName('DOC', 1), bytes: letter(options) };
  yield { name: fileName('SRTEXT', 1), bytes: report(options) };
  yield { name: fileName('KO', 1), bytes: keyImageNotes(options) };
}

const inSeries = (options: StudyOptions, series: Series, sopClass: string, elements: Elements): Buffer =>
  writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, chestCt),
      ...instanceElements(options, series, sopClass, 1),
      BodyPartExamined: undefined,
      AcquisitionDate: undefined,
      AcquisitionTime: undefined,
      AcquisitionNumber: undefined,
      ...elements,
    },
  });

const letter = (options: StudyOptions): Buffer => {
  const { title, lines } = documentContent(options).pdf;
  const pdf = simplePdf(lines);
  return inSeries(
    options,
    { modality: 'DOC', number: 90, description: 'Scanned', bodyPart: 'CHEST', start: 700 },
    encapsulatedPdf,
    {
      ConversionType: 'SD',
      SecondaryCaptureDeviceManufacturer: 'Radwork',
      BurnedInAnnotation: 'NO',
      AcquisitionDateTime: [],
      DocumentTitle: title,
      ConceptNameCodeSequence: [{ CodeValue: '57133-1', CodingSchemeDesignator: 'LN', CodeMeaning: 'Referral note' }],
      VerificationFlag: 'UNVERIFIED',
      MIMETypeOfEncapsulatedDocument: 'application/pdf',
      EncapsulatedDocumentLength: pdf.length,
      EncapsulatedDocument: pdf,
    },
  );
};

/** The images of a report or key object selection (PS3.3 §C.17.2.1). */
const evidenceOf = (options: StudyOptions, images: readonly number[]): Elements => ({
  StudyInstanceUID: uidOf(options, 'CT', 'study'),
  ReferencedSeriesSequence: [
    {
      SeriesInstanceUID: uidOf(options, 'CT', 1),
      ReferencedSOPSequence: [...new Set(images)].map((image) => referenceTo(options, image)),
    },
  ],
});

const text = (name: Code, value: string): Elements => ({
  RelationshipType: 'CONTAINS',
  ValueType: 'TEXT',
  ConceptNameCodeSequence: [name],
  TextValue: value,
});

const imageItem = (options: StudyOptions, relationship: string, image: number): Elements => ({
  RelationshipType: relationship,
  ValueType: 'IMAGE',
  ReferencedSOPSequence: [referenceTo(options, image)],
});

const report = (options: StudyOptions): Buffer => {
  const { title, finding, diameter, observer, on } = documentContent(options).report;
  const [column, row] = [on.column + 0.5, on.row + 0.5];
  const circle = {
    RelationshipType: 'INFERRED FROM',
    ValueType: 'SCOORD',
    GraphicType: 'CIRCLE',
    GraphicData: [column, row, column + on.radius, row],
    ContentSequence: [imageItem(options, 'SELECTED FROM', on.image)],
  };
  return inSeries(
    options,
    { modality: 'SR', number: 91, description: 'Report', bodyPart: 'CHEST', start: 800 },
    comprehensiveSr,
    {
      ReferencedPerformedProcedureStepSequence: [],
      PerformedProcedureCodeSequence: [],
      ReferencedRequestSequence: [requestOf(options)],
      CurrentRequestedProcedureEvidenceSequence: [evidenceOf(options, [on.image])],
      ValueType: 'CONTAINER',
      ConceptNameCodeSequence: [{ CodeValue: 'CHEST-CT', CodingSchemeDesignator: '99PHANTOM', CodeMeaning: title }],
      ContinuityOfContent: 'SEPARATE',
      CompletionFlag: 'COMPLETE',
      VerificationFlag: 'UNVERIFIED',
      ContentSequence: [
        {
          RelationshipType: 'HAS OBS CONTEXT',
          ValueType: 'PNAME',
          ConceptNameCodeSequence: [dicomCode('121008', 'Person Observer Name')],
          PersonName: observer,
        },
        contains(dicomCode('121070', 'Findings'), [
          text(dicomCode('121071', 'Finding'), finding),
          coded('CONTAINS', dicomCode('111033', 'Impression Description'), {
            CodeValue: '27925004',
            CodingSchemeDesignator: 'SCT',
            CodeMeaning: 'Nodule',
          }),
          {
            ...measured(
              { CodeValue: '81827009', CodingSchemeDesignator: 'SCT', CodeMeaning: 'Diameter' },
              diameter,
              unit('mm'),
            ),
            ContentSequence: [circle],
          },
        ]),
      ],
    },
  );
};

const keyImageNotes = (options: StudyOptions): Buffer => {
  const { title, words, images } = documentContent(options).keyImages;
  return inSeries(
    options,
    { modality: 'KO', number: 92, description: 'Key images', bodyPart: 'CHEST', start: 900 },
    keyObjectSelection,
    {
      ReferencedPerformedProcedureStepSequence: [],
      ReferencedRequestSequence: [requestOf(options)],
      CurrentRequestedProcedureEvidenceSequence: [evidenceOf(options, images)],
      ValueType: 'CONTAINER',
      ConceptNameCodeSequence: [dicomCode('113002', title)],
      ContinuityOfContent: 'SEPARATE',
      ContentTemplateSequence: [{ MappingResource: 'DCMR', TemplateIdentifier: '2010' }],
      ContentSequence: [
        text(dicomCode('113012', 'Key Object Description'), words),
        ...images.map((image) => imageItem(options, 'CONTAINS', image)),
      ],
    },
  );
};
