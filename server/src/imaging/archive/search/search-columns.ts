import { sql } from 'kysely';

/** Columns of a result's study and patient. */
export const studyColumns = sql.join([
  sql`studies.study_instance_uid, studies.study_date, studies.is_study_time_known, studies.timezone_offset`,
  sql`studies.accession_number, studies.modalities, studies.referring_physician_name, studies.study_description, studies.scanner_study_id`,
  sql`studies.series_count as study_series_count, studies.instance_count as study_instance_count`,
  sql`studies.patient_name, studies.patient_identifier as patient_id, studies.patient_issuer as issuer`,
  sql`studies.patient_gender as gender, studies.patient_date_of_birth as date_of_birth`,
  sql`studies.identity_names <> '' as is_identity_open`,
]);

/** Columns of a result's series. */
export const seriesColumns = sql.join([
  sql`series.series_instance_uid, series.series_number, series.series_description, series.body_part_examined`,
  sql`series.modality, series.performed_at, series.is_performed_time_known, series.instance_count as series_instance_count`,
  sql`coalesce((
    select json_agg(json_build_object(
             'step', r.scheduled_procedure_step_id, 'procedure', r.requested_procedure_id) order by r.item)
    from series_requests r where r.series_id = series.id), '[]') as requests`,
]);

/** Columns of a result that is an instance. */
export const instanceColumns = sql.join([
  sql`instances.sop_class_uid, instances.sop_instance_uid, instances.instance_number, instances.rows`,
  sql`instances.columns, instances.bits_allocated, instances.number_of_frames, instances.transfer_syntax_uid`,
  sql`instances.missing_since is not null as is_missing`,
]);
