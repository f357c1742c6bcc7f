import { isAcquisition, mainModality } from '@radwork/contract/modalities';
import { sql } from 'kysely';
import { prepared } from '#core/database.ts';
import type { Scope } from '#core/scope.ts';
import type { NewInstance, Plan } from './plan-batch.ts';
import { type StudyAttributes, together } from './study-attributes.ts';
import { Overtaken } from './overtaken.ts';

export type ChangedStudy = { studyId: string; patientId: string };

/** Brings counts, modalities and attributes of the studies and series of a plan up to its new instances. */
export const updateStudies = async (scope: Scope, plan: Plan): Promise<ChangedStudy[]> => {
  const bySeries = [...Map.groupBy(plan.instances, (instance) => instance.seriesId)];
  const byStudy = [...Map.groupBy(plan.instances, (instance) => instance.studyId)];
  const [changed] = await Promise.all([
    Promise.all(
      byStudy.map(async ([studyId, instances]) => {
        const newSeries = plan.series.filter((series) => series.studyId === studyId).length;
        return { studyId, patientId: await updateStudy(scope, studyId, instances, newSeries) };
      }),
    ),
    ...bySeries.map(([seriesId, instances]) => countIntoSeries(scope, seriesId, instances.length)),
  ]);
  return changed;
};

/** What was put together of the series before is not all of it any more. */
const countIntoSeries = async ({ db }: Scope, seriesId: string, added: number) => {
  await Promise.all([
    db
      .updateTable('series')
      .set(({ eb }) => ({ instance_count: eb('instance_count', '+', added) }))
      .where('id', '=', seriesId)
      .modifyEnd(prepared)
      .execute(),
    db.deleteFrom('series_metadata').where('series_id', '=', seriesId).modifyEnd(prepared).execute(),
  ]);
};

const updateStudy = async (
  scope: Scope,
  studyId: string,
  instances: NewInstance[],
  newSeries: number,
): Promise<string> => {
  const filled = await blanksFilled(scope, studyId, attributesOf(instances));
  const modalities = newSeries > 0 ? await modalitiesOf(scope, studyId) : {};
  const updated = await scope.db
    .updateTable('studies')
    .set(({ eb }) => ({
      ...filled,
      ...modalities,
      series_count: eb('series_count', '+', newSeries),
      instance_count: eb('instance_count', '+', instances.length),
      updated_at: sql<string>`now()`,
    }))
    .where('id', '=', studyId)
    .where('deleted_at', 'is', null)
    .returning('patient_id')
    .modifyEnd(prepared)
    .executeTakeFirst();
  if (!updated) throw new Overtaken();
  return updated.patient_id;
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

const noDate = '0001-01-01T00:00:00';

/** The attributes that the study lacks and the files have. What is there stays: people may have put it right. */
const blanksFilled = async ({ db }: Scope, studyId: string, attributes: StudyAttributes) => {
  const stored = await db
    .selectFrom('studies')
    .select(['study_date', 'timezone_offset', 'scanner_study_id', 'accession_number', 'study_description'])
    .select([
      'referring_physician_name',
      'referring_physician_phone',
      'equipment_name',
      'equipment_manufacturer',
      'equipment_model',
      'equipment_room',
    ])
    .select(['total_dlp', 'ctdi_vol', 'effective_dose', 'order_number', 'ordering_physician_name', 'procedure_code'])
    .select(['procedure_description', 'scheduled_at', 'performing_technologist_name'])
    .where('id', '=', studyId)
    .forNoKeyUpdate()
    .modifyEnd(prepared)
    .executeTakeFirstOrThrow();
  const { study_date, ...filled } = together({ ...stored, study_date: null }, attributes);
  const isDateMissing = stored.study_date === noDate && study_date !== null;
  return { ...filled, ...(isDateMissing && { study_date }) };
};
