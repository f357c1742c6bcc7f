import { plural, t } from '@radwork/contract/core/translate';
import { mostKeyImages } from '@radwork/contract/reading/key-images';
import { mostMeasurements } from '@radwork/contract/reading/measurements';
import { sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import type { Events } from '#core/events/extensions.ts';
import { conflict } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { studyToChange } from '#imaging/studies/study-rows.ts';

type Move = Events['study.seriesMoved'];

/** Columns of an annotation that its author draws or writes. Series and image are those of the other study. */
const drawn = {
  measurements: ['tool', 'frame', 'frame_of_reference_uid', 'points', 'plane', 'label', 'measured'],
  key_images: ['frame', 'note', 'look'],
} as const;

/** When the text of an annotation was written. */
const written = { measurements: 'updated_at', key_images: 'changed_at' } as const;

const author = ['author_id', 'author_username', 'author_name', 'created_at'] as const;

const tables = ['measurements', 'key_images'] as const;
type Table = (typeof tables)[number];

/**
 * Copies the measurements and key images of a moved series to the copies of its images. The originals stay, hidden with
 * their images. Copied texts count as written now: a signed report of the target does not describe them. Throws 409 if the
 * target would have more than a study can have.
 */
export const copyAnnotations = async (scope: Scope, move: Move): Promise<void> => {
  const counts = await each(async (table) => {
    await sql`
      insert into copied_annotations (move_id, original_id, copy_id, revision)
      select m.id, o.id, gen_random_uuid(), 1
      from series_moves m join ${sql.table(table)} o on o.study_id = ${move.fromId} and o.removed_at is null
        and m.uids ? o.series_instance_uid and (o.sop_instance_uid is null or m.uids ? o.sop_instance_uid)
      where m.id = ${move.moveId}`.execute(scope.db);
    return insertCopies(
      scope,
      table,
      move.toId,
      sql`
      from copied_annotations a join series_moves m on m.id = a.move_id
        join ${sql.table(table)} o on o.id = a.original_id
      where a.move_id = ${move.moveId}`,
    );
  });
  refuseMore(await shownCounts(scope, move.toId));
  await audit(scope, move.toId, move.fromId, counts);
};

/** Throws 409 if the target of a move would have more annotations than a study can have. */
export const refuseManyAnnotations = async (
  scope: Scope,
  { fromId, toId, seriesUid }: Events['study.seriesMoveBegun'],
): Promise<void> => {
  const [moved, there] = [await shownCounts(scope, fromId, seriesUid), await shownCounts(scope, toId)];
  refuseMore({
    measurements: moved.measurements + there.measurements,
    key_images: moved.key_images + there.key_images,
  });
};

/**
 * After a move was undone, brings work on the copies back to the originals: changed and deleted annotations, and new ones.
 * Without such work, the originals are as before. Removes the annotations of the copies.
 */
export const returnAnnotations = async (scope: Scope, { moveId, fromId, toId }: Move): Promise<void> => {
  const { db } = scope;
  const counts = await each(async (table) => {
    const columns = sql.join([
      ...drawn[table].map((column) => sql`${sql.ref(column)} = ${sql.ref(`c.${column}`)}`),
      sql`removed_at = c.removed_at`,
      sql`revision = o.revision + 1`,
      sql`${sql.ref(written[table])} = clock_timestamp()`,
    ]);
    const { numAffectedRows: changed = 0n } = await sql`
      update ${sql.table(table)} o set ${columns}
      from copied_annotations a join ${sql.table(table)} c on c.id = a.copy_id
      where a.move_id = ${moveId} and o.id = a.original_id and c.revision <> a.revision`.execute(db);
    await sql`
      insert into copied_annotations (move_id, original_id, copy_id, revision)
      select m.id, gen_random_uuid(), c.id, c.revision
      from series_moves m join ${sql.table(table)} c on c.study_id = ${toId} and c.removed_at is null and ${isOfCopies}
      where m.id = ${moveId}
        and not exists (select from copied_annotations a where a.move_id = m.id and a.copy_id = c.id)`.execute(db);
    const added = await insertCopies(
      scope,
      table,
      fromId,
      sql`
      from copied_annotations a join series_moves s on s.id = a.move_id
        cross join lateral (select jsonb_object_agg(u.value, u.key) as uids from jsonb_each_text(s.uids) u) m
        join ${sql.table(table)} o on o.id = a.copy_id
      where a.move_id = ${moveId} and not exists (
        select from ${sql.table(table)} known where known.id = a.original_id)`,
      sql.ref('a.original_id'),
    );
    await sql`
      update ${sql.table(table)} c set removed_at = now()
      from series_moves m
      where m.id = ${moveId} and c.study_id = ${toId} and c.removed_at is null and ${isOfCopies}`.execute(db);
    return Number(changed) + added;
  });
  await audit(scope, fromId, toId, counts);
};

/** Whether an annotation (`c`) is on copies of a move (`m`). */
const isOfCopies = sql<boolean>`exists (select from jsonb_each_text(m.uids) u where u.value = c.series_instance_uid)`;

const each = async (run: (table: Table) => Promise<number>) => ({
  measurements: await run('measurements'),
  keyImages: await run('key_images'),
});

/** Inserts an annotation for each `o` of the query. `m.uids` has the UIDs of the other study, `a` the new ids. */
const insertCopies = async (
  { db }: Scope,
  table: Table,
  studyId: string,
  from: ReturnType<typeof sql>,
  id = sql.ref('a.copy_id'),
): Promise<number> => {
  const taken = [...drawn[table], ...author];
  const { numAffectedRows: added = 0n } = await sql`
    insert into ${sql.table(table)} (id, study_id, series_instance_uid, sop_instance_uid, ${sql.join(taken.map((column) => sql.ref(column)))})
    select ${id}, ${studyId}, m.uids ->> o.series_instance_uid, m.uids ->> o.sop_instance_uid,
      ${sql.join(taken.map((column) => sql.ref(`o.${column}`)))} ${from}`.execute(db);
  return Number(added);
};

type Counts = { [T in Table]: number };

/** Counts the annotations of shown images of a study, or of one series. */
const shownCounts = async ({ db }: Scope, studyId: string, seriesUid?: string): Promise<Counts> => {
  const countOf = (table: Table) => sql`(
    select count(*)::int from ${sql.table(table)} o
    where o.study_id = ${studyId} and o.removed_at is null
      and (${seriesUid ?? null}::text is null or o.series_instance_uid = ${seriesUid ?? null})
      and case when o.sop_instance_uid is null
        then exists (select from series s
          where s.study_id = o.study_id and s.series_instance_uid = o.series_instance_uid)
        else exists (select from instances i
          where i.study_id = o.study_id and i.sop_instance_uid = o.sop_instance_uid) end)`;
  const { rows } = await sql<Counts>`
    select ${countOf('measurements')} as measurements, ${countOf('key_images')} as key_images`.execute(db);
  return rows[0] ?? { measurements: 0, key_images: 0 };
};

const refuseMore = (counts: Counts): void => {
  if (counts.measurements > mostMeasurements) {
    throw conflict(
      'series.annotations',
      t`The other study would have more than ${plural(mostMeasurements, { one: '# measurement', other: '# measurements' })}. Delete some first.`,
    );
  }
  if (counts.key_images > mostKeyImages) {
    throw conflict(
      'series.annotations',
      t`The other study would have more than ${plural(mostKeyImages, { one: '# key image', other: '# key images' })}. Delete some first.`,
    );
  }
};

const audit = async (
  scope: Scope,
  studyId: string,
  otherId: string,
  counts: { measurements: number; keyImages: number },
): Promise<void> => {
  if (counts.measurements + counts.keyImages === 0) return;
  await auditStudy(scope, 'measurement.follow', await studyToChange(scope, studyId), {
    ...counts,
    fromStudyId: otherId,
  });
};
