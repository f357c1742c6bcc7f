import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import { type Macro, type macros as endpoints, mostMacros } from '@radwork/contract/reading/macros';
import { escapeHtml, mergeFieldFault } from '@radwork/contract/reading/merge-fields';
import { readTemplateFields } from '@radwork/contract/reading/template-fields-html';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { conflict, forbidden, orNotFound, invalid, Problem } from '#core/http/problem.ts';
import { unlessTaken } from '#core/database/unless-taken.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';

const storedMacros = ({ db, session }: Scope) =>
  db
    .selectFrom('macros')
    .select([
      'id',
      'abbreviation',
      'name',
      'text',
      sql<boolean>`owner_id is null`.as('isShared'),
      'revision',
      'updated_by as updatedBy',
      'updated_at as updatedAt',
    ])
    // The private macros of other users are not visible.
    .where((is) => is.or([is('owner_id', 'is', null), is('owner_id', '=', session.userId)]));

/** Lists the caller's own macros and the shared macros, by abbreviation. */
export const list = (scope: Scope): Promise<Macro[]> =>
  storedMacros(scope)
    .orderBy(sql`lower(abbreviation)`)
    .orderBy('id')
    .execute();

/** Creates a macro. Throws 403 when the caller may not create this kind, and 409 when the abbreviation is in use. */
export const create = async (scope: Scope, { isShared, ...form }: Body<typeof endpoints.create>): Promise<Macro> => {
  assertMayKeep(scope, isShared);
  assertFields(form.text);
  await assertRoom(scope, isShared);
  const { userId, name } = scope.session;
  const id = newId();
  await unlessTaken(
    'macros_abbreviation',
    abbreviationTaken(isShared),
    scope.db.insertInto('macros').values({ id, ...form, owner_id: isShared ? null : userId, updated_by: name }),
  );
  await noteChange(scope, 'macro.create', { id, isShared });
  return macroById(scope, id);
};

/** Changes a macro. If another user changed it after the caller read it, throws 409 with that user's name. */
export const update = async (
  scope: Scope,
  id: string,
  { revision, ...form }: Body<typeof endpoints.update>,
): Promise<Macro> => {
  const known = await macroById(scope, id);
  assertMayKeep(scope, known.isShared);
  assertFields(form.text);
  const change = scope.db
    .updateTable('macros')
    .set({ ...form, revision: revision + 1, updated_by: scope.session.name, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning('id');
  const changed = await unlessTaken('macros_abbreviation', abbreviationTaken(known.isShared), change);
  if (changed.length === 0) {
    const now = await macroById(scope, id);
    throw conflict('macro.changed', t`${now.updatedBy} changed the macro. Its text is now "${now.text}".`);
  }
  await noteChange(scope, 'macro.update', known);
  return macroById(scope, id);
};

export const remove = async (scope: Scope, id: string): Promise<void> => {
  const { isShared } = await macroById(scope, id);
  assertMayKeep(scope, isShared);
  await scope.db.deleteFrom('macros').where('id', '=', id).execute();
  await noteChange(scope, 'macro.delete', { id, isShared });
};

/** Audits a change, and reloads the windows of users who may use the macro. */
const noteChange = async (
  scope: Scope,
  action: string,
  { id, isShared }: Pick<Macro, 'id' | 'isShared'>,
): Promise<void> => {
  await audit(scope, action, { entity: 'macro', entityId: id, detail: { isShared } });
  await announce(scope, { kind: 'templates' }, isShared ? undefined : [scope.session.userId]);
};

const macroById = async (scope: Scope, id: string): Promise<Macro> =>
  orNotFound(await storedMacros(scope).where('id', '=', id).executeTakeFirst(), 'macro');

/** Users who write reports own private macros. Users who manage templates own the shared macros. */
const assertMayKeep = ({ session }: Scope, isShared: boolean): void => {
  if (!hasPermission(session, isShared ? 'template.manage' : 'report.create')) throw forbidden();
};

const assertFields = (text: string): void => {
  const fault = mergeFieldFault(text, { html: false });
  if (fault) throw invalid({ text: fault });
  const [field] = readTemplateFields(escapeHtml(text).replaceAll('\n', '<br>')).faults;
  if (field) throw invalid({ text: `${field.message}: ${field.quote}` });
};

const assertRoom = async ({ db, session }: Scope, isShared: boolean): Promise<void> => {
  const { count } = await db
    .selectFrom('macros')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', isShared ? 'is' : '=', isShared ? null : session.userId)
    .executeTakeFirstOrThrow();
  if (count >= mostMacros) throw conflict('macro.full', t`You already have ${mostMacros} macros. Delete one first.`);
};

const abbreviationTaken = (isShared: boolean) => (): Problem => {
  const words = isShared
    ? t`A shared macro with this abbreviation already exists`
    : t`You already have a macro with this abbreviation`;
  return new Problem(409, 'macro.taken', words, { fields: { abbreviation: words } });
};
