import { t } from '@radwork/contract/core/translate';
import { mostMeasurements } from '@radwork/contract/reading/measurements';
import type { DicomJson } from '@radwork/dicom/dataset';
import { sql } from 'kysely';
import { gunzip } from '#core/resources/gzip.ts';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { aboutStudy } from '#imaging/study-documents/read-study-attributes.ts';
import type { DocumentKind } from '#imaging/study-documents/document-kind.ts';
import { localDateTime } from '#imaging/studies/study-elements.ts';
import type { StoredStudy } from '#imaging/studies/study-rows.ts';
import { isOfShownImage, toMeasurement } from '#reading/measurements/measurement-rows.ts';
import type { Measured, MeasuredImage } from './measurement-group.ts';
import { measurementReport, type MeasurementReport, sopClassOf } from './measurement-report.ts';

/** The error when a study has no measurements. */
const nothingMeasured = () => t`This study has no measurements yet`;

/** Reads the measurements of a study for a report. Throws 422 when there are none. */
const reportSource = async (scope: Scope, study: StoredStudy): Promise<MeasurementReport> => {
  const measurements = await measured(scope, study.id);
  if (measurements.length === 0) throw invalid({ measurements: nothingMeasured() });
  const images = await imagesOf(scope, study.id, measurements);
  const modalities = await modalitiesOf(scope, study.id);
  return { ...(await aboutStudy(scope, study)), measurements, images, modalities };
};

const measured = async (scope: Scope, studyId: string): Promise<Measured[]> => {
  const rows = await scope.db
    .selectFrom('measurements')
    .selectAll()
    .where('study_id', '=', studyId)
    .where('removed_at', 'is', null)
    .where(isOfShownImage)
    .orderBy('created_at')
    .orderBy('id')
    .limit(mostMeasurements)
    .execute();
  return rows.map((row) => toMeasurement(scope, row));
};

/** Reads the measured images that are still in the study. */
const imagesOf = async ({ db }: Scope, studyId: string, measurements: readonly Measured[]) => {
  const uids = [...new Set(measurements.flatMap(({ sopInstanceUID }) => sopInstanceUID ?? []))];
  const images = new Map<string, MeasuredImage>();
  const rows = await db
    .selectFrom('instances as i')
    .innerJoin('series as s', 's.id', 'i.series_id')
    .select(['i.sop_instance_uid', 'i.sop_class_uid', 'i.metadata', 's.series_instance_uid', 's.modality'])
    .where('i.study_id', '=', studyId)
    .where(sql<boolean>`i.sop_instance_uid = any(${uids}::text[])`)
    .execute();
  for (const row of rows) {
    const header: DicomJson = JSON.parse((await gunzip(row.metadata)).toString());
    images.set(row.sop_instance_uid, {
      sopClassUid: row.sop_class_uid,
      seriesInstanceUid: row.series_instance_uid,
      modality: row.modality,
      header,
    });
  }
  return images;
};

/** Returns the modality of each series of the study. */
const modalitiesOf = async ({ db }: Scope, studyId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await db
    .selectFrom('series')
    .select(['series_instance_uid', 'modality'])
    .where('study_id', '=', studyId)
    .execute();
  return new Map(rows.map((row) => [row.series_instance_uid, row.modality]));
};

/** Returns a text that changes whenever the content of the report would change. */
const saidBy = (report: MeasurementReport): string => {
  const { measurements, images, modalities: _, ...more } = report;
  return JSON.stringify([more, measurements.map(({ id, revision }) => [id, revision]), [...images.keys()].toSorted()]);
};

/** Returns the time of the last change. Removals count too, because a report without a removed measurement is newer. */
const lastChange = async ({ db }: Scope, { id }: StoredStudy): Promise<string> => {
  const { changed } = await db
    .selectFrom('measurements')
    .select(sql<string>`greatest(updated_at, removed_at)`.as('changed'))
    .where('study_id', '=', id)
    .orderBy('changed', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  return changed;
};

export const measurementDocument: DocumentKind = {
  name: 'measurement',
  plural: 'measurements',
  hasPredecessors: true,
  source: async (scope, study) => {
    const report = await reportSource(scope, study);
    return {
      studyInstanceUid: report.studyInstanceUid,
      sopClassUid: sopClassOf(report),
      contentKey: saidBy(report),
      written: localDateTime(await lastChange(scope, study), scope.session.timeZone),
      audited: { measurements: report.measurements.length },
      make: (identity) => measurementReport(report, identity),
    };
  },
};
