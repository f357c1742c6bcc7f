import type { Elements } from '@radwork/dicom/part10';

/** An order with its patient, as the worklist query reads it: a study without images. */
export type OrderRow = {
  id: string;
  study_instance_uid: string;
  /** The time of the order, or else the time when it was created. */
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

/** Our priorities as Requested Procedure Priority (PS3.3 §C.4.11). */
const priorities = { STAT: 'STAT', URGENT: 'HIGH', ROUTINE: 'ROUTINE' } as const;

/** Lengths in characters, not bytes: SH at most 16, LO at most 64 (PS3.5 §6.2). */
const lengths = { short: 16, long: 64 };

/** Text for users may be truncated. A backslash would split it into two values (PS3.5 §6.4). */
const plain = (text: string) => text.replaceAll('\\', '/');
const short = (text: string) => plain(text).slice(0, lengths.short);
const long = (text: string) => plain(text).slice(0, lengths.long);

/** An identifier is never truncated, because two could become equal. Returns '' if it does not fit. */
const identifier = (text: string, most: number) => (text.length <= most && !text.includes('\\') ? text : '');

/**
 * Converts an order to a worklist item (PS3.4 Table K.6-1). Orders name no station, so each is scheduled for the
 * station that asks.
 */
export const worklistItem = (row: OrderRow, stationAeTitle: string): Elements => {
  const procedure = long(row.procedure_description || row.study_description || row.description);
  const codes = procedureCodes(row.procedure_code, procedure);
  return {
    AccessionNumber: identifier(row.accession_number, lengths.short),
    ReferringPhysicianName: plain(row.referring_physician_name),
    PatientName: plain(row.patient_name),
    PatientID: identifier(row.patient_id, lengths.long),
    IssuerOfPatientID: identifier(row.issuer, lengths.long),
    PatientBirthDate: row.date_of_birth?.replaceAll('-', '') ?? '',
    PatientSex: row.gender === 'U' ? '' : row.gender,
    StudyInstanceUID: row.study_instance_uid,
    RequestingPhysician: plain(row.ordering_physician_name),
    RequestedProcedureDescription: procedure,
    RequestedProcedureCodeSequence: codes,
    RequestedProcedureID: requestedProcedureId(row),
    RequestedProcedurePriority: priorities[row.priority],
    PlacerOrderNumberImagingServiceRequest: identifier(row.order_number, lengths.long),
    ScheduledProcedureStepSequence: [scheduledStep(row, stationAeTitle, procedure, codes)],
  };
};

const scheduledStep = (row: OrderRow, stationAeTitle: string, procedure: string, codes: Elements[]): Elements => ({
  Modality: row.modality,
  ScheduledStationAETitle: stationAeTitle,
  ScheduledProcedureStepStartDate: row.scheduled_at.slice(0, 10).replaceAll('-', ''),
  ScheduledProcedureStepStartTime: row.scheduled_at.slice(11, 19).replaceAll(':', ''),
  ScheduledPerformingPhysicianName: plain(row.performing_technologist_name),
  ScheduledProcedureStepDescription: procedure,
  ScheduledProtocolCodeSequence: codes,
  ScheduledProcedureStepID: requestedProcedureId(row),
  ScheduledStationName: short(row.equipment_name),
  ScheduledProcedureStepLocation: short(row.equipment_room),
});

/** The order number or the accession number, if it fits. Otherwise a stable ID made from the row id. */
const requestedProcedureId = ({ order_number, accession_number, id }: OrderRow): string =>
  [order_number, accession_number].find((number) => identifier(number, lengths.short) !== '') ??
  id.replaceAll('-', '').slice(-16).toUpperCase();

const procedureCodes = (code: string, meaning: string): Elements[] => {
  if (identifier(code, code.length) === '') return [];
  // A longer code is written in another element (PS3.3 §8.1).
  const value = code.length <= lengths.short ? { CodeValue: code } : { LongCodeValue: code };
  return [{ ...value, CodingSchemeDesignator: '99RADWORK', CodeMeaning: meaning || code }];
};
