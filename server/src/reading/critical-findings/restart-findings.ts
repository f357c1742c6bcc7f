import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import type { Scope } from '#core/access/scope.ts';
import { recordTask } from '#core/jobs/task-history.ts';
import { contactsAt } from '#reading/critical-contacts/contacts.ts';
import { notifyOfRestart } from './notify-recipients.ts';

/**
 * Restarts the clocks of critical findings of studies that were moved to another patient, because earlier recipients
 * were informed about another person. Earlier communications stay on record, and all involved users are notified. An
 * open finding keeps its clock, so that a move does not delay its escalation. Withdrawn findings stay withdrawn.
 */
export const restartFindings = async (scope: Scope, studyIds: readonly string[]): Promise<void> => {
  const findings = await findingsToRestart(scope, studyIds);
  if (findings.length === 0) return;
  const onCall = await contactsAt(scope, 'ON_CALL');
  for (const finding of findings) {
    await restart(scope, finding);
    await noteRestart(scope, finding);
    await notifyOfRestart(scope, finding, onCall);
  }
};

/** Locks the findings, so that the restart and a communication at the same time wait for each other. */
const findingsToRestart = ({ db }: Scope, studyIds: readonly string[]) =>
  db
    .selectFrom('critical_findings')
    .select(['id', 'study_id', 'report_id', 'severity', 'state', 'identified_by'])
    .select(['communicated_at', 'acknowledged_at', 'acknowledged_by', 'acknowledged_how'])
    .where('study_id', '=', sql<string>`any(${studyIds}::uuid[])`)
    .where('state', '<>', 'WITHDRAWN')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();

type RestartedFinding = Awaited<ReturnType<typeof findingsToRestart>>[number];

const restart = async ({ db }: Scope, finding: RestartedFinding): Promise<void> => {
  const { id, state, communicated_at, acknowledged_at, acknowledged_by, acknowledged_how } = finding;
  await db
    .insertInto('critical_restarts')
    .values({ id: newId(), finding_id: id, state, communicated_at, acknowledged_at, acknowledged_by, acknowledged_how })
    .execute();
  const wasOpen = state === 'OPEN';
  await db
    .updateTable('critical_findings')
    .set({
      // Must be later than every communication for which this transaction waited, so it cannot be now(), the start of
      // the transaction.
      refiled_at: sql`clock_timestamp()`,
      ...(!wasOpen && {
        state: 'OPEN',
        communicated_at: null,
        acknowledged_at: null,
        acknowledged_by: null,
        acknowledged_how: null,
        escalation_step: 0,
        clock_started_at: sql`now()`,
        due_at: sql`now() + (due_at - clock_started_at)`,
        escalate_at: sql`now() + (due_at - clock_started_at) * 2 / 3`,
      }),
    })
    .where('id', '=', id)
    .execute();
};

const noteRestart = async (scope: Scope, finding: RestartedFinding): Promise<void> => {
  const { id, study_id: studyId, severity, state } = finding;
  await recordTask(scope, {
    studyId,
    type: 'CRITICAL_FINDING',
    displayValue: severity,
    details: 'The study was moved to another patient. The finding is not communicated for this patient.',
    isBySystem: true,
  });
  await audit(scope, 'critical_finding.restart', {
    entity: 'critical_finding',
    entityId: id,
    studyId,
    detail: { was: state },
  });
  await announce(scope, { kind: 'study', studyId });
};
