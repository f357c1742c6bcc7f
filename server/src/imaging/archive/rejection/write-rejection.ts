import type { RejectionTitle, WithheldReason } from '@radwork/contract/imaging/rejections';
import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { newId } from '#core/values/ids.ts';
import { modalitiesOf } from '#imaging/archive/index/update-studies.ts';
import { withRejected } from './show-rejected.ts';

export type NewRejection = {
  studyId: string;
  title: RejectionTitle;
  reasonCode: string;
  reasonMeaning: string;
  comment: string;
  noteUid: string | null;
  withheld: WithheldReason | null;
  /** The move of a series for which the images are hidden. `isCopy`: they are copies in its target. */
  move?: { id: string; isCopy: boolean };
  images: readonly { seriesInstanceUID: string; sopInstanceUID: string }[];
};

/**
 * Writes a rejection and, unless it is withheld, hides its images. The caller holds the lock of the study's UID, as
 * uploads do. Returns the id, and the number of images that are hidden now and were not before.
 */
export const writeRejection = async (
  scope: Scope,
  { studyId, images, ...rejection }: NewRejection,
): Promise<{ id: string; hidden: number }> => {
  const { db, session } = scope;
  const id = newId();
  await db
    .insertInto('rejections')
    .values({
      id,
      study_id: studyId,
      title: rejection.title,
      reason_code: rejection.reasonCode,
      reason_meaning: rejection.reasonMeaning,
      comment: rejection.comment,
      note_uid: rejection.noteUid,
      withheld: rejection.withheld,
      move_id: rejection.move?.id ?? null,
      is_copy: rejection.move?.isCopy ?? false,
      rejected_by: session.userId === '' ? null : session.userId,
      rejected_by_name: session.name || session.username,
    })
    .execute();
  const isFollowed = rejection.withheld === null;
  await sql`
    insert into rejected_images (rejection_id, study_id, series_instance_uid, sop_instance_uid, is_standing)
    select ${id}, ${studyId}, named.series_uid, named.sop_uid, ${isFollowed} and not exists (
      select from rejected_images other
      where other.study_id = ${studyId} and other.sop_instance_uid = named.sop_uid and other.is_standing)
    from unnest(${images.map(({ seriesInstanceUID }) => seriesInstanceUID)}::text[],
      ${images.map(({ sopInstanceUID }) => sopInstanceUID)}::text[]) as named (series_uid, sop_uid)
    on conflict do nothing`.execute(db);
  return { id, hidden: isFollowed ? await applyRejections(scope, studyId) : 0 };
};

/**
 * Ends a rejection and shows its images again. Images that another rejection of the study names stay hidden. Returns the
 * number of images that are shown again.
 */
export const endRejection = async (scope: Scope, studyId: string, id: string): Promise<number> => {
  const { db, session } = scope;
  await db
    .updateTable('rejections')
    .set({ restored_at: sql`now()`, restored_by_name: session.name || session.username })
    .where('id', '=', id)
    .execute();
  await db.updateTable('rejected_images').set({ is_standing: false }).where('rejection_id', '=', id).execute();
  await sql`
    update rejected_images as image set is_standing = true
    from (
      select distinct on (other.sop_instance_uid) other.rejection_id, other.sop_instance_uid
      from rejected_images ended
      join rejected_images other on other.study_id = ended.study_id and other.sop_instance_uid = ended.sop_instance_uid
      join rejections r on r.id = other.rejection_id and r.restored_at is null and r.withheld is null
      where ended.rejection_id = ${id} and not exists (
        select from rejected_images standing
        where standing.study_id = ended.study_id and standing.sop_instance_uid = ended.sop_instance_uid
          and standing.is_standing)
      order by other.sop_instance_uid, r.rejected_at, r.id) next
    where image.rejection_id = next.rejection_id and image.sop_instance_uid = next.sop_instance_uid`.execute(db);
  const { numUpdatedRows: shown } = await withRejected(scope, () =>
    db
      .updateTable('instances')
      // Reports count restored images as new.
      .set({ rejection_id: null, shown_at: sql`now()` })
      .where('study_id', '=', studyId)
      .where('rejection_id', '=', id)
      .executeTakeFirstOrThrow(),
  );
  const hidden = await applyRejections(scope, studyId);
  return Number(shown) - hidden;
};

/**
 * Hides the stored images of the study that standing rejections name, and counts the study again. Returns the number of
 * images that were hidden.
 */
export const applyRejections = async (scope: Scope, studyId: string): Promise<number> => {
  const { db } = scope;
  const { numAffectedRows: hidden = 0n } = await withRejected(scope, () =>
    sql`
      update instances set rejection_id = image.rejection_id
      from rejected_images image
      where image.study_id = ${studyId} and image.is_standing and instances.study_id = ${studyId}
        and instances.sop_instance_uid = image.sop_instance_uid and instances.rejection_id is null`.execute(db),
  );
  await countShown(scope, studyId);
  return Number(hidden);
};

/**
 * Counts the instances that readers see, hides series without any, sets the modalities of the study, and makes caches of
 * its contents void. `gone`: modalities of series that left the study.
 */
export const countShown = async (scope: Scope, studyId: string, gone: readonly string[] = []): Promise<void> => {
  const { db } = scope;
  // Two transactions that hide or show images of the study must not count at the same time.
  await sql`select from studies where id = ${studyId} for no key update`.execute(db);
  const everyModality = await withRejected(scope, async () => {
    await sql`
      update series set instance_count = counted.shown, is_rejected = counted.shown = 0 and counted.stored > 0
      from (
        select s.id, count(i.id)::int as stored, count(i.id) filter (where i.rejection_id is null)::int as shown
        from series s left join instances i on i.series_id = s.id
        where s.study_id = ${studyId} group by s.id) counted
      where series.id = counted.id`.execute(db);
    await sql`
      delete from series_metadata where series_id in (select id from series where study_id = ${studyId})`.execute(db);
    return (await modalitiesOf(scope, studyId)).modalities;
  });
  const { modality, modalities } = await modalitiesOf(scope, studyId);
  const study = await db.selectFrom('studies').select('modalities').where('id', '=', studyId).executeTakeFirstOrThrow();
  // A series names one modality, although its files may have several (index/update-studies.ts).
  const ofFiles = study.modalities.filter((one) => ![...everyModality, ...gone].includes(one));
  // Without a shown image, the study keeps the modality that lists show and filters find.
  const named = modalities.length > 0 ? { modality, modalities: [...modalities, ...ofFiles] } : {};
  await db
    .updateTable('studies')
    .set(({ eb }) => ({
      ...named,
      series_count: sql<number>`(select count(*)::int from series where study_id = ${studyId})`,
      instance_count: sql<number>`(select count(*)::int from instances where study_id = ${studyId})`,
      content_revision: eb('content_revision', '+', 1),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', studyId)
    .execute();
};
