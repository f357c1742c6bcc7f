import { sql } from 'kysely';
import type { Scope } from '#core/access/scope.ts';
import { describeFile } from '#imaging/archive/header/study-attributes.ts';
import { doseColumns, recountDose } from '#imaging/archive/index/dose-of-files.ts';
import { columnsFilledByImages } from '#imaging/archive/index/note-join.ts';
import { withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import { headersOf } from '#imaging/studies/describe-images.ts';

/** Texts of a study that files fill when they are empty. Copies name the date of their target. */
const texts = columnsFilledByImages.filter(
  (column) => column !== 'study_date' && !doseColumns.some((dose) => dose === column),
);

/** The date of a study. Copies name the date of their target, and so confirm a presumed one. */
const dates = ['study_date', 'is_study_time_known', 'is_date_presumed'] as const;

/** Stores columns of the target of a move as they were. Call it before the copies fill them. */
export const noteTarget = async ({ db }: Scope, moveId: string): Promise<void> => {
  const columns = [...texts, ...dates, 'modality', 'modalities', 'instance_count', 'created_at'];
  await sql`
    update series_moves m set target_before =
      (select jsonb_object_agg(key, value) from jsonb_each(to_jsonb(s)) where key = any(${columns}::text[]))
    from studies s where m.id = ${moveId} and s.id = m.to_study_id`.execute(db);
};

/**
 * Restores the columns that only the copies of a failed or undone move have filled, and the dose of the target. The copies
 * are hidden, and the caller holds the lock of the study.
 */
export const restoreTarget = async (scope: Scope, moveId: string): Promise<void> => {
  const { db } = scope;
  const { rows } = await sql<Target>`
    select s.id, s.study_instance_uid, to_jsonb(s) as now, m.target_before as before
    from series_moves m join studies s on s.id = m.to_study_id
    where m.id = ${moveId} and m.target_before is not null`.execute(db);
  const [target] = rows;
  if (!target) return;
  const { id, now, before } = target;
  const filled = texts.filter((column) => isBlank(before[column]) && !isBlank(now[column]));
  const isOrder = before['instance_count'] === 0 && now['instance_count'] === 0;
  const isConfirmed = before['is_date_presumed'] === true && now['is_date_presumed'] === false;
  if (filled.length > 0 || isOrder || isConfirmed) {
    const files = await withRejected(scope, () => valuesOfFiles(scope, target));
    const foreign = filled.filter((column) => {
      const value = String(now[column]);
      return files.copies.has(`${column} ${value}`) && !files.others.has(`${column} ${value}`);
    });
    // A user may have changed the modality since.
    const isOfCopies = isOrder && files.copies.has(`modality ${String(now['modality'])}`);
    const isDateOfCopies = isConfirmed && !files.areOthersDated && now['study_date'] === before['study_date'];
    const restored = [
      ...foreign,
      ...(isOfCopies ? ['modality', 'modalities', 'created_at'] : []),
      ...(isDateOfCopies ? dates : []),
    ];
    if (restored.length > 0)
      await sql`
        update studies s
        set ${sql.join(restored.map((column) => sql`${sql.ref(column)} = ${sql.ref(`b.${column}`)}`))}, updated_at = now()
        from series_moves m cross join lateral jsonb_populate_record(null::studies, m.target_before) b
        where m.id = ${moveId} and s.id = ${id}`.execute(db);
  }
  await recountDose(scope, id, { canRise: false });
};

type Columns = Record<string, unknown>;
type Target = { id: string; study_instance_uid: string; now: Columns; before: Columns };

const isBlank = (value: unknown): boolean => value === null || value === undefined || value === '';

/** Returns the columns with their values in the hidden copies, and in the other files of the study. */
const valuesOfFiles = async (scope: Scope, { id, study_instance_uid }: Target) => {
  const [copies, others] = [new Set<string>(), new Set<string>()];
  let areOthersDated = false;
  for await (const { header, isCopy } of headersOf(scope, id)) {
    const { study, series } = describeFile(header, study_instance_uid);
    const values = isCopy ? copies : others;
    areOthersDated ||= !isCopy && study.study_date !== null;
    values.add(`modality ${series.modality}`);
    for (const [column, value] of Object.entries(study)) values.add(`${column} ${String(value)}`);
  }
  return { copies, others, areOthersDated };
};
