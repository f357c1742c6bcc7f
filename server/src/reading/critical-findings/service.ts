import { t } from '@radwork/contract/core/translate';
import type { Body, Query } from '@radwork/contract/core/endpoint';
import { membersOnly } from '@radwork/contract/core/access';
import {
  type AcknowledgmentMethod,
  type CriticalFinding,
  type criticalFindings as endpoints,
  communicationMethodLabels,
  criticalStateLabels,
  unsettledStates,
} from '@radwork/contract/reading/critical-findings';
import type { CriticalState } from '@radwork/contract/imaging/study-marks';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { reports } from '@radwork/contract/reading/reports';
import { displayName } from '@radwork/dicom/person-name';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, forbidden, invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { markMessagesRead } from '#reading/outreach/finding-messages.ts';
import { assertMay, reportById } from '#reading/report-records/stored-report.ts';
import { assertMaySign } from '#identity/signing-holds/assert-may-sign.ts';
import { studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { contactsUpTo } from '#reading/critical-contacts/contacts.ts';
import { listedFindings } from './listed-findings.ts';
import {
  describeFindings,
  findingById,
  findingToChange,
  knownFindings,
  managesFindings,
  type StoredFinding,
  wholeFindings,
} from './finding-rows.ts';
import { recipientsOf } from './recipients.ts';
import { recordFinding } from './record-finding.ts';
import { notifyRecipient, notifyOfWithdrawal } from './notify-recipients.ts';

/**
 * Records a critical finding and returns the id of the report. The finding is stored separately from the text of the
 * report, so a signed report can get one too (C46).
 */
export const addCriticalFinding = async (
  scope: Scope,
  reportId: string,
  found: Body<typeof reports.addCriticalFinding>,
): Promise<string> => {
  const { study_id } = await reportById(scope, reportId);
  // Locks the study. A deletion or move at the same time waits and then sees the finding.
  await studyToChange(scope, study_id);
  const report = await reportById(scope, reportId);
  assertMay('addCriticalFinding', report, scope.session);
  await recordFinding(scope, report, found);
  return reportId;
};

/**
 * Returns one page of the findings of which the caller may know. By default, returns only findings that are not
 * settled.
 */
export const list = async (scope: Scope, ask: Query<typeof endpoints.list>): Promise<Page<CriticalFinding>> => {
  const asked = listedFindings(scope, ask);
  const { total } = await knownFindings(scope)
    .where(asked)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await wholeFindings(scope)
    .where(asked)
    .orderBy(sql`f.state = 'OPEN'`, 'desc')
    .orderBy('f.due_at')
    .orderBy('f.id')
    .limit(ask.size)
    .offset(ask.page * ask.size)
    .execute();
  return pageOf(await describeFindings(scope, rows), total, ask);
};

/** Returns one finding with all its communications. */
export const get = async (scope: Scope, id: string): Promise<CriticalFinding> => {
  const rows = [await findingById(scope, id)];
  await markMessagesRead(scope, [id]);
  const [finding] = await describeFindings(scope, rows);
  if (!finding) throw new Error('A finding that was read is described');
  return finding;
};

/** Returns all findings of a study, the most urgent first. Withdrawn findings are included. */
export const ofStudy = async (scope: Scope, studyId: string): Promise<CriticalFinding[]> => {
  await studyById(scope, studyId);
  const rows = await wholeFindings(scope)
    .where('f.study_id', '=', studyId)
    .orderBy(sql`array_position(array['OPEN', 'COMMUNICATED', 'ACKNOWLEDGED', 'WITHDRAWN'], f.state)`)
    .orderBy('f.due_at')
    .orderBy('f.id')
    .execute();
  await markMessagesRead(
    scope,
    rows.map(({ id }) => id),
  );
  return describeFindings(scope, rows);
};

export const recipients = async (scope: Scope, id: string) =>
  recipientsOf(scope, (await findingById(scope, id)).study_id);

/**
 * Records a communication of a finding, or a failed attempt. A recipient outside Radwork acknowledges by reading the
 * finding back; a user acknowledges in Radwork (`acknowledge`).
 */
export const communicate = async (
  scope: Scope,
  id: string,
  form: Body<typeof endpoints.communicate>,
): Promise<CriticalFinding> => {
  const finding = await findingToManage(scope, id);
  await refuseRestarted(
    scope,
    finding,
    form.restarts,
    t`Nothing was recorded. Communicate the finding for this patient first.`,
  );
  const toldAt = form.toldAt ?? new Date().toISOString();
  // The clocks of two machines may differ a little.
  if (Date.parse(toldAt) > Date.now() + 60_000) throw invalid({ toldAt: t`The time must not be in the future` });
  if (form.toldAt !== undefined) await refuseTooEarly(scope, finding, form.toldAt);
  const { recipientId } = form;
  const recipient = recipientId
    ? (await recipientsOf(scope, finding.study_id)).find((user) => user.id === recipientId)
    : undefined;
  if (recipientId && !recipient) throw invalid({ recipientId: t`Recipient is required` });
  const recipientName = recipient?.name ?? form.recipientName;
  const { method, wasReached, hasReadBack, note } = form;
  await scope.db
    .insertInto('critical_communications')
    .values({
      id: newId(),
      finding_id: id,
      recipient_id: recipient?.id ?? null,
      recipient_name: recipientName,
      method,
      was_reached: wasReached,
      has_read_back: hasReadBack,
      told_at: toldAt,
      told_by: scope.session.userId,
      note,
      // Not now(), the start of the transaction: if this transaction waited for a move, the entry must be later than
      // the move.
      created_at: sql`clock_timestamp()`,
    })
    .execute();
  if (wasReached) await noteReached(scope, finding, { toldAt, isConfirmed: !recipient && hasReadBack });
  if (wasReached && recipient) await notifyRecipient(scope, finding, recipient.id);
  const way = communicationMethodLabels[method].toLowerCase();
  const outcome = wasReached ? `Communicated to ${recipientName}` : `Could not reach ${recipientName}`;
  await noteChange(scope, finding, 'communicate', `${outcome}: ${way}${hasReadBack ? ', with read-back' : ''}`);
  return get(scope, id);
};

/** Throws 409 when the finding restarted after the caller saw it, because the screen showed another patient. */
const refuseRestarted = async (
  { db }: Scope,
  { id, patient_name, patient_identifier }: StoredFinding,
  seen: number | undefined,
  advice: string,
) => {
  if (seen === undefined) return;
  const { restarts } = await db
    .selectFrom('critical_restarts')
    .select(({ fn }) => fn.countAll<number>().as('restarts'))
    .where('finding_id', '=', id)
    .executeTakeFirstOrThrow();
  if (restarts === seen) return;
  const whose = displayName(patient_name) || patient_identifier;
  throw conflict(
    'critical_finding.refiled',
    t`The study was moved to another patient. The finding now belongs to ${whose}. ${advice}`,
  );
};

/**
 * Refuses a time before the study arrived, or more than a day before the finding was recorded: a finder may call first
 * and record the finding later. Also refuses a time when the study was filed under another patient.
 */
const refuseTooEarly = async ({ db }: Scope, { id }: StoredFinding, toldAt: string): Promise<void> => {
  const { isOfFormer, isTooEarly } = await db
    .selectFrom('critical_findings as f')
    .innerJoin('studies as s', 's.id', 'f.study_id')
    .select([
      // Users enter times without seconds.
      sql<boolean>`coalesce(${toldAt}::timestamptz < date_trunc('minute', f.refiled_at), false)`.as('isOfFormer'),
      sql<boolean>`${toldAt}::timestamptz < greatest(date_trunc('minute', s.created_at), f.identified_at - interval '1 day')`.as(
        'isTooEarly',
      ),
    ])
    .where('f.id', '=', id)
    .executeTakeFirstOrThrow();
  if (isTooEarly) {
    const why = t`Choose a time after the study arrived, at most 1 day before the finding was recorded`;
    throw invalid({ toldAt: why });
  }
  if (isOfFormer)
    throw invalid({
      toldAt: t`The study belonged to another patient at that time. Communicate the finding for this patient.`,
    });
};

type Reached = { toldAt: string; isConfirmed: boolean };

const noteReached = async ({ db }: Scope, finding: StoredFinding, { toldAt, isConfirmed }: Reached): Promise<void> => {
  const isSettled = finding.state === 'ACKNOWLEDGED' || isConfirmed;
  await db
    .updateTable('critical_findings')
    .set({
      state: isSettled ? 'ACKNOWLEDGED' : 'COMMUNICATED',
      communicated_at: sql`coalesce(communicated_at, ${toldAt}::timestamptz)`,
      ...(isConfirmed && {
        acknowledged_at: sql`coalesce(acknowledged_at, ${toldAt}::timestamptz)`,
        acknowledged_how: sql`coalesce(acknowledged_how, 'READ_BACK')`,
      }),
      escalate_at: null,
    })
    .where('id', '=', finding.id)
    .execute();
};

/** Acknowledges a finding. The caller was its recipient. */
export const acknowledge = async (scope: Scope, id: string): Promise<CriticalFinding> => {
  const finding = await findingToChange(scope, id);
  const [described] = await describeFindings(scope, [finding]);
  if (described && !described.canAcknowledge) {
    if (!unsettledStates.includes(finding.state)) throw stateConflict(finding.state);
    throw forbidden(t`Only a recipient of this finding can acknowledge it`);
  }
  const remark = await assertMaySign(scope);
  await settle(scope, id, 'TOLD');
  const unproven = remark && `. ${remark}`;
  await noteChange(scope, finding, 'acknowledge', `Acknowledged by ${scope.session.name}${unproven}`);
  return get(scope, id);
};

/**
 * Acknowledges a finding. The caller treats the patient and has read the signed report. This stops the clock of a
 * finding that was not communicated yet.
 */
export const acknowledgeInReport = async (
  scope: Scope,
  id: string,
  { restarts }: Body<typeof endpoints.acknowledgeInReport>,
): Promise<CriticalFinding> => {
  const finding = await findingToChange(scope, id);
  await refuseRestarted(scope, finding, restarts, t`Nothing was acknowledged. Reopen the report.`);
  const [described] = await describeFindings(scope, [finding]);
  if (described && !described.canAcknowledgeInReport) {
    if (!unsettledStates.includes(finding.state)) throw stateConflict(finding.state);
    throw forbidden(t`Only a treating physician can acknowledge this finding in the signed report`);
  }
  const remark = await assertMaySign(scope);
  await settle(scope, id, 'REPORT');
  const unproven = remark && `. ${remark}`;
  const words = `Acknowledged by ${scope.session.name} in the signed report${unproven}`;
  await noteChange(scope, finding, 'acknowledge', words, { how: 'REPORT' });
  return get(scope, id);
};

const settle = async ({ db, session }: Scope, id: string, how: AcknowledgmentMethod): Promise<void> => {
  await db
    .updateTable('critical_findings')
    .set({
      state: 'ACKNOWLEDGED',
      acknowledged_at: sql`now()`,
      acknowledged_by: session.userId,
      acknowledged_how: how,
      communicated_at: sql`coalesce(communicated_at, now())`,
      escalate_at: null,
    })
    .where('id', '=', id)
    .execute();
};

/** Withdraws a finding that was recorded by mistake. Users can still read it, with the reason. */
export const withdraw = async (
  scope: Scope,
  id: string,
  { reason, restarts }: Body<typeof endpoints.withdraw>,
): Promise<CriticalFinding> => {
  const finding = await findingToManage(scope, id);
  await refuseRestarted(scope, finding, restarts, t`Nothing was withdrawn. Review the finding again.`);
  await assertMaySign(scope);
  await scope.db
    .updateTable('critical_findings')
    .set({
      state: 'WITHDRAWN',
      withdrawn_at: sql`now()`,
      withdrawn_by: scope.session.userId,
      withdrawn_reason: reason,
      escalate_at: null,
    })
    .where('id', '=', id)
    .execute();
  await noteChange(scope, finding, 'withdraw', `Withdrawn: ${reason}`);
  const { finder_id: identified_by, acknowledged_by } = finding;
  const dealtWith = { ...finding, identified_by, acknowledged_by: acknowledged_by?.id ?? null };
  await notifyOfWithdrawal(scope, dealtWith, await contactsUpTo(scope, dealtWith, finding.escalation_step));
  return get(scope, id);
};

const findingToManage = async (scope: Scope, id: string): Promise<StoredFinding> => {
  const finding = await findingToChange(scope, id);
  if (!managesFindings(scope.session)) throw forbidden(membersOnly());
  if (finding.state === 'WITHDRAWN') throw stateConflict('WITHDRAWN');
  return finding;
};

const stateConflict = (state: CriticalState) =>
  conflict('critical_finding.state', t`The finding is already ${criticalStateLabels[state]}`);

const noteChange = async (
  scope: Scope,
  finding: StoredFinding,
  verb: string,
  details: string,
  detail: Record<string, string> = {},
): Promise<void> => {
  const { id, study_id: studyId, patient_id: patientId, severity } = finding;
  await recordTask(scope, { studyId, type: 'CRITICAL_FINDING', displayValue: severity, details });
  await audit(scope, `critical_finding.${verb}`, {
    entity: 'critical_finding',
    entityId: id,
    studyId,
    patientId,
    detail,
  });
  await announce(scope, { kind: 'study', studyId });
};
