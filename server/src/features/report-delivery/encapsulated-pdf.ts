import { type Elements, writePart10 } from '@radwork/dicom/part10';
import { encapsulatedPdfStorage } from '#archive/objects.ts';
import type { ReportDocument } from './report-document.ts';
import type { ReportObject } from './report-objects.ts';

const explicitLittleEndian = '1.2.840.10008.1.2.1';
/** Behind everything that scanners number. */
const seriesNumber = 9901;

/**
 * A signed report as an Encapsulated PDF (PS3.3 §A.45.1) of the study and the patient that it is about, in a series of
 * its own. Throws a RangeError for a report that is not signed.
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
    transferSyntaxUID: explicitLittleEndian,
    dataset: {
      ...patientElements(document),
      ...studyElements(document),
      SOPClassUID: encapsulatedPdfStorage,
      SOPInstanceUID: sopInstanceUid,
      SeriesInstanceUID: seriesInstanceUid,
      SeriesNumber: seriesNumber,
      SeriesDescription: 'Signed report',
      Modality: 'DOC',
      // PS3.3 §C.8.6.1: made at a workstation, from nothing that was scanned.
      ConversionType: 'WSD',
      Manufacturer: 'Radwork',
      InstitutionName: document.organisation.name.slice(0, 64),
      InstanceNumber: document.parts.length,
      ContentDate: signed.date,
      ContentTime: signed.time,
      AcquisitionDateTime: [],
      ...documentElements(document, pdf),
    },
  });
};

const patientElements = ({ patient }: ReportDocument): Elements => ({
  PatientName: patient.name,
  PatientID: patient.patientId,
  ...(patient.issuer && { IssuerOfPatientID: patient.issuer }),
  PatientBirthDate: patient.birthDate ? patient.birthDate.replaceAll('-', '') : [],
  PatientSex: patient.sex === 'U' ? [] : patient.sex,
});

const studyElements = ({ study }: ReportDocument): Elements => {
  const [date, time] = (study.dateTime ?? '').replaceAll(/[-:]/g, '').split('T');
  return {
    StudyInstanceUID: study.studyInstanceUid,
    StudyDate: date || [],
    StudyTime: time || [],
    StudyID: study.scannerStudyId || [],
    AccessionNumber: study.accessionNumber.slice(0, 16) || [],
    ReferringPhysicianName: study.referringPhysician || [],
    ...(study.description && { StudyDescription: study.description.slice(0, 64) }),
  };
};

const documentElements = ({ parts }: ReportDocument, pdf: Buffer): Elements => ({
  DocumentTitle: parts.length > 1 ? 'Radiology report (amended)' : 'Radiology report',
  // PS3.16 CID 7020.
  ConceptNameCodeSequence: [
    { CodeValue: '18748-4', CodingSchemeDesignator: 'LN', CodeMeaning: 'Diagnostic Imaging Report' },
  ],
  VerificationFlag: 'VERIFIED',
  // The paper names its patient: whoever makes files anonymous has to know.
  BurnedInAnnotation: 'YES',
  MIMETypeOfEncapsulatedDocument: 'application/pdf',
  EncapsulatedDocumentLength: pdf.length,
  EncapsulatedDocument: pdf,
});

/** A moment where the tenant is, as DICOM writes it. */
const localDateTime = (moment: string, timeZone: string): { date: string; time: string } => {
  const written = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone });
  const [date = '', time = ''] = written.format(new Date(moment)).replaceAll(/[-:]/g, '').split(' ');
  return { date, time };
};
