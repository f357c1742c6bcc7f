import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { CriticalContacts, criticalFindings as endpoints } from '@radwork/contract/reading/critical-findings';
import { escalationSteps } from '@radwork/contract/reading/critical-finding-states';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { userSeesAllGroups } from '#core/access/study-access.ts';

/** The steps of the escalation for which an administrator chooses users. */
type Rung = 'ON_CALL' | 'LEAD';

/** Selects the users who may be chosen: active users of the organization who may know of all its studies. */
const candidates = ({ db }: Scope) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .where('u.is_active', '=', true)
    .where('u.user_type', 'in', ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST'])
    .where(userSeesAllGroups)
    .orderBy('u.name')
    .orderBy('u.id');

const chosenFor = (scope: Scope, rung: Rung) =>
  candidates(scope).innerJoin('critical_contacts as c', 'c.user_id', 'u.id').where('c.rung', '=', rung).execute();

/** Returns the users whom an escalation notifies, and the users who may be chosen. */
export const contacts = async (scope: Scope): Promise<CriticalContacts> => ({
  onCall: await chosenFor(scope, 'ON_CALL'),
  lead: await chosenFor(scope, 'LEAD'),
  candidates: await candidates(scope).execute(),
});

/** Saves the users whom an escalation notifies. */
export const saveContacts = async (
  scope: Scope,
  { onCall, lead }: Body<typeof endpoints.saveContacts>,
): Promise<CriticalContacts> => {
  const known = new Set((await candidates(scope).execute()).map(({ id }) => id));
  if (onCall.some((id) => !known.has(id))) throw invalid({ onCall: t`Choose active members of this organization` });
  if (lead.some((id) => !known.has(id))) throw invalid({ lead: t`Choose active members of this organization` });
  // Makes two administrators who save at the same time wait for each other.
  await sql`select pg_advisory_xact_lock(hashtext('critical-contacts'), ${scope.session.tenantId})`.execute(scope.db);
  await scope.db.deleteFrom('critical_contacts').execute();
  const rows = [
    ...[...new Set(onCall)].map((user_id) => ({ rung: 'ON_CALL' as const, user_id })),
    ...[...new Set(lead)].map((user_id) => ({ rung: 'LEAD' as const, user_id })),
  ];
  if (rows.length > 0) await scope.db.insertInto('critical_contacts').values(rows).execute();
  await audit(scope, 'critical_contacts.save', {
    entity: 'critical_contacts',
    detail: { onCall: onCall.length, lead: lead.length },
  });
  return contacts(scope);
};

/** Returns the ids of a step's contacts: the active users chosen for it, otherwise the administrators. */
export const contactsAt = async (scope: Scope, rung: Rung): Promise<string[]> => {
  const contactsOfRung = await chosenFor(scope, rung);
  if (contactsOfRung.length > 0) return contactsOfRung.map(({ id }) => id);
  const administrators = await candidates(scope).where('u.user_type', '!=', 'RADIOLOGIST').execute();
  return administrators.map(({ id }) => id);
};

type FindingRef = { study_id: string; report_id: string; identified_by: string };

/**
 * Returns the users who are reminded before a finding is due. These are the active users among the finder, the author
 * of the report and the assignees of the study. If none is active, returns the on-call users instead.
 */
export const readersOf = async (scope: Scope, finding: FindingRef): Promise<{ ids: string[]; isOnCall: boolean }> => {
  const { rows } = await sql<{ id: string }>`
    select u.id from users u where u.is_active and (
      u.id = ${finding.identified_by}
      or u.id = (select author_id from reports where id = ${finding.report_id})
      or u.id in (select user_id from study_participants where study_id = ${finding.study_id} and role = 'ASSIGNEE'))`.execute(
    scope.db,
  );
  if (rows.length > 0) return { ids: rows.map(({ id }) => id), isOnCall: false };
  return { ids: await contactsAt(scope, 'ON_CALL'), isOnCall: true };
};

/** Returns the users whom the escalation has notified up to a step, according to the current contacts. */
export const contactsUpTo = async (scope: Scope, finding: FindingRef, step: number): Promise<string[]> => {
  const reached: string[] = [];
  for (const rung of escalationSteps.slice(0, step)) {
    reached.push(...(rung === 'READER' ? (await readersOf(scope, finding)).ids : await contactsAt(scope, rung)));
  }
  return reached;
};
