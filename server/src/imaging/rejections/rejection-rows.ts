import type { NamedPatient } from '@radwork/contract/core/named-patient';
import type { Rejection } from '@radwork/contract/imaging/rejections';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import { isId } from '#core/values/ids.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';

type RejectionRow = {
  id: string;
  title: Rejection['title'];
  reason_code: string;
  reason_meaning: string;
  comment: string;
  note_uid: string | null;
  withheld: Rejection['withheld'];
  move_id: string | null;
  moved_to: Rejection['movedTo'];
  rejected_by_name: string;
  rejected_at: string;
  images: number;
  missing: number;
  series: Rejection['series'];
};

const selectRejections = (scope: Scope, studyId: string, id?: string): Promise<RejectionRow[]> =>
  withRejected(scope, async () => {
    const { rows } = await sql<RejectionRow>`
      select r.id, r.title, r.reason_code, r.reason_meaning, r.comment, r.note_uid, r.withheld, r.move_id, r.rejected_by_name,
        r.rejected_at, named.images, named.missing, target.study as moved_to, coalesce(stored.series, '[]') as series
      from rejections r
      cross join lateral (
        select count(*)::int as images, count(*) filter (where i.id is null)::int as missing
        from rejected_images image
        left join instances i on i.study_id = image.study_id and i.sop_instance_uid = image.sop_instance_uid
        where image.rejection_id = r.id) named
      cross join lateral (
        select json_agg(json_build_object(
          'seriesInstanceUID', one.series_instance_uid, 'seriesNumber', one.series_number,
          'seriesDescription', one.series_description, 'modality', one.modality, 'images', one.images,
          'instanceNumber', one.instance_number) order by one.series_number nulls last, one.id) as series
        from (
          select s.id, s.series_instance_uid, s.series_number, s.series_description, s.modality, count(*)::int as images,
            case when count(*) = 1 then min(i.instance_number) end as instance_number
          from rejected_images image
          join instances i on i.study_id = image.study_id and i.sop_instance_uid = image.sop_instance_uid
          join series s on s.id = i.series_id
          where image.rejection_id = r.id
          group by s.tenant_id, s.id) one) stored
      left join lateral (
        select json_build_object('studyId', s.id, 'description', coalesce(nullif(s.description, ''), s.study_description),
          'patient', json_build_object('id', s.patient_id, 'patientName', s.patient_name,
            'patientId', s.patient_identifier)) as study
        from series_moves m join studies s on s.id = m.to_study_id
        where m.id = r.move_id and s.deleted_at is null and ${mayKnowStudy(scope.session, 's.id')}) target on true
      where r.study_id = ${studyId} and not r.is_copy and r.restored_at is null and (${id ?? null}::uuid is null or r.id = ${id ?? null})
      order by r.rejected_at desc, r.id desc`.execute(scope.db);
    return rows;
  });

/** Returns the rejections of a study that were not undone, latest first. */
export const rejectionsOfStudy = (scope: Scope, studyId: string): Promise<RejectionRow[]> =>
  selectRejections(scope, studyId);

/** Returns a rejection of the study that was not undone. */
export const rejectionById = async (scope: Scope, studyId: string, id: string): Promise<RejectionRow | undefined> =>
  isId(id) ? (await selectRejections(scope, studyId, id))[0] : undefined;

const shownPatient = ({ patientName, ...patient }: NamedPatient): NamedPatient => ({
  ...patient,
  patientName: displayName(patientName),
});

export const toRejection = (row: RejectionRow): Rejection => ({
  id: row.id,
  title: row.title,
  reasonCode: row.reason_code,
  reasonMeaning: row.reason_meaning,
  comment: row.comment,
  isNote: row.note_uid !== null,
  withheld: row.withheld,
  isMove: row.move_id !== null,
  movedTo: row.moved_to && { ...row.moved_to, patient: shownPatient(row.moved_to.patient) },
  rejectedBy: row.rejected_by_name,
  rejectedDate: row.rejected_at,
  images: row.images,
  missing: row.missing,
  series: row.series,
});

type Image = { seriesInstanceUID: string; sopInstanceUID: string };

/** Returns the images of a series, or one of these, that readers see. */
export const selectedImages = (
  { db }: Scope,
  studyId: string,
  { seriesInstanceUID, sopInstanceUID }: { seriesInstanceUID: string; sopInstanceUID?: string | undefined },
): Promise<Image[]> =>
  db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select(['s.series_instance_uid as seriesInstanceUID', 'i.sop_instance_uid as sopInstanceUID'])
    .where('s.study_id', '=', studyId)
    .where('s.series_instance_uid', '=', seriesInstanceUID)
    .$if(sopInstanceUID !== undefined, (query) => query.where('i.sop_instance_uid', '=', sopInstanceUID ?? ''))
    .execute();

/**
 * Returns what refers to these images: key images, measurements, and a finalized report of their study. A measurement
 * through a volume is hidden with the last image of its series.
 */
export const contentsToReject = async ({ db }: Scope, { id }: { id: string }, images: readonly Image[]) => {
  const uids = images.map(({ sopInstanceUID }) => sopInstanceUID);
  const series = images.map(({ seriesInstanceUID }) => seriesInstanceUID);
  const { rows } = await sql<{ key_images: number; measurements: number; has_finalized_report: boolean }>`
    select
      (select count(*)::int from key_images
        where study_id = ${id} and removed_at is null
          and sop_instance_uid = any(${uids}::text[])) as key_images,
      (select count(*)::int from measurements m
        where m.study_id = ${id} and m.removed_at is null and case
          when m.sop_instance_uid is not null then m.sop_instance_uid = any(${uids}::text[])
          else m.series_instance_uid = any(${series}::text[]) and not exists (
            select from series s join instances i on i.series_id = s.id
            where s.study_id = m.study_id and s.series_instance_uid = m.series_instance_uid
              and i.sop_instance_uid <> all(${uids}::text[])) end) as measurements,
      exists (select from reports where study_id = ${id} and status = 'FINALIZED') as has_finalized_report`.execute(db);
  return rows[0] ?? { key_images: 0, measurements: 0, has_finalized_report: false };
};
