import type { SeriesMove } from '@radwork/contract/imaging/series-moves';
import { newUid } from '@radwork/dicom/uid';
import { type Selectable, sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { mayKnowStudy } from '#core/access/study-access.ts';
import type { SeriesMoves } from '#core/database/schema.ts';
import { newId } from '#core/values/ids.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import type { StoredPatient } from '#imaging/patient-records/patient-rows.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import type { StoredImage } from './copy-images.ts';

export type SeriesImage = StoredImage & { isMissing: boolean };

/** Returns the images of a series that readers see. */
export const imagesOfSeries = async ({ db }: Scope, studyId: string, uid: string): Promise<SeriesImage[]> => {
  const rows = await db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select(['i.sop_instance_uid', 'i.sha256', 'i.size', 'i.missing_since'])
    .where('s.study_id', '=', studyId)
    .where('s.series_instance_uid', '=', uid)
    .orderBy('i.id')
    .execute();
  return rows.map((row) => ({
    sopInstanceUID: row.sop_instance_uid,
    sha256: row.sha256.toString('hex'),
    size: row.size,
    isMissing: row.missing_since !== null,
  }));
};

/** Creates a study of a patient for a moved series, with the date and description of the first study. */
export const createTarget = async (
  { db }: Scope,
  from: StoredStudy,
  patient: StoredPatient,
): Promise<{ id: string; uid: string }> => {
  const study = { id: newId(), uid: newUid() };
  await db
    .insertInto('studies')
    .values({
      id: study.id,
      study_instance_uid: study.uid,
      patient_id: patient.id,
      patient_name: patient.patient_name,
      patient_identifier: patient.patient_id,
      study_date: from.study_date,
      is_study_time_known: from.is_study_time_known,
      is_date_presumed: from.is_date_presumed,
      description: from.description,
      study_description: from.study_description,
      modality: from.modality,
      modalities: [from.modality],
      priority: from.priority,
      group_ids: from.group_ids,
      created_at: sql<string>`clock_timestamp()`,
    })
    .execute();
  return study;
};

/** Returns the UIDs of studies, also of deleted ones. */
export const uidsOfStudies = async ({ db }: Scope, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.selectFrom('studies').select('study_instance_uid').where('id', 'in', ids).execute();
  return rows.map((study) => study.study_instance_uid);
};

/** Returns a move. `lock`: it cannot end, fail or be separated before the transaction ends. */
export const moveById = ({ db }: Scope, id: string, { lock }: { lock: boolean }) =>
  db
    .selectFrom('series_moves')
    .select(['from_study_id', 'to_study_id', 'state'])
    .where('id', '=', id)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();

/** Returns a move whose copies are being stored. */
export const runningMove = ({ db }: Scope, id: string): Promise<Selectable<SeriesMoves> | undefined> =>
  db.selectFrom('series_moves').selectAll().where('id', '=', id).where('state', '=', 'COPYING').executeTakeFirst();

/** Whether a move of the series is running, or was canceled and its job has not cleaned up yet. */
export const isMoving = async ({ db }: Scope, studyId: string, seriesUid: string): Promise<boolean> => {
  const running = await db
    .selectFrom('series_moves')
    .select('id')
    .where('from_study_id', '=', studyId)
    .where('series_instance_uid', '=', seriesUid)
    .where('refiling', 'is not', null)
    .executeTakeFirst();
  return running !== undefined;
};

/** Returns the UIDs of the copies that are stored, although hidden. */
export const storedCopies = (
  scope: Scope,
  { to_study_id, uids }: Pick<Selectable<SeriesMoves>, 'to_study_id' | 'uids'>,
): Promise<Set<string>> =>
  withRejected(scope, async () => {
    const rows = await scope.db
      .selectFrom('instances')
      .select('sop_instance_uid')
      .where('study_id', '=', to_study_id)
      .where('sop_instance_uid', '=', sql<string>`any(${Object.values(uids as Record<string, string>)}::text[])`)
      .execute();
    return new Set(rows.map((row) => row.sop_instance_uid));
  });

/** Returns moves of series of a study that run, or have ended within a day, latest first; or the move with an id. */
export const movesFrom = async ({ db, session }: Scope, studyId: string, id?: string): Promise<SeriesMove[]> => {
  const rows = await db
    .selectFrom('series_moves as m')
    .select(['m.id', 'm.series_instance_uid', 'm.state', 'm.image_count', 'm.copied_count', 'm.cause'])
    .select(['m.moved_by_name', 'm.moved_at'])
    .select([
      sql<string | null>`(select s.id from studies s
        where s.id = m.to_study_id and s.deleted_at is null and ${mayKnowStudy(session, 's.id')})`.as('study_id'),
      sql<string | null>`(select r.id from rejections r
        where r.move_id = m.id and not r.is_copy and r.restored_at is null limit 1)`.as('rejection_id'),
    ])
    .where('m.from_study_id', '=', studyId)
    .$if(id !== undefined, (moves) => moves.where('m.id', '=', id ?? ''))
    .$if(id === undefined, (moves) =>
      moves.where(sql<boolean>`(m.state = 'COPYING' or m.ended_at > now() - interval '1 day')`),
    )
    .orderBy('m.moved_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    seriesInstanceUID: row.series_instance_uid,
    state: row.state as SeriesMove['state'],
    images: row.image_count,
    copied: row.copied_count,
    cause: row.cause,
    studyId: row.study_id,
    rejectionId: row.rejection_id,
    movedBy: row.moved_by_name,
    movedDate: row.moved_at,
  }));
};

/** Counts the instances of a study that readers see. */
export const countOfStudy = async ({ db }: Scope, id: string): Promise<number> => {
  const row = await db.selectFrom('studies').select('instance_count').where('id', '=', id).executeTakeFirst();
  return row?.instance_count ?? 0;
};

/** Moves a study without shown images and without a report to the recycle bin. Returns whether it did. */
export const binStudy = async ({ db }: Scope, id: string): Promise<boolean> => {
  const binned = await db
    .updateTable('studies')
    .set(({ eb }) => ({ deleted_at: sql`now()`, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('instance_count', '=', 0)
    .where(sql<boolean>`not exists (select from reports r where r.study_id = ${id})`)
    .executeTakeFirst();
  return binned.numUpdatedRows > 0n;
};

/** Returns the rejection that hides the copies of a move. */
export const copiesOfMove = async ({ db }: Scope, moveId: string) => {
  const images = await db
    .selectFrom('rejections as r')
    .innerJoin('rejected_images as i', 'i.rejection_id', 'r.id')
    .select(['r.id', 'i.series_instance_uid as seriesInstanceUID', 'i.sop_instance_uid as sopInstanceUID'])
    .where('r.move_id', '=', moveId)
    .where('r.is_copy', '=', true)
    .orderBy('r.rejected_at')
    .execute();
  const [first] = images;
  return images.filter(({ id }) => id === first?.id);
};

/** Whether a report of the study, an addendum or a critical finding was written or changed since a time. */
export const isReportedSince = async ({ db }: Scope, studyId: string, since: string): Promise<boolean> => {
  const { rows } = await sql<{ is_reported: boolean }>`
    select exists (
      select from reports r where r.study_id = ${studyId}
        and (r.created_at > ${since}::timestamptz or r.updated_at > ${since}::timestamptz
          or exists (select from report_addenda a where a.report_id = r.id and a.updated_at > ${since}::timestamptz))
    ) or exists (
      select from critical_findings c where c.study_id = ${studyId} and c.identified_at > ${since}::timestamptz
    ) as is_reported`.execute(db);
  return rows[0]?.is_reported ?? false;
};

/** Whether copies of the move were moved to a third study. */
export const isMovedOn = async ({ db }: Scope, moveId: string): Promise<boolean> => {
  const { rows } = await sql<{ is_moved: boolean }>`
    select exists (
      select from rejections copies
      join rejected_images copy on copy.rejection_id = copies.id
      join rejected_images other on other.study_id = copy.study_id and other.sop_instance_uid = copy.sop_instance_uid
        and other.is_standing
      join rejections r on r.id = other.rejection_id and r.move_id is not null and not r.is_copy
      where copies.move_id = ${moveId} and copies.is_copy) as is_moved`.execute(db);
  return rows[0]?.is_moved ?? false;
};
