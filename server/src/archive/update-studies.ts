import { isAcquisition, mainModality } from '@radwork/contract/modalities';
import { type RawBuilder, sql } from 'kysely';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import type { NewInstance, Plan, StudyAdditions } from './plan-batch.ts';
import { noStudyDate, type StudyAttributes, together } from './study-attributes.ts';
import { Overtaken } from './overtaken.ts';

/** Brings counts, modalities and attributes of the studies and series of a plan up to its new instances. */
export const updateStudies = async (scope: Scope, { instances, additions }: Plan): Promise<void> => {
  const bySeries = [...Map.groupBy(instances, (instance) => instance.seriesId)];
  await Promise.all([
    ...additions.map((addition) => updateStudy(scope, addition)),
    ...bySeries.map(([seriesId, ofSeries]) => countIntoSeries(scope, seriesId, ofSeries.length)),
  ]);
};

/** What was put together of the series before is not all of it any more. */
const countIntoSeries = async ({ db }: Scope, seriesId: string, added: number) => {
  await db
    .with('outdated', (inner) => inner.deleteFrom('series_metadata').where('series_id', '=', seriesId))
    .updateTable('series')
    .set(({ eb }) => ({ instance_count: eb('instance_count', '+', added) }))
    .where('id', '=', seriesId)
    .modifyEnd(prepared)
    .execute();
};

const updateStudy = async (scope: Scope, { studyId, isDated, newSeries, instances }: StudyAdditions): Promise<void> => {
  const modalities = newSeries > 0 ? await modalitiesOf(scope, studyId) : {};
  const updated = await scope.db
    .updateTable('studies')
    .set(({ eb }) => ({
      ...blanksFilled(attributesOf(instances), isDated),
      ...modalities,
      series_count: eb('series_count', '+', newSeries),
      instance_count: eb('instance_count', '+', instances.length),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', studyId)
    .where('deleted_at', 'is', null)
    .returning('id')
    .modifyEnd(prepared)
    .executeTakeFirst();
  if (!updated) throw new Overtaken();
};

/** What the files say together. Acquisitions speak first: a report or a mark-up comes from other equipment. */
const attributesOf = (instances: readonly NewInstance[]): StudyAttributes => {
  const files = instances.map(({ candidate }) => candidate.described);
  const [acquired, derived] = [true, false].map((wanted) =>
    files.filter(({ series }) => isAcquisition(series.modality) === wanted),
  );
  return [...(acquired ?? []), ...(derived ?? [])].map(({ study }) => study).reduce(together);
};

/** What a study is of, by the series that it has. */
export const modalitiesOf = async ({ db }: Scope, studyId: string) => {
  const rows = await db
    .selectFrom('series')
    .select('modality')
    .where('study_id', '=', studyId)
    .orderBy(sql`series_number nulls last, id`)
    .execute();
  const inSeriesOrder = rows.map(({ modality }) => modality);
  return { modality: mainModality(inSeriesOrder), modalities: [...new Set(inSeriesOrder)] };
};

/**
 * Fills what the study lacks and the files have. What is there stays: people may have put it right. All columns are
 * always named, so that there are few statements to keep, except the date, whose change moves the study in the lists.
 */
const blanksFilled = ({ study_date, ...files }: StudyAttributes, isDated: boolean) => ({
  ...Object.fromEntries(Object.entries(files).map(([column, value]) => [column, filledWith(column, value)])),
  ...(!isDated &&
    study_date && { study_date: sql<never>`coalesce(nullif(study_date, ${noStudyDate}), ${study_date})` }),
});

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
