import type { Elements } from '@radwork/dicom/part10';

/** An order as the worklist query reads it: a study of which there are no images yet, and its patient. */
export type OrderRow = {
  id: string;
  study_instance_uid: string;
  /** Where the order says no time, when it was made. */
  scheduled_at: string;
  accession_number: string;
  study_description: string;
  description: string;
  modality: string;
  priority: 'STAT' | 'URGENT' | 'ROUTINE';
  referring_physician_name: string;
  equipment_name: string;
  equipment_room: string;
  order_number: string;
  ordering_physician_name: string;
  procedure_code: string;
  procedure_description: string;
  performing_technologist_name: string;
  patient_id: string;
  issuer: string;
  patient_name: string;
  gender: 'M' | 'F' | 'O' | 'U';
  date_of_birth: string | null;
};

/** How the worklist calls our priorities (PS3.3 §C.4.11, Requested Procedure Priority). */
const priorities = { STAT: 'STAT', URGENT: 'HIGH', ROUTINE: 'ROUTINE' } as const;

/** SH values have at most 16 characters, LO values 64 (PS3.5 §6.2); bytes of UTF-8 do not matter. */
const short = (text: string) => text.slice(0, 16);
const long = (text: string) => text.slice(0, 64);

/**
 * An order as an item of the worklist (PS3.4 Table K.6-1). Orders here are for no station in particular, so an order
 * is scheduled for whichever one asks.
 */
export const worklistItem = (row: OrderRow, stationAeTitle: string): Elements => {
  const procedure = long(row.procedure_description || row.study_description || row.description);
  const codes = procedureCodes(row.procedure_code, procedure);
  return {
    AccessionNumber: short(row.accession_number),
    ReferringPhysicianName: row.referring_physician_name,
    PatientName: row.patient_name,
    PatientID: long(row.patient_id),
    IssuerOfPatientID: long(row.issuer),
    PatientBirthDate: row.date_of_birth?.replaceAll('-', '') ?? '',
    PatientSex: row.gender === 'U' ? '' : row.gender,
    StudyInstanceUID: row.study_instance_uid,
    RequestingPhysician: row.ordering_physician_name,
    RequestedProcedureDescription: procedure,
    RequestedProcedureCodeSequence: codes,
    RequestedProcedureID: requestedProcedureId(row),
    RequestedProcedurePriority: priorities[row.priority],
    PlacerOrderNumberImagingServiceRequest: long(row.order_number),
    ScheduledProcedureStepSequence: [scheduledStep(row, stationAeTitle, procedure, codes)],
  };
};

const scheduledStep = (row: OrderRow, stationAeTitle: string, procedure: string, codes: Elements[]): Elements => ({
  Modality: row.modality,
  ScheduledStationAETitle: stationAeTitle,
  ScheduledProcedureStepStartDate: row.scheduled_at.slice(0, 10).replaceAll('-', ''),
  ScheduledProcedureStepStartTime: row.scheduled_at.slice(11, 19).replaceAll(':', ''),
  ScheduledPerformingPhysicianName: row.performing_technologist_name,
  ScheduledProcedureStepDescription: procedure,
  ScheduledProtocolCodeSequence: codes,
  ScheduledProcedureStepID: requestedProcedureId(row),
  ScheduledStationName: short(row.equipment_name),
  ScheduledProcedureStepLocation: short(row.equipment_room),
});

/** The order's own number where it has one that fits; else one that is made from its id and always the same. */
const requestedProcedureId = ({ order_number, accession_number, id }: OrderRow): string =>
  [order_number, accession_number].find((number) => number !== '' && number.length <= 16) ??
  id.replaceAll('-', '').slice(-16).toUpperCase();

const procedureCodes = (code: string, meaning: string): Elements[] =>
  code === '' ? [] : [{ CodeValue: short(code), CodingSchemeDesignator: '99RADWORK', CodeMeaning: meaning || code }];
