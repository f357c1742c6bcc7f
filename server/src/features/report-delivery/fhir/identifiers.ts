import { uidFrom } from '@radwork/dicom/uid';
import type { Identifier } from 'fhir/r4';
import type { ReportDocument } from '../report-document.ts';

const identifierTypes = 'http://terminology.hl7.org/CodeSystem/v2-0203';

/** A system of identifiers of our own: no other tenant, of whatever installation, numbers anything under it. */
const ownSystem = ({ organisation }: ReportDocument, ...parts: string[]): string =>
  `urn:oid:${uidFrom(organisation.identifierRoot, ...parts)}`;

/** A patient ID means something only together with who gave it out. */
export const patientIdentifier = (document: ReportDocument): Identifier => ({
  use: 'usual',
  type: { coding: [{ system: identifierTypes, code: 'MR' }] },
  system: ownSystem(document, 'patient', document.patient.issuer),
  value: document.patient.patientId,
  ...(document.patient.issuer && { assigner: { display: document.patient.issuer } }),
});

export const userIdentifier = (document: ReportDocument, id: string): Identifier => ({
  system: ownSystem(document, 'user'),
  value: id,
});

/** Of what we say of a study: an archive may say something of the same study there, which is not ours to write over. */
export const studyIdentifier = (document: ReportDocument): Identifier => ({
  system: ownSystem(document, 'study'),
  value: document.studyId,
});

/** As the imaging profiles of FHIR R4 write a Study Instance UID. */
export const studyUidIdentifier = ({ study }: ReportDocument): Identifier => ({
  system: 'urn:dicom:uid',
  value: `urn:oid:${study.studyInstanceUid}`,
});

/** Of the request that a study answers; a study without an accession number has one all the same. */
export const requestIdentifier = (document: ReportDocument): Identifier => ({
  system: ownSystem(document, 'request'),
  value: document.studyId,
});

export const accessionIdentifiers = (document: ReportDocument): Identifier[] => {
  const { accessionNumber: value } = document.study;
  if (value === '') return [];
  return [
    { type: { coding: [{ system: identifierTypes, code: 'ACSN' }] }, system: ownSystem(document, 'accession'), value },
  ];
};

export const orderIdentifiers = (document: ReportDocument): Identifier[] => {
  const { orderNumber: value } = document.study;
  if (value === '') return [];
  return [
    { type: { coding: [{ system: identifierTypes, code: 'PLAC' }] }, system: ownSystem(document, 'order'), value },
  ];
};

export const reportIdentifier = ({ reportId }: ReportDocument): Identifier => ({
  system: 'urn:ietf:rfc:3986',
  value: `urn:uuid:${reportId}`,
});

/** The search that finds what has an identifier, and nothing else. */
export const queryFor = ({ system = '', value = '' }: Identifier): string =>
  `identifier=${encodeURIComponent(`${escaped(system)}|${escaped(value)}`)}`;

/** FHIR R4 §3.1.1.3.1: these characters part the values of a search. */
const escaped = (text: string): string => text.replaceAll(/[\\|,$]/g, (sign) => `\\${sign}`);
