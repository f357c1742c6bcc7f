import { t } from '@radwork/contract/core/translate';
import { type DicomJson, itemsOf, textOf, valuesOf } from '@radwork/dicom/dataset';
import { matchRange } from '@radwork/dicom/dicom-date';
import type { Elements } from '@radwork/dicom/part10';
import { isUid } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { hasRejectedImages } from '#imaging/archive/rejection/rejected-of-order.ts';
import { type Condition, type Matcher, personName, text } from '#imaging/archive/search/search-conditions.ts';
import { matchTimes, momentConditions } from '#imaging/archive/search/search-times.ts';
import type { Scope } from '#core/access/scope.ts';
import { queryOf } from './archive-queries.ts';
import { BadQuery, selectRequestedKeys } from './requested-keys.ts';
import { type OrderRow, worklistItem } from './worklist-item.ts';

/**
 * Finds worklist items (PS3.4 §K.4.1): studies of the tenant without images that were neither started nor canceled.
 * Items from today on come first, the earliest first. Then past items follow, the latest first, so the limit `most`
 * drops the oldest. Returns only the requested keys. Stores the patient data of each item, because images made from it
 * repeat these data. Throws BadQuery.
 */
export const findWorklistItems = async (
  { db }: Scope,
  identifier: DicomJson,
  callingAeTitle: string,
  most: number,
): Promise<Elements[]> => {
  const [step = {}] = itemsOf(identifier, 'ScheduledProcedureStepSequence');
  const conditions = sql.join([sql`true`, ...orderConditions(identifier), ...stepConditions(step)], sql` and `);
  const { rows } = await sql<OrderRow>`
    select * from (
      select studies.id, study_instance_uid, accession_number, study_description, description, modality, priority,
             referring_physician_name, equipment_name, equipment_room, order_number, ordering_physician_name,
             procedure_code, procedure_description, performing_technologist_name, patients.patient_id, issuer,
             patients.id as patient_row,
             patients.patient_name, patients.folded_name, gender, date_of_birth,
             coalesce(scheduled_at, nullif(study_date, '0001-01-01'), studies.created_at at time zone time_zone)
               as scheduled_at,
             (now() at time zone time_zone)::date as today
      from studies
      join patients on patients.id = studies.patient_id
      join tenants on tenants.id = studies.tenant_id
      where instance_count = 0 and deleted_at is null and status in ('PENDING', 'ASSIGNED')
        and not ${hasRejectedImages('studies.id')}) orders
    where ${conditions}
    order by scheduled_at < today, case when scheduled_at >= today then scheduled_at end, scheduled_at desc, id
    limit ${most}`.execute(db);
  await recordSent(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => selectRequestedKeys(identifier, worklistItem(row, stationOf(step, callingAeTitle))));
};

const recordSent = async (db: Scope['db'], studyIds: readonly string[]) => {
  if (studyIds.length === 0) return;
  await sql`
    insert into worklist_told (study_id, patient_id, issuer, patient_name)
      select studies.id, patients.patient_id, patients.issuer, patients.patient_name
      from studies join patients on patients.id = studies.patient_id
      where studies.id = any(${studyIds}::uuid[])
    on conflict do nothing`.execute(db);
};

const orderConditions = (identifier: DicomJson): Condition[] => [
  ...conditionFor(identifier, 'PatientName', matching(personName('folded_name'))),
  ...conditionFor(identifier, 'PatientID', patientId),
  ...conditionFor(identifier, 'AccessionNumber', matching(text('accession_number'))),
  ...conditionFor(
    identifier,
    'RequestedProcedureID',
    (id) => sql`${id} in (order_number, accession_number, upper(right(replace(id::text, '-', ''), 16)))`,
  ),
  ...conditionFor(identifier, 'StudyInstanceUID', () => {
    const uids = valuesOf(identifier, 'StudyInstanceUID').map(String);
    if (!uids.every(isUid)) throw new BadQuery(t`The Study Instance UID is not a UID.`);
    return sql`study_instance_uid = any(${uids})`;
  }),
];

const stepConditions = (step: DicomJson): Condition[] => [
  ...conditionFor(step, 'Modality', () => sql`modality = any(${valuesOf(step, 'Modality').map(String)})`),
  ...startConditions(step),
];

/** Keys used for matching. Every order is for any station, so every station title matches. */
const matchedKeys = new Set([
  'PatientName',
  'PatientID',
  'AccessionNumber',
  'RequestedProcedureID',
  'StudyInstanceUID',
  'ScheduledProcedureStepSequence.Modality',
  'ScheduledProcedureStepSequence.ScheduledProcedureStepStartDate',
  'ScheduledProcedureStepSequence.ScheduledProcedureStepStartTime',
  'ScheduledProcedureStepSequence.ScheduledStationAETitle',
]);

/** True when a query has a value for a key that is not used for matching. */
export const ignoresWorklistKeys = (identifier: DicomJson): boolean =>
  Object.keys(queryOf(identifier)).some((key) => !matchedKeys.has(key));

/** Returns the value of a key, or '' if the value matches everything: no value, or "*" (PS3.4 §C.2.2.2.3). */
const keyIn = (identifier: DicomJson, keyword: string): string => {
  const value = textOf(identifier, keyword)?.trim() ?? '';
  return value === '*' ? '' : value;
};

const conditionFor = (identifier: DicomJson, keyword: string, condition: (value: string) => Condition): Condition[] => {
  const value = keyIn(identifier, keyword);
  return value === '' ? [] : [condition(value)];
};

/**
 * Matches names and identifiers like the search of the archive. Identifiers are matched with case, because IDs that
 * differ only in case may belong to two patients.
 */
const matching =
  (matcher: Matcher) =>
  (value: string): Condition =>
    matcher(value, '', { isFuzzy: false });

/** Matches a Patient ID, or an ID from before a merge, because a wristband may still show that ID. */
const patientId = (value: string): Condition =>
  sql`(${matching(text('patient_id'))(value)} or patient_row in (
    select merged_into from patients where merged_into is not null and ${matching(text('patients.patient_id'))(value)}))`;

/** Combines a date range and a time range into one range of moments (PS3.4 Table K.6-1). */
const startConditions = (step: DicomJson): Condition[] => {
  const keyOf = (name: string) => ({ name, value: keyIn(step, name) });
  const date = keyOf('ScheduledProcedureStepStartDate');
  const time = keyOf('ScheduledProcedureStepStartTime');
  if (date.value && !matchRange(date.value)) throw new BadQuery(t`The start date must be a date or a date range.`);
  if (time.value && !matchTimes(time.value)) throw new BadQuery(t`The start time must be a time or a time range.`);
  return momentConditions({ column: 'scheduled_at', date, time });
};

/**
 * Returns the requested station title. Returns the calling AE title if the query names no station or uses a wildcard.
 */
const stationOf = (step: DicomJson, callingAeTitle: string): string => {
  const station = textOf(step, 'ScheduledStationAETitle') ?? '';
  return station === '' || /[*?]/.test(station) ? callingAeTitle : station;
};
