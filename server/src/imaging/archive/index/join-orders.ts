import { isAcquisition, modalitiesMatching } from '@radwork/contract/core/modalities';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import type { Scope } from '#core/access/scope.ts';
import { isLimitedToOwnStudies } from '#core/access/study-access.ts';
import { lockAccessionNumbers } from './lock-accession-numbers.ts';
import { noteJoin } from './note-join.ts';
import { type Candidate, isRefusal } from '#imaging/archive/store/ingest-file.ts';
import { hasRejectedImages } from '#imaging/archive/rejection/rejected-of-order.ts';
import { readAndPlanBatch } from './index-batch.ts';
import type { NewStudy, Plan, Terms } from './plan-batch.ts';

/** A study without images, and the new study of a batch with its accession number. */
type Join = {
  orderId: string;
  orderedUid: string;
  patientId: string;
  accessionNumber: string;
  studyInstanceUID: string;
  issuer: string;
  files: number[];
};

/**
 * Plans a batch like `readAndPlanBatch`. A new study whose images have the accession number of exactly one open order
 * of the same patient becomes that order: the order gets the StudyInstanceUID of the images. Some scanners make their
 * own UID instead of the one in the worklist (PS3.4 §K.6.1.2.2), and the order would stay in the worklist forever. An
 * order stays as it is if its images would be refused or would raise an identity question. Uploaders who see only their
 * own studies join nothing, because an answer must not reveal orders. Images that a user has separated from an order do
 * not join it again.
 */
export const planWithOrders = async (scope: Scope, candidates: readonly Candidate[], terms: Terms): Promise<Plan> =>
  joinOrders(scope, candidates, terms, await readAndPlanBatch(scope, candidates, terms));

/** Returns the plan, or another one in which new studies become orders. */
export const joinOrders = async (
  scope: Scope,
  candidates: readonly Candidate[],
  terms: Terms,
  plan: Plan,
): Promise<Plan> => {
  if (plan.studies.length === 0 || isLimitedToOwnStudies(scope.session)) return plan;
  let joins = await findJoins(scope, plan, candidates);
  while (joins.length > 0) {
    await sql`savepoint orders`.execute(scope.db);
    const takenOrders = [];
    for (const join of joins) if (await takeOrder(scope, join)) takenOrders.push(join);
    const joined = await readAndPlanBatch(scope, candidates, terms);
    const fitting = takenOrders.filter((join) => fits(joined, join));
    if (fitting.length === joins.length) {
      for (const join of joins) {
        await noteJoin(scope, join);
        await auditJoin(scope, join);
      }
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
 * True for an image of an examination. A report, a document or a scanned request form has the accession number too. It
 * may arrive under another UID before the images of its order.
 */
const isExamination = ({ instance, described: { series } }: Candidate): boolean =>
  instance.is_renderable &&
  isAcquisition(series.modality) &&
  !(series.modality === 'OT' && secondaryCapture.test(instance.sop_class_uid));

const openStatuses = ['PENDING', 'ASSIGNED', 'IN_PROGRESS'] as const;

/**
 * Groups of modalities. An order may name one modality of a group although another one of the group acquires the
 * images.
 */
const together = [modalitiesMatching('XR'), ['RF', 'XA', 'CR', 'DX'], ['PT', 'CT'], ['PT', 'MR'], ['NM', 'CT']];

/** True when images of a modality can be those of an order. An order of OT does not tell its modality. */
const canBeOrdered = (ordered: string, acquired: string): boolean =>
  ordered === '' ||
  ordered === 'OT' ||
  ordered === acquired ||
  together.some((group) => group.includes(ordered) && group.includes(acquired));

/** Accession number and modalities of the images of a new study, for the comparison with orders. */
type Examination = { accessionNumber: string; modalities: string[] };

/** The new studies that may meet an order, by study id. */
const examinationsOf = (plan: Plan): Map<string, Examination> => {
  const examinations = new Map<string, Examination>();
  for (const [studyId, ofStudy] of Map.groupBy(plan.instances, (instance) => instance.studyId)) {
    const described = ofStudy.map(({ candidate }) => candidate.described);
    const images = ofStudy.map(({ candidate }) => candidate).filter(isExamination);
    const modalities = images.map((image) => image.described.series.modality);
    const [accessionNumber, ...others] = new Set(described.map(({ study }) => study.accession_number).filter(Boolean));
    if (modalities.length > 0 && accessionNumber !== undefined && others.length === 0)
      examinations.set(studyId, { accessionNumber, modalities });
  }
  return examinations;
};

/**
 * Returns the orders that images of the batch meet. Two new studies of the batch with one accession number meet none,
 * because only one of them can be the ordered one.
 */
const findJoins = async (scope: Scope, plan: Plan, candidates: readonly Candidate[]): Promise<Join[]> => {
  const examinations = examinationsOf(plan);
  if (examinations.size === 0) return [];
  const numbers = [...examinations.values()].map(({ accessionNumber }) => accessionNumber);
  // Two associations with one number wait for each other here. The second one finds an order that has images.
  await lockAccessionNumbers(scope, numbers);
  const filled = new Set(plan.additions.map(({ studyId }) => studyId));
  const joins: Join[] = [];
  for (const study of plan.studies) {
    const examination = examinations.get(study.id);
    if (!examination || study.ownerOfId) continue;
    const { accessionNumber } = examination;
    if (numbers.filter((number) => number === accessionNumber).length > 1) continue;
    const order = await orderOf(scope, study, examination);
    // Other files of the batch have the UID of the order.
    if (!order || filled.has(order.orderId)) continue;
    const files = candidates.flatMap(({ studyInstanceUID }, index) => {
      const isStored = !isRefusal(plan.outcomes[index] ?? {});
      return studyInstanceUID === study.studyInstanceUID && isStored ? [index] : [];
    });
    const { studyInstanceUID, patient } = study;
    joins.push({ ...order, accessionNumber, studyInstanceUID, issuer: patient.issuer, files });
  }
  return joins;
};

/** Returns the only open order with this number, if it is of the patient and modality of the new study. */
const orderOf = async (
  { db }: Scope,
  { patient, studyInstanceUID }: NewStudy,
  { accessionNumber, modalities }: Examination,
) => {
  const { rows } = await sql<{
    id: string;
    uid: string;
    modality: string;
    patient: string;
    patient_id: string;
    issuer: string;
    /** The record that the files name, or the record into which it was merged. */
    named: string | null;
    /** Number of records with the Patient ID, of any issuer. */
    of_id: number;
    /** A user who sees only own studies has registered the order. */
    is_of_limited_user: boolean;
    /** A user has separated these images from the order. */
    is_separated: boolean;
  }>`
    select s.id, s.study_instance_uid as uid, s.modality, s.patient_id as patient, p.patient_id, p.issuer,
      -- A user who guesses an accession number must not see the images of another order.
      exists (select from audit_entries e where e.study_id = s.id and e.action = 'study.create'
        and e.user_type in ('REFERRING_PHYSICIAN', 'PATIENT')) as is_of_limited_user,
      exists (select from order_joins j where j.study_id = s.id and j.study_instance_uid = ${studyInstanceUID}
        and j.separated_at is not null) as is_separated,
      (select coalesce(n.merged_into, n.id) from patients n
       where n.patient_id = ${patient.patient_id} and n.issuer = ${patient.issuer}) as named,
      (select count(*)::int from patients o where o.patient_id = ${patient.patient_id}) as of_id
    from studies s join patients p on p.id = s.patient_id
    where s.accession_number = ${accessionNumber} and s.deleted_at is null and s.instance_count = 0
      -- The images of a study without shown images are not those of another study.
      and not ${hasRejectedImages('s.id')}
      and s.status in (${sql.join(openStatuses)})
    limit 2`.execute(db);
  const [order, other] = rows;
  if (!order || other || order.is_of_limited_user || order.is_separated) return undefined;
  if (!modalities.some((modality) => canBeOrdered(order.modality, modality))) return undefined;
  const hasOneIssuer = order.issuer === '' || patient.issuer === '';
  const isSamePatient =
    order.named === null
      ? order.patient_id === patient.patient_id && hasOneIssuer && order.of_id === 1
      : order.named === order.patient;
  return isSamePatient ? { orderId: order.id, orderedUid: order.uid, patientId: order.patient } : undefined;
};

/** Returns false when the order has changed since it was found, or when another upload is filling it. */
const takeOrder = async (
  { db, session }: Scope,
  { orderId, orderedUid, patientId, accessionNumber, studyInstanceUID }: Join,
) => {
  // An upload with the UID of the order has planned to fill it. Waiting for that upload could be a deadlock.
  const name = `${session.tenantId} ${orderedUid}`;
  const { rows } = await sql<{ is_free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as is_free`.execute(db);
  if (!rows[0]?.is_free) return false;
  const order = await db
    .updateTable('studies')
    .set({ study_instance_uid: studyInstanceUID, updated_at: sql<string>`now()` })
    .where('id', '=', orderId)
    .where('study_instance_uid', '=', orderedUid)
    .where('patient_id', '=', patientId)
    .where('accession_number', '=', accessionNumber)
    .where('status', 'in', openStatuses)
    .where('instance_count', '=', 0)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return order !== undefined;
};

const auditJoin = (scope: Scope, { orderId, patientId, orderedUid, studyInstanceUID }: Join) =>
  audit(scope, 'study.joinOrder', {
    entity: 'study',
    entityId: orderId,
    studyId: orderId,
    patientId,
    detail: { orderedStudyInstanceUid: orderedUid, studyInstanceUid: studyInstanceUID },
  });
