import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { studies as endpoints } from '@radwork/contract/imaging/studies';
import type { OrderSeparation } from '@radwork/contract/imaging/study-rows';
import type { StudyStatus } from '@radwork/contract/imaging/study-status';
import { sql } from 'kysely';
import { auditStudy } from '#core/audit/audit.ts';
import { emit } from '#core/events/emit.ts';
import { conflict, orNotFound } from '#core/http/problem.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { announce } from '#core/live/announce.ts';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';
import { lockNames } from '#imaging/archive/index/batch-statements.ts';
import { patientsNamedBy } from '#imaging/archive/index/index-batch.ts';
import { insertPatients } from '#imaging/archive/index/insert-patients.ts';
import { filedUnder } from '#imaging/archive/patient-matching/match-patients.ts';
import { describeImages, type DescribedImages } from './describe-images.ts';
import {
  divideAssignments,
  insertImagesStudy,
  type Join,
  moveImages,
  restoreOrder,
  uidForOrder,
} from './separation-rows.ts';
import { type StoredStudy, studyById, studyToChange } from './study-rows.ts';

/**
 * Separates images from an order that they joined by mistake (decision 0084). The order keeps its id, and is again what
 * it was before. The images get a study of their own, and everything that users made of them since follows. Throws 404
 * for users who see only their own studies, and 409 with the reason when the study must stay as it is.
 */
export const separateOrder = async (
  scope: Scope,
  id: string,
  { joinId }: Body<typeof endpoints.separateOrder>,
): Promise<OrderSeparation> => {
  const { order, join } = await joinToSeparate(scope, id, joinId);
  await refuseMoved(scope, join);
  const images = await describeImages(scope, order);
  if (!images) throw conflict('order.no_images', t`The order has no images.`);
  const imagesId = newId();
  const uid = await uidForOrder(scope, join);
  await restoreOrder(scope, join, uid, images);
  await insertImagesStudy(
    scope,
    { id: imagesId, ...(await patientOf(scope, order, join, images)) },
    order,
    images,
    join,
  );
  await moveImages(scope, join, imagesId, images);
  await divideAssignments(scope, join, imagesId);
  await emit(scope, 'study.imagesSeparated', { orderId: id, imagesId, since: join.joined_at });
  await setStatuses(scope, order, join, imagesId);
  await scope.db
    .updateTable('order_joins')
    .set({ separated_at: sql`now()`, separated_by: scope.session.userId || null, images_study_id: imagesId })
    .where('id', '=', join.id)
    .execute();
  const uids = { orderedStudyInstanceUid: uid, studyInstanceUid: order.study_instance_uid };
  await noteSeparation(scope, id, imagesId, { ...uids, orderId: id, imagesId });
  return { imagesStudyId: imagesId };
};

/** Locks the study and both UIDs as an upload does, before the row, so that no upload adds to either meanwhile. */
const joinToSeparate = async (
  scope: Scope,
  id: string,
  joinId: string,
): Promise<{ order: StoredStudy; join: Join }> => {
  await studyById(scope, id);
  const seen = orNotFound(isLimitedToOwnStudies(scope.session) ? undefined : await joinById(scope, id, joinId), 'join');
  const names = [seen.ordered_uid, seen.study_instance_uid].toSorted();
  await lockNames(scope.db, { names: names.map((uid) => `${scope.session.tenantId} ${uid}`) });
  const order = await studyToChange(scope, id);
  const join = orNotFound(await joinById(scope, id, joinId), 'join');
  if (join.separated_at === null) return { order, join };
  throw conflict('order.separated', t`Another user has separated these images. Reload the study.`);
};

const joinById = ({ db }: Scope, studyId: string, joinId: string): Promise<Join | undefined> =>
  db.selectFrom('order_joins').selectAll().where('id', '=', joinId).where('study_id', '=', studyId).executeTakeFirst();

/**
 * Throws 409 if the study was moved to another patient since. Undoing that move later would return only the order, not
 * the separated images.
 */
const refuseMoved = async ({ db }: Scope, { study_id, joined_at }: Join): Promise<void> => {
  const move = await db
    .selectFrom('patient_merges')
    .select('id')
    .where('kind', '=', 'MOVE')
    .where('undone_at', 'is', null)
    .where('made_at', '>=', joined_at)
    .where(sql<boolean>`${study_id}::uuid = any(study_ids)`)
    .executeTakeFirst();
  if (!move) return;
  throw conflict('order.moved', t`The study was moved to another patient since. Undo the move first.`);
};

/**
 * Returns the patient under which the images would be without the join. Images that contradict that record stay with
 * the patient of the order.
 */
const patientOf = async (
  scope: Scope,
  { patient_id, named_patient_id, study_instance_uid }: StoredStudy,
  { issuer }: Join,
  { first }: DescribedImages,
): Promise<{ patient_id: string; named_patient_id: string | null }> => {
  const described = { ...first, patient: { ...first.patient, issuer } };
  const filing = filedUnder(described, await patientsNamedBy(scope, [{ described }], []));
  if (filing.ownerOfId) return { patient_id, named_patient_id };
  const study = { id: newId(), studyInstanceUID: study_instance_uid, otherNames: described.otherNames, ...filing };
  const { patient, named } = (await insertPatients(scope, [study]))(study);
  return { patient_id: patient.id, named_patient_id: named };
};

/**
 * Gives the order its earlier status, and the images the status that users gave to them since the join. Records both
 * changes in the histories.
 */
const setStatuses = async (
  scope: Scope,
  order: StoredStudy,
  { order_before }: Join,
  imagesId: string,
): Promise<void> => {
  const { status: before } = order_before as { status: StudyStatus };
  const { rows } = await sql<{ id: string; is_assigned: boolean; is_reported: boolean }>`
    select id, active_assignments > 0 as is_assigned,
      exists (select from reports where study_id = studies.id) as is_reported
    from studies where id in (${order.id}, ${imagesId})`.execute(scope.db);
  for (const { id, is_assigned, is_reported } of rows) {
    const ofWork: StudyStatus = is_reported ? 'IN_PROGRESS' : is_assigned ? 'ASSIGNED' : 'PENDING';
    const ofImages = order.status === before ? ofWork : order.status;
    // The users who were assigned may have left.
    const ofOrder = before === 'ASSIGNED' && !is_assigned ? 'PENDING' : before;
    const [from, to] = id === order.id ? [order.status, ofOrder] : ['PENDING', ofImages];
    await scope.db.updateTable('studies').set({ status: to }).where('id', '=', id).execute();
    if (from === to) continue;
    const details = 'The images were separated from the order';
    await recordTask(scope, { studyId: id, type: 'STUDY_STATUS_CHANGE', displayValue: to, details });
  }
};

/** Audits the separation at both studies. */
const noteSeparation = async (
  scope: Scope,
  orderId: string,
  imagesId: string,
  detail: Record<string, string>,
): Promise<void> => {
  for (const id of [orderId, imagesId]) {
    await auditStudy(scope, 'study.separateOrder', await studyById(scope, id), detail);
    await announce(scope, { kind: 'study', studyId: id });
  }
};
