import { t } from '@radwork/contract/core/translate';
import type { Body, Query } from '@radwork/contract/core/endpoint';
import type { CriticalFinding, criticalFindings as endpoints } from '@radwork/contract/reading/critical-findings';
import { type AcknowledgmentMethod, unsettledStates } from '@radwork/contract/reading/critical-finding-states';
import { type Page, pageOf } from '@radwork/contract/core/paging';
import type { reports } from '@radwork/contract/reading/reports';
import { sql } from 'kysely';
import { forbidden } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { markMessagesRead } from '#reading/outreach/finding-messages.ts';
import { assertMay, reportById } from '#reading/report-records/stored-report.ts';
import { assertMaySign } from '#identity/signing-holds/assert-may-sign.ts';
import { studyById, studyToChange } from '#imaging/studies/study-rows.ts';
import { contactsUpTo } from '#reading/critical-contacts/contacts.ts';
import { listedFindings } from './listed-findings.ts';
import { describeFindings, findingById, findingToChange, knownFindings, wholeFindings } from './finding-rows.ts';
import { recipientsOf } from './recipients.ts';
import { recordFinding } from './record-finding.ts';
import { notifyOfWithdrawal } from './notify-recipients.ts';
import { findingToManage, stateConflict, noteChange, refuseRestarted } from './change-finding.ts';

/**
 * Records a critical finding of a report and returns the report's id. The finding is stored separately from the text of
 * the report, so a signed report can get one too.
 */
export const addCriticalFinding = async (
  scope: Scope,
  reportId: string,
  form: Body<typeof reports.addCriticalFinding>,
): Promise<string> => {
  const { study_id } = await reportById(scope, reportId);
  // Locks the study, so that a deletion or move at the same time waits and then sees the finding.
  await studyToChange(scope, study_id);
  const report = await reportById(scope, reportId);
  assertMay('addCriticalFinding', report, scope.session);
  await recordFinding(scope, report, form);
  return reportId;
};

/**
 * Returns one page of the findings of which the caller may know. By default, returns only findings that are not
 * settled.
 */
export const list = async (scope: Scope, query: Query<typeof endpoints.list>): Promise<Page<CriticalFinding>> => {
  const condition = listedFindings(scope, query);
  const { total } = await knownFindings(scope)
    .where(condition)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await wholeFindings(scope)
    .where(condition)
    .orderBy(openFirst)
    .orderBy('f.due_at')
    .orderBy('f.id')
    .limit(query.size)
    .offset(query.page * query.size)
    .execute();
  return pageOf(await describeFindings(scope, rows), total, query);
};

/** Open findings come first, then those of all other states. */
const openFirst = sql`f.state <> 'OPEN'`;

/** Returns the ids of the listed findings in their order, at most `most`. */
export const listedIds = async (
  scope: Scope,
  query: Omit<Query<typeof endpoints.list>, 'page' | 'size'>,
  most: number,
): Promise<string[]> => {
  const rows = await knownFindings(scope)
    .select('f.id')
    .where(listedFindings(scope, query))
    .orderBy(openFirst)
    .orderBy('f.due_at')
    .orderBy('f.id')
    .limit(most)
    .execute();
  return rows.map(({ id }) => id);
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

/** Acknowledges a finding of which the caller was informed as its recipient. */
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
 * Acknowledges a finding on behalf of a treating physician who has read the signed report. This also stops the clock of
 * a finding that was not communicated yet.
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
