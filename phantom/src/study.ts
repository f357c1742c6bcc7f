import type { Elements } from '@radwork/dicom/part10';
import { uidFrom } from '@radwork/dicom/uid';
import type { Person } from './patients.ts';

/** A file of a generated study, with a path as on a disc: "CT/0001.dcm". */
export type PhantomFile = { name: string; bytes: Buffer };

export type StudyOptions = {
  /** The same seed gives the same bytes and UIDs. Another seed gives another study. */
  seed: string;
  patient: Person;
  /** YYYYMMDD */
  studyDate: string;
  /** HHMMSS */
  studyTime?: string;
  accessionNumber: string;
  description?: string;
  referringPhysicianName?: string;
  /** Images of each series, or frames of a cine. */
  slices?: number;
  /** Rows of an image. */
  size?: number;
};

export type Code = { CodeValue: string; CodingSchemeDesignator: string; CodeMeaning: string };

/** The ordered procedure and its machine. */
export type Procedure = {
  modality: string;
  code: Code;
  bodyPart: string;
  room: string;
  manufacturer: string;
  model: string;
  stationName: string;
};

/** A UID of a study, the same for the same seed and parts. */
export const uidOf = ({ seed }: StudyOptions, ...parts: readonly (string | number)[]): string =>
  uidFrom('phantom', seed, ...parts);

export const fileName = (folder: string, number: number): string => `${folder}/${String(number).padStart(4, '0')}.dcm`;

/** The time of day (HHMMSS) after this many seconds of the study. Throws RangeError outside the day. */
export const timeAfter = ({ studyTime = '093000' }: StudyOptions, seconds: number): string => {
  const [, hours, minutes, rest] = /^(\d\d)(\d\d)(\d\d)$/.exec(studyTime) ?? [];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(rest) + seconds;
  if (!(total >= 0 && total < 86_400)) {
    throw new RangeError(`A study at ${studyTime} does not fit into one day: use HHMMSS from 010000 to 230000`);
  }
  return [total / 3600, (total / 60) % 60, total % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join('');
};

/** The age as in DICOM: whole years ("062Y"), or months below two years ("014M"). */
export const ageAt = (birthDate: string, date: string): string => {
  const months =
    (Number(date.slice(0, 4)) - Number(birthDate.slice(0, 4))) * 12 +
    Number(date.slice(4, 6)) -
    Number(birthDate.slice(4, 6)) -
    (date.slice(6) < birthDate.slice(6) ? 1 : 0);
  return months < 24 ? `${String(months).padStart(3, '0')}M` : `${String(Math.floor(months / 12)).padStart(3, '0')}Y`;
};

/**
 * Elements of all files of a study: patient, study, order and machine (PS3.3 §C.7.1.1, C.7.2.1, C.7.5.1, C.4.10-12).
 */
export const studyElements = (options: StudyOptions, procedure: Procedure): Elements => {
  const { patient, studyDate, accessionNumber, description = procedure.code.CodeMeaning } = options;
  return {
    ...patient,
    PatientAge: ageAt(patient.PatientBirthDate, studyDate),
    PatientComments: 'Generated data. This person does not exist.',
    StudyInstanceUID: uidOf(options, procedure.modality, 'study'),
    StudyID: accessionNumber.slice(-16),
    StudyDate: studyDate,
    StudyTime: timeAfter(options, 0),
    StudyDescription: description,
    AccessionNumber: accessionNumber,
    ReferringPhysicianName: options.referringPhysicianName ?? 'Moreau^Claire^^Dr',
    ReferringPhysicianTelephoneNumbers: '+1 555 0142',
    ProcedureCodeSequence: [procedure.code],
    ...orderElements(options, procedure, description),
    Manufacturer: procedure.manufacturer,
    ManufacturerModelName: procedure.model,
    StationName: procedure.stationName,
    DeviceSerialNumber: '0001',
    SoftwareVersions: '1.0',
    InstitutionName: 'Radwork Demo Hospital',
    InstitutionalDepartmentName: 'Radiology',
  };
};

const orderElements = (options: StudyOptions, { code, room }: Procedure, description: string): Elements => {
  const { accessionNumber, studyDate } = options;
  return {
    PlacerOrderNumberImagingServiceRequest: `P-${accessionNumber}`,
    FillerOrderNumberImagingServiceRequest: `F-${accessionNumber}`,
    RequestingPhysician: options.referringPhysicianName ?? 'Moreau^Claire^^Dr',
    RequestedProcedureDescription: description,
    RequestedProcedureCodeSequence: [code],
    RequestAttributesSequence: [
      {
        AccessionNumber: accessionNumber,
        RequestedProcedureID: `RP-${accessionNumber}`.slice(0, 16),
        RequestedProcedureDescription: description,
        ScheduledProcedureStepID: `SP-${accessionNumber}`.slice(0, 16),
        ScheduledProcedureStepDescription: description,
      },
    ],
    ScheduledProcedureStepStartDate: studyDate,
    ScheduledProcedureStepStartTime: timeAfter(options, -900),
    PerformedProcedureStepStartDate: studyDate,
    PerformedProcedureStepStartTime: timeAfter(options, 0),
    PerformedLocation: room,
    PerformingPhysicianName: 'Haddad^Samir^^Dr',
    OperatorsName: 'Lindqvist^Karin',
  };
};
