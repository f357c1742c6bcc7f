import { type Elements, writePart10 } from '@radwork/dicom/part10';
import { explicitLittleEndian } from '@radwork/dicom/transfer-syntax';
import { encapsulatedPdfStorage } from '#imaging/archive/dicomweb/stored-instances.ts';
import { localDateTime, patientElements, studyElements } from '#imaging/studies/study-elements.ts';
import type { ReportDocument } from './report-document.ts';
import type { ReportObject } from './stored-report-instances.ts';

/** This number is greater than all series numbers of scanners. */
const seriesNumber = 9901;

/**
 * Writes a signed report as an Encapsulated PDF (PS3.3 §A.45.1) of its study, in its own series. Throws a RangeError
 * for a report that is not signed.
 */
export const encapsulatedPdf = (
  document: ReportDocument,
  { sopInstanceUid, seriesInstanceUid }: Pick<ReportObject, 'sopInstanceUid' | 'seriesInstanceUid'>,
  pdf: Buffer,
): Buffer => {
  const last = document.parts.at(-1);
  if (!last) throw new RangeError('Only a signed report is stored');
  const signed = localDateTime(last.finalizedAt, document.timeZone);
  return writePart10({
    transferSyntaxUID: explicitLittleEndian.uid,
    dataset: {
      ...patientElements(document),
      ...studyElements(document),
      SOPClassUID: encapsulatedPdfStorage,
      SOPInstanceUID: sopInstanceUid,
      SeriesInstanceUID: seriesInstanceUid,
      SeriesNumber: seriesNumber,
      SeriesDescription: 'Signed report',
      Modality: 'DOC',
      // Created at a workstation, not scanned (PS3.3 §C.8.6.1).
      ConversionType: 'WSD',
      Manufacturer: 'Radwork',
      InstitutionName: document.organization.name.slice(0, 64),
      InstanceNumber: document.parts.length,
      ContentDate: signed.date,
      ContentTime: signed.time,
      AcquisitionDateTime: [],
      ...documentElements(document, pdf),
    },
  });
};

const documentElements = ({ parts }: ReportDocument, pdf: Buffer): Elements => ({
  DocumentTitle: parts.length > 1 ? 'Radiology report (amended)' : 'Radiology report',
  // PS3.16 CID 7020.
  ConceptNameCodeSequence: [
    { CodeValue: '18748-4', CodingSchemeDesignator: 'LN', CodeMeaning: 'Diagnostic Imaging Report' },
  ],
  VerificationFlag: 'VERIFIED',
  // The PDF contains the name of the patient, which matters for anonymization.
  BurnedInAnnotation: 'YES',
  MIMETypeOfEncapsulatedDocument: 'application/pdf',
  EncapsulatedDocumentLength: pdf.length,
  EncapsulatedDocument: pdf,
});
