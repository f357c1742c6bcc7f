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

const updateStudy = async (
  scope: Scope,
  { studyId, attributes, newSeries, instances }: StudyAdditions,
): Promise<void> => {
  const modalities = newSeries > 0 ? await modalitiesOf(scope, studyId) : {};
  const updated = await scope.db
    .updateTable('studies')
    .set(({ eb }) => ({
      ...blanksFilled(attributes, attributesOf(instances)),
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

const modalitiesOf = async ({ db }: Scope, studyId: string) => {
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
 * What the study lacked when it was read and the files have. What is there stays: people may have put it right, even
 * since then, so the database looks once more.
 */
const blanksFilled = (known: StudyAttributes, files: StudyAttributes) => {
  const filled = together(known, files);
  const columns = (Object.keys(filled) as (keyof StudyAttributes)[]).filter(
    (column) => filled[column] !== known[column],
  );
  return Object.fromEntries(columns.map((column) => [column, filledUnlessFilled(column, filled[column])]));
};

const filledUnlessFilled = (column: keyof StudyAttributes, value: string | number | null): RawBuilder<never> => {
  const stored = sql.ref(column);
  switch (column) {
    case 'total_dlp':
    case 'ctdi_vol':
    case 'effective_dose':
      return sql`greatest(${stored}, ${value})`;
    case 'scheduled_at':
      return sql`coalesce(${stored}, ${value})`;
    case 'study_date':
      return sql`coalesce(nullif(${stored}, ${noStudyDate}), ${value})`;
    default:
      return sql`coalesce(nullif(${stored}, ''), ${value})`;
  }
};
