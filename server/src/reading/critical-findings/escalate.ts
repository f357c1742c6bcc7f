import { sentence, type Sentence } from '@radwork/contract/core/translate';
import {
  escalationLabels,
  type EscalationStep,
  escalationSteps,
} from '@radwork/contract/reading/critical-finding-states';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { aboutStudy, notify } from '#core/notifications/notify.ts';
import { type Scope, type Scopes, systemSession } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { reachOut } from '#reading/outreach/queue-messages.ts';
import { contactsAt, readersOf } from '#reading/critical-contacts/contacts.ts';
import { linkTo } from './notify-recipients.ts';

/** Maximum number of findings of a tenant in one transaction. */
const mostAtOnce = 100;

const titles: Record<EscalationStep, Sentence> = {
  READER: sentence`A critical finding is not communicated and almost due`,
  ON_CALL: sentence`A critical finding is due and not communicated`,
  LEAD: sentence`A critical finding is overdue and not communicated`,
};

const topics = { READER: 'CRITICAL_READER', ON_CALL: 'CRITICAL_ON_CALL', LEAD: 'CRITICAL_LEAD' } as const;

const noReader = 'No active reader. On-call reminded';

/**
 * Takes the due escalation steps of open findings in all tenants. Only one server takes each step. After an outage, all
 * missed steps are taken. A study with an open finding cannot be deleted. Findings of studies deleted before this rule
 * existed still escalate. Their notification says that the study is in the recycle bin.
 */
export const escalateFindings = async (scopes: Scopes, onError: (error: unknown) => void): Promise<void> => {
  const { rows: tenants } = await scopes.withoutTenant((db) =>
    sql<{ id: number }>`select id from tenants_with_critical_findings_to_escalate() id`.execute(db),
  );
  // An error in one tenant does not delay other tenants.
  for (const { id } of tenants) await escalateTenant(scopes, id).catch(onError);
};

const escalateTenant = async (scopes: Scopes, id: number): Promise<void> => {
  // Several steps of a finding may be due, so the loop repeats until no step is left.
  while ((await scopes.inTenant(systemSession(id), escalateSome)) > 0);
};

/**
 * Takes the next due step of up to `mostAtOnce` findings, and returns their number. Skips findings that another server
 * has locked.
 */
const escalateSome = async (scope: Scope): Promise<number> => {
  const due = await scope.db
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
  for (const finding of due) await notifyContacts(scope, finding);
  return due.length;
};

type EscalatedFinding = {
  id: string;
  study_id: string;
  report_id: string;
  severity: string;
  identified_by: string;
  escalation_step: number;
};

const notifyContacts = async (scope: Scope, finding: EscalatedFinding): Promise<void> => {
  const { id, study_id: studyId, severity } = finding;
  const step = escalationSteps[finding.escalation_step - 1];
  if (!step) return;
  const rung =
    step === 'READER' ? await readersOf(scope, finding) : { ids: await contactsAt(scope, step), isOnCall: false };
  const where = await whereFound(scope, studyId, id);
  await notify(scope, { to: rung.ids, type: 'CRITICAL_FINDING', isForAll: true, title: titles[step], ...where });
  await reachOut(scope, { topic: topics[step], to: rung.ids, link: where.link, findingId: id });
  await recordTask(scope, {
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

/** Returns text and link of a notification. For a study in the recycle bin, they say to restore it first. */
const whereFound = async (scope: Scope, studyId: string, findingId: string) => {
  const { message } = await aboutStudy(scope, studyId);
  const { deleted_at } = await scope.db
    .selectFrom('studies')
    .select('deleted_at')
    .where('id', '=', studyId)
    .executeTakeFirstOrThrow();
  if (deleted_at === null) return { message, link: linkTo(findingId), studyId };
  return { message: sentence`${message}. The study is in the recycle bin`, link: '/studies/deleted', studyId };
};
