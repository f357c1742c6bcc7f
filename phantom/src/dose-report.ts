import { writePart10, type Elements } from '@radwork/dicom/part10';
import { chestCt, chestDose } from './ct.ts';
import { explicitLittleEndian, instanceElements } from './image-elements.ts';
import { coded, contains, dicomCode, measured, unit } from './sr-content.ts';
import { fileName, studyElements, uidOf, type PhantomFile, type StudyOptions } from './study.ts';

const radiationDoseStorage = '1.2.840.10008.5.1.4.1.1.88.67';

/** The dose length product of the chest scan in mGy.cm. */
export const doseLengthProduct = Number(((chestDose.ctdiVol * chestDose.scanLength) / 10).toFixed(2));

/**
 * The dose report for the study of `ctVolume`, as X-Ray Radiation Dose SR (PS3.16 TID 10011). DICOM stores the dose
 * length product of a CT only there.
 */
export const doseReport = (options: StudyOptions): PhantomFile => {
  const series = { modality: 'SR', number: 99, description: 'Dose report', bodyPart: 'CHEST', start: 600 };
  const bytes = writePart10({
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...studyElements(options, chestCt),
      ...instanceElements(options, series, radiationDoseStorage, 1),
      ...reportElements(uidOf(options, 'CT', 'irradiation event')),
      ReferencedRequestSequence: [requestOf(options)],
      BodyPartExamined: undefined,
      AcquisitionDate: undefined,
      AcquisitionTime: undefined,
      AcquisitionNumber: undefined,
      ReferencedPerformedProcedureStepSequence: [],
    },
  });
  return { name: fileName('SR', 1), bytes };
};

/** The order of the reported study (PS3.3 §C.17.2, Referenced Request Sequence). */
export const requestOf = (options: StudyOptions): Elements => {
  const study = studyElements(options, chestCt);
  return {
    StudyInstanceUID: study['StudyInstanceUID'],
    ReferencedStudySequence: [],
    AccessionNumber: options.accessionNumber,
    PlacerOrderNumberImagingServiceRequest: study['PlacerOrderNumberImagingServiceRequest'],
    FillerOrderNumberImagingServiceRequest: study['FillerOrderNumberImagingServiceRequest'],
    RequestedProcedureID: `RP-${options.accessionNumber}`.slice(0, 16),
    RequestedProcedureDescription: study['RequestedProcedureDescription'],
    RequestedProcedureCodeSequence: [chestCt.code],
  };
};

const reportElements = (eventUid: string): Elements => ({
  ValueType: 'CONTAINER',
  ConceptNameCodeSequence: [dicomCode('113701', 'X-Ray Radiation Dose Report')],
  ContinuityOfContent: 'SEPARATE',
  CompletionFlag: 'COMPLETE',
  VerificationFlag: 'UNVERIFIED',
  PerformedProcedureCodeSequence: [],
  ContentSequence: [
    coded('HAS CONCEPT MOD', dicomCode('121058', 'Procedure reported'), {
      CodeValue: '77477000',
      CodingSchemeDesignator: 'SCT',
      CodeMeaning: 'Computed Tomography X-Ray',
    }),
    contains(dicomCode('113811', 'CT Accumulated Dose Data'), [
      measured(dicomCode('113812', 'Total Number of Irradiation Events'), 1, unit('{events}')),
      measured(dicomCode('113813', 'CT Dose Length Product Total'), doseLengthProduct, unit('mGy.cm')),
    ]),
    contains(dicomCode('113819', 'CT Acquisition'), [
      {
        RelationshipType: 'CONTAINS',
        ValueType: 'UIDREF',
        ConceptNameCodeSequence: [dicomCode('113769', 'Irradiation Event UID')],
        UID: eventUid,
      },
      contains(dicomCode('113829', 'CT Dose'), [
        measured(dicomCode('113830', 'Mean CTDIvol'), chestDose.ctdiVol, unit('mGy')),
        measured(dicomCode('113838', 'DLP'), doseLengthProduct, unit('mGy.cm')),
      ]),
    ]),
  ],
});
