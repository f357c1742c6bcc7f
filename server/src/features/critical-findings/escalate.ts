import { escalationLabels, type EscalationStep, escalationSteps } from '@radwork/contract/critical-findings';
import { sql } from 'kysely';
import { announce } from '#core/announce.ts';
import { audit } from '#core/audit.ts';
import { aboutStudy, notify } from '#core/notify.ts';
import { type Scope, type Scopes, systemSession } from '#core/scope.ts';
import { noteTask } from '#core/task-history.ts';
import { reachOut } from '#features/outreach/queue-messages.ts';
import { contactsAt, readersOf } from './contacts.ts';
import { linkTo } from './tell.ts';

/** Findings of a tenant in one transaction. */
const mostAtOnce = 100;

const titles: Record<EscalationStep, string> = {
  READER: 'A critical finding was not communicated yet, and little time is left',
  ON_CALL: 'A critical finding is due and was not communicated',
  LEAD: 'A critical finding is overdue and was not communicated',
};

const topics = { READER: 'CRITICAL_READER', ON_CALL: 'CRITICAL_ON_CALL', LEAD: 'CRITICAL_LEAD' } as const;

const noReader = 'Nobody who reads it is here any more: on-call reminded';

/**
 * Takes the rungs of the ladder that are due, in all tenants, of findings that nobody was told of: each once, whichever
 * server comes first, and after a pause of all servers those that fell into it (D-30). No study goes into the recycle bin
 * with such a finding; those that went before that was refused do not keep the ladder waiting, and are told of as being
 * there.
 */
export const escalateFindings = async (scopes: Scopes, onError: (error: unknown) => void): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_critical_findings_to_escalate() id`.execute(db),
  );
  // A tenant whose findings cannot be told of does not keep those after it waiting.
  for (const { id } of tenants) await escalateTenant(scopes, id).catch(onError);
};

const escalateTenant = async (scopes: Scopes, id: number): Promise<void> => {
  // A finding may have several rungs to take: until none is left.
  while ((await scopes.inTenant(systemSession(id), escalateSome)) > 0);
};

/** Takes one rung each of some findings, and answers of how many. Those that another server has at hand are left to it. */
const escalateSome = async (scope: Scope): Promise<number> => {
  const taken = await scope.db
    .updateTable('critical_findings')
    .set({
      escalation_step: sql`escalation_step + 1`,
      escalate_at: sql`case escalation_step when 0 then due_at
        when 1 then due_at + (due_at - clock_started_at) / 3 end`,
    })
    .where('id', 'in', (query) =>
      query
        .selectFrom('critical_findings as f')
        .select('f.id')
        .where('f.escalate_at', '<=', sql<string>`now()`)
        .orderBy('f.escalate_at')
        .limit(mostAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'study_id', 'report_id', 'severity', 'identified_by', 'escalation_step'])
    .execute();
  for (const finding of taken) await tell(scope, finding);
  return taken.length;
};

type Escalated = {
  id: string;
  study_id: string;
  report_id: string;
  severity: string;
  identified_by: string;
  escalation_step: number;
};

const tell = async (scope: Scope, finding: Escalated): Promise<void> => {
  const { id, study_id: studyId, severity } = finding;
  const step = escalationSteps[finding.escalation_step - 1];
  if (!step) return;
  const rung =
    step === 'READER' ? await readersOf(scope, finding) : { ids: await contactsAt(scope, step), isOnCall: false };
  const where = await whereFound(scope, studyId, id);
  await notify(scope, { to: rung.ids, type: 'CRITICAL_FINDING', title: titles[step], ...where });
  await reachOut(scope, { topic: topics[step], to: rung.ids, link: where.link, findingId: id });
  await noteTask(scope, {
    studyId,
    type: 'CRITICAL_FINDING',
    displayValue: severity,
    details: `Not communicated. ${rung.isOnCall ? noReader : escalationLabels[step]}`,
    isBySystem: true,
  });
  await audit(scope, 'critical_finding.escalate', {
    entity: 'critical_finding',
    entityId: id,
    studyId,
    detail: { step },
  });
  await announce(scope, { kind: 'study', studyId });
};

/** What a notice says of the study, and where it leads: a study in the recycle bin has to be restored before all else. */
const whereFound = async (scope: Scope, studyId: string, findingId: string) => {
  const { message } = await aboutStudy(scope, studyId);
  const { deleted_at } = await scope.db
    .selectFrom('studies')
    .select('deleted_at')
    .where('id', '=', studyId)
    .executeTakeFirstOrThrow();
  if (deleted_at === null) return { message, link: linkTo(findingId), studyId };
  return { message: `${message}. The study is in the recycle bin`, link: '/studies/deleted', studyId };
};
