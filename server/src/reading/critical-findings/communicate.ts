import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { CriticalFinding, criticalFindings as endpoints } from '@radwork/contract/reading/critical-findings';
import { communicationMethodLabels } from '@radwork/contract/reading/critical-finding-states';
import { sql } from 'kysely';
import { newId } from '#core/values/ids.ts';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import type { StoredFinding } from './finding-rows.ts';
import { recipientsOf } from './recipients.ts';
import { notifyRecipient } from './notify-recipients.ts';
import { findingToManage, noteChange, refuseRestarted } from './change-finding.ts';
import { get } from './service.ts';

/**
 * Records a communication of a finding, or a failed attempt. A recipient outside Radwork acknowledges by reading the
 * finding back. A user of Radwork acknowledges with `acknowledge`.
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
  // The clocks of client and server may differ a little.
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
      // now() is the start of the transaction. If this transaction waited for a move, the entry must have a later time
      // than the move.
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

/**
 * Throws 422 for a time before the study arrived, or more than a day before the finding was recorded. A day is allowed,
 * because a finder may call first and record the finding later. Also throws 422 for a time when the study was filed
 * under another patient.
 */
const refuseTooEarly = async ({ db }: Scope, { id }: StoredFinding, toldAt: string): Promise<void> => {
  const { isOfFormer, isTooEarly } = await db
    .selectFrom('critical_findings as f')
    .innerJoin('studies as s', 's.id', 'f.study_id')
    .select([
      // Compares minutes, because users enter times without seconds.
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

type CommunicationFacts = { toldAt: string; isConfirmed: boolean };

const noteReached = async (
  { db }: Scope,
  finding: StoredFinding,
  { toldAt, isConfirmed }: CommunicationFacts,
): Promise<void> => {
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
