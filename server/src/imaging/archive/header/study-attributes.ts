import { createHash } from 'node:crypto';
import { dateOf, dateTimeOf, hasTime } from '@radwork/dicom/dicom-date';
import { type DicomJson, itemsOf, textOf } from '@radwork/dicom/dataset';
import { description, firstText, longWholeNumber, personName, text, wholeNumber } from './column-values.ts';
import { doseOf } from './radiation-dose.ts';

/** Columns of `patients` that have values in files. */
export type PatientAttributes = {
  patient_id: string;
  issuer: string;
  patient_name: string;
  gender: 'M' | 'F' | 'O' | 'U';
  date_of_birth: string | null;
  address: string;
  phone_number: string;
};

/** Columns of `studies` that have values in files. Empty text or null when a value is missing. */
export type StudyAttributes = {
  /** The day alone when the time is unknown. */
  study_date: string | null;
  timezone_offset: string;
  scanner_study_id: string;
  accession_number: string;
  study_description: string;
  referring_physician_name: string;
  referring_physician_phone: string;
  institution_name: string;
  equipment_name: string;
  equipment_manufacturer: string;
  equipment_model: string;
  equipment_room: string;
  total_dlp: number | null;
  ctdi_vol: number | null;
  effective_dose: number | null;
  order_number: string;
  ordering_physician_name: string;
  procedure_code: string;
  procedure_description: string;
  scheduled_at: string | null;
  performing_technologist_name: string;
};

/** Stands for a missing study date. It sorts last. */
export const noStudyDate = '0001-01-01T00:00:00';

/** Columns of `series` that have values in files. */
export type SeriesAttributes = {
  series_number: number | null;
  /** The digits of a number that does not fit. */
  long_series_number: string;
  series_description: string;
  modality: string;
  body_part_examined: string;
  performed_at: string | null;
  is_performed_time_known: boolean;
};

/** A request for which a series was made: columns of `series_requests`. */
export type SeriesRequest = { scheduled_procedure_step_id: string; requested_procedure_id: string };

/** Values from one file for the rows of its patient, study and series. */
export type DescribedFile = {
  /** True when the file contains a Patient ID. */
  hasPatientId: boolean;
  patient: PatientAttributes;
  /** Birth name and other names of the patient in the file. */
  otherNames: string[];
  study: StudyAttributes;
  series: SeriesAttributes;
  requests: SeriesRequest[];
};

export const describeFile = (dataset: DicomJson, studyInstanceUID: string): DescribedFile => ({
  hasPatientId: patientIdOf(dataset) !== '',
  patient: patientAttributes(dataset, studyInstanceUID),
  otherNames: ['PatientBirthName', 'OtherPatientNames'].map((name) => personName(dataset, name)).filter(Boolean),
  study: studyAttributes(dataset),
  series: seriesAttributes(dataset),
  requests: seriesRequests(dataset),
});

/** Returns the Patient ID of a file; empty if missing. */
const patientIdOf = (dataset: DicomJson): string => text(dataset, 'PatientID');

/**
 * Returns the patient data of a file. A patient without an ID gets an ID derived from the study UID, so that two
 * unknown persons never become one.
 */
export const patientAttributes = (dataset: DicomJson, studyInstanceUID: string): PatientAttributes => {
  const patientId = patientIdOf(dataset);
  const sex = text(dataset, 'PatientSex');
  return {
    patient_id: patientId || unknownPatientId(studyInstanceUID),
    issuer: patientId ? issuerOf(dataset) : '',
    patient_name: personName(dataset, 'PatientName'),
    gender: sex === 'M' || sex === 'F' || sex === 'O' ? sex : 'U',
    date_of_birth: dateOf(textOf(dataset, 'PatientBirthDate')) ?? null,
    address: text(dataset, 'PatientAddress'),
    phone_number: text(dataset, 'PatientTelephoneNumbers'),
  };
};

/** Returns the issuer of the Patient ID: its name, or its universal identifier (PS3.3 §10.6, Table 10-18). */
const issuerOf = (dataset: DicomJson): string =>
  text(dataset, 'IssuerOfPatientID') ||
  text(itemsOf(dataset, 'IssuerOfPatientIDQualifiersSequence')[0], 'UniversalEntityID').slice(0, longestIssuer);

/** PS3.5 §6.2: an LO value has at most 64 characters. */
const longestIssuer = 64;

const unknownPatientId = (studyInstanceUID: string): string =>
  `UNKNOWN-${createHash('sha256').update(studyInstanceUID).digest('hex').slice(0, 12).toUpperCase()}`;

export const seriesAttributes = (dataset: DicomJson): SeriesAttributes => {
  const performed = dateTimeOf(
    textOf(dataset, 'PerformedProcedureStepStartDate'),
    textOf(dataset, 'PerformedProcedureStepStartTime'),
  );
  return {
    series_number: wholeNumber(dataset, 'SeriesNumber'),
    long_series_number: longWholeNumber(dataset, 'SeriesNumber'),
    series_description: description(dataset, 'SeriesDescription'),
    modality: modalityOf(dataset),
    body_part_examined: text(dataset, 'BodyPartExamined'),
    performed_at: performed ?? null,
    is_performed_time_known: performed === undefined || hasTime(performed),
  };
};

/** Maximum number of requests stored for a series. Without it, one file could fill the database. */
const mostRequests = 32;

/** Returns the requests of a series in file order. Leaves out requests that name neither a step nor a procedure. */
const seriesRequests = (dataset: DicomJson): SeriesRequest[] =>
  itemsOf(dataset, 'RequestAttributesSequence')
    .slice(0, mostRequests)
    .map((item) => ({
      scheduled_procedure_step_id: text(item, 'ScheduledProcedureStepID'),
      requested_procedure_id: text(item, 'RequestedProcedureID'),
    }))
    .filter((request) => Object.values(request).some((id) => id !== ''));

/** Returns the modality as a code of at most 16 characters. If missing, OT ("other") (PS3.3 §C.7.3.1.1.1). */
const modalityOf = (dataset: DicomJson): string => {
  const modality = text(dataset, 'Modality').toUpperCase();
  return /^[A-Z0-9 _]{1,16}$/.test(modality) ? modality : 'OT';
};

/** Reads study, equipment, dose and order from a file. */
export const studyAttributes = (dataset: DicomJson): StudyAttributes => ({
  study_date: dateTimeOf(textOf(dataset, 'StudyDate'), textOf(dataset, 'StudyTime')) ?? null,
  timezone_offset: text(dataset, 'TimezoneOffsetFromUTC'),
  scanner_study_id: text(dataset, 'StudyID'),
  accession_number: text(dataset, 'AccessionNumber'),
  study_description: description(dataset, 'StudyDescription'),
  referring_physician_name: personName(dataset, 'ReferringPhysicianName'),
  referring_physician_phone: text(dataset, 'ReferringPhysicianTelephoneNumbers'),
  institution_name: text(dataset, 'InstitutionName'),
  equipment_name: text(dataset, 'StationName'),
  equipment_manufacturer: text(dataset, 'Manufacturer'),
  equipment_model: text(dataset, 'ManufacturerModelName'),
  equipment_room: firstText(dataset, 'PerformedLocation', 'ScheduledProcedureStepLocation'),
  ...doseAttributes(dataset),
  ...orderAttributes(dataset),
});

const doseAttributes = (dataset: DicomJson) => {
  const dose = doseOf(dataset);
  return {
    total_dlp: dose.totalDoseLengthProduct ?? null,
    ctdi_vol: dose.ctdiVol ?? null,
    effective_dose: dose.effectiveDose ?? null,
  };
};

/** Reads the order from the data set, or else from the referenced request (PS3.3 §C.4.12, §10.6, §C.17.2). */
const orderAttributes = (dataset: DicomJson) => {
  const [request] = [
    ...itemsOf(dataset, 'RequestAttributesSequence'),
    ...itemsOf(dataset, 'ReferencedRequestSequence'),
  ];
  const sources = [dataset, ...(request ? [request] : [])];
  const first = (...keywords: readonly string[]): string =>
    sources.map((source) => firstText(source, ...keywords)).find((value) => value !== '') ?? '';
  const [requested] = sources
    .map((source) => description(source, 'RequestedProcedureDescription'))
    .filter((words) => words !== '');
  const [code] = [
    ...sources.flatMap((source) => itemsOf(source, 'RequestedProcedureCodeSequence')),
    ...itemsOf(dataset, 'ProcedureCodeSequence'),
  ];
  return {
    order_number: first('PlacerOrderNumberImagingServiceRequest', 'FillerOrderNumberImagingServiceRequest'),
    ordering_physician_name: personName(dataset, 'RequestingPhysician'),
    procedure_code: text(code, 'CodeValue'),
    procedure_description: requested || text(code, 'CodeMeaning'),
    scheduled_at:
      dateTimeOf(
        textOf(dataset, 'ScheduledProcedureStepStartDate'),
        textOf(dataset, 'ScheduledProcedureStepStartTime'),
      ) ?? null,
    performing_technologist_name: personName(dataset, 'OperatorsName'),
  };
};

/** Combines the values of two files of a study: the first text and time, and the larger dose. */
export const mergedAttributes = (first: StudyAttributes, second: StudyAttributes): StudyAttributes => ({
  ...second,
  ...nonEmpty(first),
  study_date: fullerTime(first.study_date, second.study_date),
  total_dlp: larger(first.total_dlp, second.total_dlp),
  ctdi_vol: larger(first.ctdi_vol, second.ctdi_vol),
  effective_dose: larger(first.effective_dose, second.effective_dose),
});

/** Returns the first time. A day without a time takes the time of the second file, if that names the same day. */
const fullerTime = (first: string | null, second: string | null): string | null =>
  first === null || (!hasTime(first) && second?.startsWith(first)) ? second : first;

/** Returns the attributes that are not empty. */
const nonEmpty = (attributes: StudyAttributes): Partial<StudyAttributes> =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null && value !== ''));

const larger = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.max(one, other);
