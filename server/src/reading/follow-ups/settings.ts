import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type { FollowUpSettings, followUps as endpoints } from '@radwork/contract/reading/follow-ups';
import type { FollowUpOwner } from '@radwork/contract/reading/follow-up-states';
import { sql } from 'kysely';
import { audit } from '#core/audit/audit.ts';
import { invalid } from '#core/http/problem.ts';
import type { Scope } from '#core/access/scope.ts';
import { userSeesAllGroups } from '#core/access/study-access.ts';

/** Selects the users who may be chosen: active users who may know of all studies of the tenant. */
const candidates = ({ db }: Scope) =>
  db
    .selectFrom('users as u')
    .select(['u.id', 'u.username', 'u.name'])
    .where('u.is_active', '=', true)
    .where('u.user_type', 'in', ['SUPER_ADMIN', 'ADMIN', 'RADIOLOGIST'])
    .where(userSeesAllGroups)
    .orderBy('u.name')
    .orderBy('u.id');

const contacts = (scope: Scope) =>
  candidates(scope).innerJoin('follow_up_contacts as c', 'c.user_id', 'u.id').execute();

const stored = async ({ db }: Scope): Promise<{ owner: FollowUpOwner; remindsAuthor: boolean }> => {
  const row = await db.selectFrom('follow_up_settings').select(['owner', 'reminds_author']).executeTakeFirst();
  return { owner: row?.owner ?? 'REFERRER', remindsAuthor: row?.reminds_author ?? true };
};

export const readSettings = async (scope: Scope): Promise<FollowUpSettings> => ({
  ...(await stored(scope)),
  contacts: await contacts(scope),
  candidates: await candidates(scope).execute(),
});

/** Saves who owns new rows, and who is reminded of overdue rows. */
export const saveSettings = async (
  scope: Scope,
  { owner, remindsAuthor, contacts: chosen }: Body<typeof endpoints.saveSettings>,
): Promise<FollowUpSettings> => {
  const known = new Set((await candidates(scope).execute()).map(({ id }) => id));
  if (chosen.some((id) => !known.has(id))) throw invalid({ contacts: t`Choose active members of this organization` });
  // Makes two administrators who save at the same time wait for each other.
  await sql`select pg_advisory_xact_lock(hashtext('follow-up-settings'), ${scope.session.tenantId})`.execute(scope.db);
  await scope.db
    .insertInto('follow_up_settings')
    .values({ owner, reminds_author: remindsAuthor })
    .onConflict((saved) => saved.column('tenant_id').doUpdateSet({ owner, reminds_author: remindsAuthor }))
    .execute();
  await scope.db.deleteFrom('follow_up_contacts').execute();
  const rows = [...new Set(chosen)].map((user_id) => ({ user_id }));
  if (rows.length > 0) await scope.db.insertInto('follow_up_contacts').values(rows).execute();
  await audit(scope, 'follow_up_settings.save', {
    entity: 'follow_up_settings',
    detail: { owner, remindsAuthor, contacts: rows.length },
  });
  return readSettings(scope);
};

/**
 * Returns the owner of a new row: as the settings say, the referring physician of the study, or else the author of the
 * report. A physician without an active account cannot own a row.
 */
export const defaultOwner = async (
  scope: Scope,
  { study_id, author_id }: { study_id: string; author_id: string },
): Promise<string> => {
  const { owner } = await stored(scope);
  if (owner === 'AUTHOR') return author_id;
  const physician = await scope.db
    .selectFrom('study_participants as sp')
    .innerJoin('users as u', 'u.id', 'sp.user_id')
    .select('u.id')
    .where('sp.study_id', '=', study_id)
    .where('sp.role', 'in', ['REFERRER', 'ORDERER'])
    .where('u.is_active', '=', true)
    .where('u.user_type', '<>', 'PATIENT')
    .orderBy(sql`sp.role = 'REFERRER'`, 'desc')
    .orderBy('sp.created_at')
    .limit(1)
    .executeTakeFirst();
  return physician?.id ?? author_id;
};

/** Returns the users who are reminded of an overdue row. */
export const reminded = async (
  scope: Scope,
  { owner_id, author_id }: { owner_id: string; author_id: string },
): Promise<string[]> => {
  const { remindsAuthor } = await stored(scope);
  const chosen = await contacts(scope);
  return [owner_id, ...(remindsAuthor ? [author_id] : []), ...chosen.map(({ id }) => id)];
};
