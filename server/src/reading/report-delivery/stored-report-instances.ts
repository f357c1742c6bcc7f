import { newUid, uidFrom } from '@radwork/dicom/uid';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import type { SecretKey } from '#core/installation/secret-key.ts';
import { modalitiesOf } from '#imaging/archive/index/update-studies.ts';
import { countShown } from '#imaging/archive/rejection/write-rejection.ts';
import { showRejected, withRejected } from '#imaging/archive/rejection/show-rejected.ts';
import type { ReportDocument } from './report-document.ts';

/** The DICOM instance of a report, and whether it is known to be in the archive. */
export type ReportObject = { sopInstanceUid: string; seriesInstanceUid: string; isStored: boolean };

/**
 * Registers the DICOM instance of a report before the instance is created. Each signed addendum and each change of the
 * patient data in the report need a new instance. Each change of the patient data also needs a new series. The UIDs
 * depend on a secret of the installation, so no file from outside can take them first. Returns the same instance until
 * it is removed from its study.
 */
export const registerInstance = async (
  { db }: Scope,
  secretKey: SecretKey,
  { reportId, parts, patient, naming }: ReportDocument,
): Promise<ReportObject> => {
  const { earlier } = await db
    .selectFrom('report_objects')
    .select(({ fn }) => fn.countAll<number>().as('earlier'))
    .where('report_id', '=', reportId)
    .where('taken_out_at', 'is not', null)
    .executeTakeFirstOrThrow();
  const uidOf = (...what: string[]) =>
    uidFrom(secretKey.hmac('report-object', reportId, naming, String(earlier), ...what).toString('hex'));
  const sopInstanceUid = uidOf(String(parts.length));
  await db
    .insertInto('report_objects')
    .values({ sop_instance_uid: sopInstanceUid, report_id: reportId, patient_id: patient.id, naming })
    .onConflict((known) => known.doNothing())
    .execute();
  const { stored_at } = await db
    .selectFrom('report_objects')
    .select('stored_at')
    .where('sop_instance_uid', '=', sopInstanceUid)
    .executeTakeFirstOrThrow();
  return { sopInstanceUid, seriesInstanceUid: uidOf('series'), isStored: stored_at !== null };
};

/** Records that the instance is in the archive. */
export const recordStored = async ({ db }: Scope, { sopInstanceUid }: Pick<ReportObject, 'sopInstanceUid'>) => {
  await db
    .updateTable('report_objects')
    .set({ stored_at: sql`now()` })
    .where('sop_instance_uid', '=', sopInstanceUid)
    .execute();
};

/** Selects instances of one report, or of all studies of some patients. */
type InstanceSelection = { reportId: string } | { patientIds: readonly string[] };

export type RemovedReport = { reportId: string; studyId: string };

/** Selects stored reports that name their patient differently from the current patient record. */
const formerObjects = ({ db }: Scope, which: InstanceSelection) =>
  db
    .selectFrom('report_objects as o')
    .innerJoin('reports as r', 'r.id', 'o.report_id')
    .innerJoin('studies as s', 's.id', 'r.study_id')
    .innerJoin('patients as p', 'p.id', 's.patient_id')
    .leftJoin('instances as i', (join) =>
      join.onRef('i.sop_instance_uid', '=', 'o.sop_instance_uid').onRef('i.study_id', '=', 's.id'),
    )
    .select(['o.sop_instance_uid as uid', 'o.patient_id as patientId', 'r.id as reportId', 's.id as studyId'])
    .select(['i.id as instanceId', 'i.series_id as seriesId'])
    .where(
      'reportId' in which
        ? sql<boolean>`r.id = ${which.reportId}`
        : sql<boolean>`s.patient_id = any(${which.patientIds}::uuid[])`,
    )
    // An instance that was being sent while its study was moved may arrive after the removal. It is then removed too.
    .where(sql<boolean>`case when o.taken_out_at is null then o.naming <> patient_naming(p) else i.id is not null end`);

type FormerInstance = Awaited<ReturnType<ReturnType<typeof formerObjects>['execute']>>[number];
type InStudy = FormerInstance & { instanceId: string; seriesId: string };

/**
 * Moves outdated stored reports from their studies to the recycle bin, under the patient whom they name. Returns the
 * affected reports.
 */
export const removeOutdated = async (scope: Scope, which: InstanceSelection): Promise<RemovedReport[]> => {
  // A rejected report names the previous patient, too. It must not be restored into the study later.
  return withRejected(scope, () => moveAll(scope, which));
};

const moveAll = async (scope: Scope, which: InstanceSelection): Promise<RemovedReport[]> => {
  const former = await formerObjects(scope, which).execute();
  const byReport = [...Map.groupBy(former, ({ reportId }) => reportId).values()];
  for (const objects of byReport) {
    const inStudy = objects.filter(
      (object): object is InStudy => object.instanceId !== null && object.seriesId !== null,
    );
    for (const ofPatient of Map.groupBy(inStudy, ({ patientId }) => patientId).values())
      await moveToBin(scope, ofPatient);
    await scope.db
      .updateTable('report_objects')
      .set({ taken_out_at: sql`coalesce(taken_out_at, now())` })
      .where(sql<boolean>`sop_instance_uid = any(${objects.map(({ uid }) => uid)}::text[])`)
      .execute();
  }
  return byReport.flatMap(([first]) => (first ? [{ reportId: first.reportId, studyId: first.studyId }] : []));
};

/** Description of the study in the recycle bin that contains removed reports. */
const binDescription = 'Stored report, removed from its study';

/** Moves instances of one report and patient to a new study that is in the recycle bin from the start. */
const moveToBin = async (scope: Scope, objects: readonly InStudy[]): Promise<void> => {
  const [first] = objects;
  if (!first) return;
  const { studyId, reportId, patientId } = first;
  const bin = await makeBinStudy(scope, first, objects.length);
  const { modalities } = await modalitiesOf(scope, studyId);
  for (const [seriesId, ofSeries] of Map.groupBy(objects, (object) => object.seriesId)) {
    await moveOutOfSeries(scope, seriesId, bin, ofSeries);
  }
  await countShown(scope, studyId, modalities);
  // Counting has hidden the rejected rows again.
  await showRejected(scope);
  await scope.db
    .updateTable('report_objects')
    .set({ bin_study_id: bin })
    .where(sql<boolean>`sop_instance_uid = any(${objects.map(({ uid }) => uid)}::text[])`)
    .execute();
  const detail = { objects: objects.length, binStudyId: bin };
  await audit(scope, 'report.take_out', { entity: 'report', entityId: reportId, studyId, patientId, detail });
  await audit(scope, 'study.delete', { entity: 'study', entityId: bin, studyId: bin, patientId });
};

const makeBinStudy = async ({ db }: Scope, { studyId, patientId }: InStudy, instances: number): Promise<string> => {
  const bin = newId();
  await sql`
    insert into studies (id, patient_id, study_instance_uid, study_date, is_study_time_known, description, modality, modalities, status,
      series_count, instance_count, patient_name, patient_identifier, is_on_legal_hold, group_ids, deleted_at)
    select ${bin}, coalesce((select id from patients where id = ${patientId}), patient_id), ${newUid()}, study_date,
      is_study_time_known,      ${binDescription}, 'DOC', '{DOC}', 'COMPLETED', 1, ${instances}, patient_name, patient_identifier,
      is_on_legal_hold, group_ids, now()
    from studies where id = ${studyId}`.execute(db);
  return bin;
};

/** Moves these instances out of their series, or the whole series if it contains no other instances. */
const moveOutOfSeries = async ({ db }: Scope, seriesId: string, bin: string, objects: readonly InStudy[]) => {
  const ids = objects.map(({ instanceId }) => instanceId);
  const { others } = await db
    .selectFrom('instances')
    .select(({ fn }) => fn.countAll<number>().as('others'))
    .where('series_id', '=', seriesId)
    .where(sql<boolean>`id <> all(${ids}::uuid[])`)
    .executeTakeFirstOrThrow();
  const target = others === 0 ? seriesId : newId();
  if (others === 0) {
    const moved = { study_id: bin, is_rejected: false, instance_count: ids.length };
    await db.updateTable('series').set(moved).where('id', '=', seriesId).execute();
  } else {
    const series = { id: target, study_id: bin, series_instance_uid: newUid(), modality: 'DOC' };
    await db
      .insertInto('series')
      .values({ ...series, instance_count: ids.length })
      .execute();
  }
  await db
    .updateTable('instances')
    .set({ study_id: bin, series_id: target, rejection_id: null })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute();
  await db.deleteFrom('series_metadata').where('series_id', '=', seriesId).execute();
  await db
    .updateTable('rejected_images')
    .set({ is_standing: false })
    .where(sql<boolean>`sop_instance_uid = any(${objects.map(({ uid }) => uid)}::text[])`)
    .execute();
};
