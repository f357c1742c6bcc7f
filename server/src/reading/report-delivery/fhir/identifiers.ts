import { uidFrom } from '@radwork/dicom/uid';
import type { Identifier } from 'fhir/r4';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';

const identifierTypes = 'http://terminology.hl7.org/CodeSystem/v2-0203';

/** Returns our identifier system for a tenant. It is unique across all installations. */
const ownSystem = ({ organization }: ReportDocument, ...parts: string[]): string =>
  `urn:oid:${uidFrom(organization.identifierRoot, ...parts)}`;

/** A Patient ID is unique only with its issuer. */
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

/**
 * Identifies our record of a study. The FHIR server may have its own record of the study, which must stay unchanged.
 */
export const studyIdentifier = (document: ReportDocument): Identifier => ({
  system: ownSystem(document, 'study'),
  value: document.studyId,
});

/** Writes a Study Instance UID as in the imaging profiles of FHIR R4. */
export const studyUidIdentifier = ({ study }: ReportDocument): Identifier => ({
  system: 'urn:dicom:uid',
  value: `urn:oid:${study.studyInstanceUid}`,
});

/** Identifies the request of a study, even if it has no accession number. */
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

/** Returns the search for exactly this identifier. */
export const queryFor = ({ system = '', value = '' }: Identifier): string =>
  `identifier=${encodeURIComponent(`${escaped(system)}|${escaped(value)}`)}`;

/** Escapes the separators of search values (FHIR R4 §3.1.1.3.1). */
const escaped = (text: string): string => text.replaceAll(/[\\|,$]/g, (sign) => `\\${sign}`);
