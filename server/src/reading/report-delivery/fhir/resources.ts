import type { Gender } from '@radwork/contract/imaging/patients';
import { displayName } from '@radwork/dicom/person-name';
import type {
  CodeableConcept,
  DiagnosticReport,
  FhirResource,
  HumanName,
  Identifier,
  ImagingStudy,
  Narrative,
  Patient,
  Practitioner,
  Reference,
  ServiceRequest,
} from 'fhir/r4';
import type { ReportDocument } from '#reading/report-delivery/report-document.ts';
import { conclusionOf } from './conclusion.ts';
import {
  accessionIdentifiers,
  orderIdentifiers,
  patientIdentifier,
  reportIdentifier,
  requestIdentifier,
  studyIdentifier,
  studyUidIdentifier,
  userIdentifier,
} from './identifiers.ts';
import { escapeHtml, presentedForm } from './presented-form.ts';
import { zonedTime } from './zoned-time.ts';

/** Data of a series for an ImagingStudy. */
export type SeriesFacts = {
  uid: string;
  number: number | null;
  modality: string;
  description: string;
  instances: number;
};

export type ReportFacts = { document: ReportDocument; series: readonly SeriesFacts[]; pdf: Buffer };

/**
 * One resource of a report. `identifier` finds the resource again, so that sending the report twice creates no
 * duplicate. `isOurs` is false for persons. Other systems share their records, so these are created if missing and then
 * never changed.
 */
export type SentResource = { key: string; resource: FhirResource; identifier: Identifier; isOurs: boolean };

/** Returns the reference to another resource by its key from `resourcesOf`. */
export type ReferTo = (key: string) => Reference;

/**
 * Returns the FHIR R4 resources of a signed report. Each comes after the resources that it references. Throws a
 * RangeError for a report that is not signed.
 */
export const resourcesOf = ({ document, series, pdf }: ReportFacts, refer: ReferTo): SentResource[] => {
  const people = peopleOf(document);
  return [
    { key: 'patient', resource: patientOf(document), identifier: patientIdentifier(document), isOurs: false },
    ...people.map((person) => ({
      key: person.id,
      resource: practitionerOf(document, person),
      identifier: userIdentifier(document, person.id),
      isOurs: false,
    })),
    { key: 'request', resource: requestOf(document, refer), identifier: requestIdentifier(document), isOurs: true },
    { key: 'study', resource: studyOf(document, series, refer), identifier: studyIdentifier(document), isOurs: true },
    { key: 'report', resource: reportOf(document, pdf, refer), identifier: reportIdentifier(document), isOurs: true },
  ];
};

type Person = ReportDocument['author'] & { credentials?: string };

/** Returns author, signers and reviewer of a report, each once. */
const peopleOf = ({ author, parts, reviewer }: ReportDocument): Person[] => {
  const all = [author, ...parts.map(({ finalizedBy }) => finalizedBy), ...(reviewer ? [reviewer] : [])];
  const signers = parts.map(({ finalizedBy }) => finalizedBy);
  return [...new Map([...all, ...signers].map((person) => [person.id, person])).values()];
};

const genders: Record<Gender, NonNullable<Patient['gender']>> = { M: 'male', F: 'female', O: 'other', U: 'unknown' };

const patientOf = (document: ReportDocument): Patient => ({
  resourceType: 'Patient',
  identifier: [patientIdentifier(document)],
  name: [nameOf(document.patient.name)],
  gender: genders[document.patient.sex],
  ...(document.patient.birthDate && { birthDate: document.patient.birthDate }),
});

/** Converts a DICOM person name, using its first non-empty spelling. */
const nameOf = (personName: string): HumanName => {
  const spelling = personName.split('=').find((group) => /[^\s^]/.test(group)) ?? '';
  const [family, first, middle, prefix, suffix] = spelling.split('^').map((part) => part.trim());
  const givenNames = [first, middle].filter((part) => part !== undefined && part !== '');
  return {
    use: 'official',
    text: displayName(personName) || 'Unknown',
    ...(family && { family }),
    ...(givenNames.length > 0 && { given: givenNames.map(String) }),
    ...(prefix && { prefix: [prefix] }),
    ...(suffix && { suffix: [suffix] }),
  };
};

const practitionerOf = (document: ReportDocument, { id, name, credentials }: Person): Practitioner => ({
  resourceType: 'Practitioner',
  identifier: [userIdentifier(document, id)],
  name: [{ text: name, ...(credentials && { suffix: [credentials] }) }],
});

const procedureOf = ({ study }: ReportDocument): CodeableConcept => ({
  text: study.description || `${study.modality || 'Imaging'} study`,
});

const requestOf = (document: ReportDocument, refer: ReferTo): ServiceRequest => {
  const requester = displayName(document.study.referringPhysician);
  return {
    resourceType: 'ServiceRequest',
    identifier: [requestIdentifier(document), ...accessionIdentifiers(document), ...orderIdentifiers(document)],
    status: 'completed',
    intent: 'order',
    category: [{ coding: [{ system: 'http://snomed.info/sct', code: '363679005', display: 'Imaging' }] }],
    code: procedureOf(document),
    subject: refer('patient'),
    ...(requester && { requester: { display: requester } }),
  };
};

const modalityCoding = (code: string) => ({
  system: 'http://dicom.nema.org/resources/ontology/DCM',
  code: code || 'OT',
});

const studyOf = (document: ReportDocument, series: readonly SeriesFacts[], refer: ReferTo): ImagingStudy => {
  const { study } = document;
  const started = zonedTime(study.dateTime, study.timezoneOffset, document.timeZone);
  const modalities = study.modalities.length > 0 ? study.modalities : [study.modality];
  return {
    resourceType: 'ImagingStudy',
    identifier: [studyUidIdentifier(document), studyIdentifier(document), ...accessionIdentifiers(document)],
    status: 'available',
    modality: [...new Set(modalities)].map(modalityCoding),
    subject: refer('patient'),
    ...(started && { started }),
    basedOn: [refer('request')],
    numberOfSeries: series.length,
    numberOfInstances: series.reduce((sum, { instances }) => sum + instances, 0),
    ...(study.description && { description: study.description }),
    ...(series.length > 0 && { series: series.map(seriesOf) }),
  };
};

const seriesOf = ({ uid, number, modality, description, instances }: SeriesFacts) => ({
  uid,
  ...(number !== null && number >= 0 && { number }),
  modality: modalityCoding(modality),
  ...(description && { description }),
  numberOfInstances: instances,
});

/** A report with a correction is "amended", and one with another addendum is "appended". */
const statusOf = ({ parts }: ReportDocument): DiagnosticReport['status'] => {
  // A draft or preliminary report must never arrive as "final". Only signed reports are sent (C52).
  if (parts.length === 0) throw new RangeError('Only a signed report is sent');
  if (parts.some(({ kind }) => kind === 'CORRECTION')) return 'amended';
  return parts.length > 1 ? 'appended' : 'final';
};

const reportOf = (document: ReportDocument, pdf: Buffer, refer: ReferTo): DiagnosticReport => {
  const { study, parts, author, reviewer } = document;
  const effective = zonedTime(study.dateTime, study.timezoneOffset, document.timeZone);
  const conclusion = conclusionOf(document);
  const interpreters = new Set([...parts.map(({ finalizedBy }) => finalizedBy.id), ...(reviewer ? [reviewer.id] : [])]);
  return {
    resourceType: 'DiagnosticReport',
    text: narrativeOf(conclusion),
    identifier: [reportIdentifier(document)],
    basedOn: [refer('request')],
    status: statusOf(document),
    category: [
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0074', code: 'RAD', display: 'Radiology' }] },
    ],
    code: {
      coding: [{ system: 'http://loinc.org', code: '18748-4', display: 'Diagnostic imaging study' }],
      ...procedureOf(document),
    },
    subject: refer('patient'),
    ...(effective && { effectiveDateTime: effective }),
    issued: new Date(document.changedAt).toISOString(),
    performer: [refer(author.id)],
    resultsInterpreter: [...interpreters].map(refer),
    imagingStudy: [refer('study')],
    conclusion,
    presentedForm: presentedForm(document, pdf),
  };
};

const narrativeOf = (text: string): Narrative => ({
  status: 'generated',
  div: `<div xmlns="http://www.w3.org/1999/xhtml">${text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')}</div>`,
});
