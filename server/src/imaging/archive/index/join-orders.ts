import { isAcquisition } from '@radwork/contract/core/modalities';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';
import { lockAccessionNumbers } from './lock-accession-numbers.ts';
import { type Candidate, isRefusal } from '#imaging/archive/store/ingest-file.ts';
import { readAndPlanBatch } from './index-batch.ts';
import type { NewStudy, Plan, Terms } from './plan-batch.ts';

/** A study without images, and the new study of a batch with its accession number. */
type Join = { orderId: string; orderedUid: string; patientId: string; studyInstanceUID: string; files: number[] };

/**
 * Plans a batch like `readAndPlanBatch`. A new study whose images have the accession number of exactly one open order
 * of the same patient becomes that order: the order gets the StudyInstanceUID of the images. Some scanners make their
 * own UID instead of the one in the worklist (PS3.4 §K.6.1.2.2), and the order would stay in the worklist forever. An
 * order stays as it is if its images would be refused or would raise an identity question. Uploaders who see only their
 * own studies join nothing, because an answer must not reveal orders.
 */
export const planWithOrders = async (scope: Scope, candidates: readonly Candidate[], terms: Terms): Promise<Plan> => {
  const plan = await readAndPlanBatch(scope, candidates, terms);
  if (plan.studies.length === 0 || isLimitedToOwnStudies(scope.session)) return plan;
  let joins = await findJoins(scope, plan, candidates);
  while (joins.length > 0) {
    await sql`savepoint orders`.execute(scope.db);
    const taken = [];
    for (const join of joins) if (await takeOrder(scope, join)) taken.push(join);
    const joined = await readAndPlanBatch(scope, candidates, terms);
    const fitting = taken.filter((join) => fits(joined, join));
    if (fitting.length === joins.length) {
      for (const join of joins) await auditJoin(scope, join);
      return joined;
    }
    await sql`rollback to savepoint orders`.execute(scope.db);
    joins = fitting;
  }
  return plan;
};

/** True when all files of the study are accepted into the order, and none contradicts its patient. */
const fits = ({ outcomes, additions }: Plan, { orderId, files }: Join): boolean =>
  files.every((file) => {
    const outcome = outcomes[file];
    return outcome !== undefined && !isRefusal(outcome) && outcome.studyId === orderId;
  }) && additions.every(({ studyId, contradiction }) => studyId !== orderId || contradiction === undefined);

/** Secondary Capture Image Storage and its multi-frame classes (PS3.4 §B.5). */
const secondaryCapture = /^1\.2\.840\.10008\.5\.1\.4\.1\.1\.7(\.|$)/;

/**
 * True for an image of an examination. A report, a document or a scanned request form has the accession number too, and
 * may come under another UID before the images of its order.
 */
const isExamination = ({ instance, described: { series } }: Candidate): boolean =>
  instance.is_renderable &&
  isAcquisition(series.modality) &&
  !(series.modality === 'OT' && secondaryCapture.test(instance.sop_class_uid));

/** Accession numbers of the new studies that may meet an order, by study id. */
const numbersOf = (plan: Plan): Map<string, string> => {
  const numbers = new Map<string, string>();
  for (const [studyId, ofStudy] of Map.groupBy(plan.instances, (instance) => instance.studyId)) {
    const described = ofStudy.map(({ candidate }) => candidate.described);
    const hasImages = ofStudy.some(({ candidate }) => isExamination(candidate));
    const [number, ...others] = new Set(described.map(({ study }) => study.accession_number).filter(Boolean));
    if (hasImages && number !== undefined && others.length === 0) numbers.set(studyId, number);
  }
  return numbers;
};

/**
 * Returns the orders that images of the batch meet. Two new studies of the batch with one accession number meet none,
 * because only one of them can be the ordered one.
 */
const findJoins = async (scope: Scope, plan: Plan, candidates: readonly Candidate[]): Promise<Join[]> => {
  const numbers = numbersOf(plan);
  if (numbers.size === 0) return [];
  // Two associations with one number wait for each other here. The second one finds an order that has images.
  await lockAccessionNumbers(scope, [...numbers.values()]);
  const joins: Join[] = [];
  for (const study of plan.studies) {
    const number = numbers.get(study.id);
    const isOnly = [...numbers.values()].filter((other) => other === number).length === 1;
    if (number === undefined || !isOnly || study.ownerOfId) continue;
    const order = await orderOf(scope, study, number);
    if (!order) continue;
    const files = candidates.flatMap(({ studyInstanceUID }, index) => {
      const isStored = !isRefusal(plan.outcomes[index] ?? {});
      return studyInstanceUID === study.studyInstanceUID && isStored ? [index] : [];
    });
    joins.push({ ...order, studyInstanceUID: study.studyInstanceUID, files });
  }
  return joins;
};

/** Returns the only open order with this number, if it is of the patient of the new study. */
const orderOf = async ({ db }: Scope, { patient }: NewStudy, number: string) => {
  const { rows } = await sql<{
    id: string;
    uid: string;
    patient: string;
    patient_id: string;
    issuer: string;
    /** The record that the files name, or the record into which it was merged. */
    named: string | null;
    /** Number of records with the Patient ID, of any issuer. */
    of_id: number;
  }>`
    select s.id, s.study_instance_uid as uid, s.patient_id as patient, p.patient_id, p.issuer,
      (select coalesce(n.merged_into, n.id) from patients n
       where n.patient_id = ${patient.patient_id} and n.issuer = ${patient.issuer}) as named,
      (select count(*)::int from patients o where o.patient_id = ${patient.patient_id}) as of_id
    from studies s join patients p on p.id = s.patient_id
    where s.accession_number = ${number} and s.deleted_at is null and s.instance_count = 0
      and s.status in ('PENDING', 'ASSIGNED', 'IN_PROGRESS')
    limit 2`.execute(db);
  const [order, other] = rows;
  if (!order || other) return undefined;
  const hasOneIssuer = order.issuer === '' || patient.issuer === '';
  const isSamePatient =
    order.named === null
      ? order.patient_id === patient.patient_id && hasOneIssuer && order.of_id === 1
      : order.named === order.patient;
  return isSamePatient ? { orderId: order.id, orderedUid: order.uid, patientId: order.patient } : undefined;
};

/** Returns false when the order has changed since it was found. */
const takeOrder = async ({ db }: Scope, { orderId, orderedUid, patientId, studyInstanceUID }: Join) => {
  const taken = await db
    .updateTable('studies')
    .set({ study_instance_uid: studyInstanceUID, updated_at: sql<string>`now()` })
    .where('id', '=', orderId)
    .where('study_instance_uid', '=', orderedUid)
    .where('patient_id', '=', patientId)
    .where('instance_count', '=', 0)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
};

const auditJoin = (scope: Scope, { orderId, patientId, orderedUid, studyInstanceUID }: Join) =>
  audit(scope, 'study.joinOrder', {
    entity: 'study',
    entityId: orderId,
    studyId: orderId,
    patientId,
    detail: { orderedStudyInstanceUid: orderedUid, studyInstanceUid: studyInstanceUID },
  });
