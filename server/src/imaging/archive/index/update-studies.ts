import { isAcquisition, mainModality } from '@radwork/contract/core/modalities';
import { hasTime } from '@radwork/dicom/dicom-date';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Schema } from '#core/database/database.ts';
import type { Scope } from '#core/access/scope.ts';
import { statement } from '#core/database/statement.ts';
import { setSeriesModality } from './batch-statements.ts';
import type { MixedSeries, NewInstance, Plan, StudyAdditions } from './plan-batch.ts';
import {
  noStudyDate,
  type StudyAttributes,
  studyAttributes,
  mergedAttributes,
} from '#imaging/archive/header/study-attributes.ts';
import { ConcurrentWrite } from './concurrent-write.ts';

/** Updates counts, modalities and attributes of the studies and series of a plan with its new instances. */
export const updateStudies = async (scope: Scope, { additions }: Plan): Promise<void> => {
  await Promise.all(additions.map((addition) => updateStudy(scope, addition)));
};

const updateStudy = async (
  scope: Scope,
  { studyId, patientRow, dated, newSeries, instances, mixed }: StudyAdditions,
): Promise<void> => {
  const attributes = attributesOf(instances);
  for (const series of mixed) await setModalityByImages(scope, series);
  const current = newSeries > 0 || mixed.length > 0 ? await modalitiesOf(scope, studyId) : undefined;
  const others = mixed.flatMap((series) => [
    series.modality,
    ...series.others.map(({ candidate }) => candidate.described.series.modality),
  ]);
  const modalities = current && { ...current, modalities: [...new Set([...current.modalities, ...others])] };
  const dates = improvesDate(dated, attributes);
  const counts = { studyId, patientRow: patientRow ?? null, newSeries, ...countsOf(instances) };
  const update = { ...attributes, ...counts, hasStudyTime: hasTime(attributes.study_date ?? '') };
  const [updated] = modalities
    ? await updateWithModalities[`${dates}`](scope.db, { ...update, ...modalities })
    : await updateAlone[`${dates}`](scope.db, update);
  // A series that another transaction has just shown again is not visible to this statement yet.
  if (updated?.counted !== counts.seriesIds.length) throw new ConcurrentWrite();
};

/** True when the files add a date to a study without one, or a time to a study with only a day. */
const improvesDate = (dated: StudyAdditions['dated'], { study_date }: StudyAttributes): boolean =>
  study_date !== null && (dated === 'NO' || (dated === 'DAY' && hasTime(study_date)));

/** Sets the modality of a series to that of its images, whichever of its instances came first. */
const setModalityByImages = async ({ db }: Scope, { seriesId, modality, others }: MixedSeries) => {
  const isLeading = ({ candidate: { instance, described } }: NewInstance) =>
    instance.is_renderable && isAcquisition(described.series.modality);
  const image = others.find(isLeading);
  if (!image) return;
  await setSeriesModality(db, {
    seriesId,
    modality: image.candidate.described.series.modality,
    isDerived: !isAcquisition(modality),
    instanceIds: others.map(({ id }) => id),
  });
};

/**
 * Combines the attributes of the files. Acquisitions come first, because reports and annotations come from other
 * equipment.
 */
const attributesOf = (instances: readonly NewInstance[]): StudyAttributes => {
  const files = instances.map(({ candidate }) => candidate.described);
  const [acquired, derived] = [true, false].map((isAcquired) =>
    files.filter(({ series }) => isAcquisition(series.modality) === isAcquired),
  );
  return [...(acquired ?? []), ...(derived ?? [])].map(({ study }) => study).reduce(mergedAttributes);
};

/**
 * Returns the modalities of a study's series. The main modality is that of the first series with images, if there is
 * one.
 */
export const modalitiesOf = async ({ db }: Scope, studyId: string) => {
  const rows = await db
    .selectFrom('series')
    .select('modality')
    .select(sql<boolean>`exists (select from instances where series_id = series.id and is_renderable)`.as('hasImages'))
    .where('study_id', '=', studyId)
    .orderBy(sql`series_number nulls last, id`)
    .execute();
  const inSeriesOrder = rows.map(({ modality }) => modality);
  const ofImages = rows.filter(({ hasImages }) => hasImages).map(({ modality }) => modality);
  return { modality: mainModality([...ofImages, ...inSeriesOrder]), modalities: [...new Set(inSeriesOrder)] };
};

type Counts = {
  studyId: string;
  patientRow: string | null;
  newSeries: number;
  added: number;
  /** The series of the new instances, and how many each of them gets. */
  seriesIds: string[];
  addedToSeries: number[];
};
type Update = StudyAttributes & Counts & { hasStudyTime: boolean };
type UpdateWithModalities = Update & { modality: string; modalities: string[] };

const blanks = Object.keys(studyAttributes({})).filter((column) => column !== 'study_date');

const countsOf = (instances: readonly NewInstance[]) => {
  const bySeries = Map.groupBy(instances, ({ seriesId }) => seriesId);
  return {
    added: instances.length,
    seriesIds: [...bySeries.keys()],
    addedToSeries: [...bySeries.values()].map(({ length }) => length),
  };
};

/**
 * Fills the empty columns of the study. Keeps the other columns, because users may have corrected them. All columns are
 * always named, so that few statements need to be prepared. The date is named only if it changes, because writing it
 * moves the study in lists.
 */
const blanksFilled = (files: Update, dates: boolean) => ({
  ...Object.fromEntries(blanks.map((column) => [column, filledWith(column, files[column as keyof StudyAttributes])])),
  ...(dates && {
    study_date: sql<never>`case when ${takesDateOf(files)} then ${files.study_date} else study_date end`,
    is_study_time_known: sql<never>`case when ${takesDateOf(files)}
      then ${files.hasStudyTime} else is_study_time_known end`,
    is_date_presumed: false,
  }),
});

/** SQL: true when the study has no date of its own, or when the files add the time to its day. */
const takesDateOf = ({ study_date, hasStudyTime }: Update) => sql`(is_date_presumed or study_date = ${noStudyDate} or (
  not is_study_time_known and ${hasStudyTime}::boolean and study_date = ${study_date}::timestamp::date))`;

const filledWith = (column: string, value: string | number | null): RawBuilder<never> => {
  const stored = sql.ref(column);
  switch (column) {
    case 'total_dlp':
    case 'ctdi_vol':
    case 'effective_dose':
      return sql`greatest(${stored}, ${value})`;
    case 'scheduled_at':
      return sql`coalesce(${stored}, ${value})`;
    default:
      return sql`coalesce(nullif(${stored}, ''), ${value})`;
  }
};

/**
 * Adds the new instances to the counts of the study and its series. Deletes the stored metadata of the series, because it
 * lacks the new instances.
 */
const countsAdded = (db: Transaction<Schema>, counts: Counts) =>
  db
    .with('outdated', (inner) =>
      inner.deleteFrom('series_metadata').where(sql<boolean>`series_id = any(${counts.seriesIds}::uuid[])`),
    )
    .with('counted', (inner) =>
      inner
        .updateTable('series')
        .from(
          sql<{
            of_series: string;
            added: number;
          }>`unnest(${counts.seriesIds}::uuid[], ${counts.addedToSeries}::int[])`.as<'arrived'>(
            sql`arrived (of_series, added)`,
          ),
        )
        .set({ instance_count: sql<number>`series.instance_count + arrived.added` })
        .whereRef('series.id', '=', 'arrived.of_series')
        .returning('series.id'),
    )
    .updateTable('studies')
    .set(({ eb }) => ({
      series_count: eb('series_count', '+', counts.newSeries),
      instance_count: eb('instance_count', '+', counts.added),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', counts.studyId)
    .where('deleted_at', 'is', null)
    // The plan depends on the patient of the study. If the study was moved, no row matches, and the batch is decided
    // again.
    .where(sql<boolean>`patient_id = coalesce(${counts.patientRow}::uuid, patient_id)`)
    .returning(['id', sql<number>`(select count(*) from counted)`.as('counted')]);

const updateOf = (db: Transaction<Schema>, files: Update, dates: boolean) =>
  countsAdded(db, files).set(blanksFilled(files, dates));

const alone = (dates: boolean) => statement((db, files: Update) => updateOf(db, files, dates));

const withModalities = (dates: boolean) =>
  statement((db, files: UpdateWithModalities) =>
    updateOf(db, files, dates).set({
      modality: files.modality,
      // Uses the modalities of the files too, because a series names only one modality.
      modalities: sql<string[]>`array(
        select modality from unnest(${files.modalities}::text[] || studies.modalities) with ordinality named (modality, place)
        group by modality order by min(place))`,
      created_at: arrivedWithFirstImages,
    }),
  );

/**
 * Time from which a study waits to be read. For a registered study, it starts with its first images, because before
 * there was nothing to read. Exceptions are studies reported without images and studies created in this transaction. A
 * moved study also keeps its time, which decides whether it moves back when a merge is undone.
 */
const arrivedWithFirstImages = sql<string>`case
  when instance_count = 0 and created_at < now() and named_patient_id is null
    and status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS')
  then clock_timestamp() else created_at end`;

const updateAlone = { true: alone(true), false: alone(false) };
const updateWithModalities = { true: withModalities(true), false: withModalities(false) };
