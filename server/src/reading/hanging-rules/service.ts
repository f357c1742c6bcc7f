import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import {
  type HangingRule,
  type HangingRuleForm,
  hangingRuleFault,
  type hangingRules as endpoints,
  mostHangingRules,
} from '@radwork/contract/reading/hanging-rules';
import { sql } from 'kysely';
import { announce } from '#core/live/announce.ts';
import { audit } from '#core/audit/audit.ts';
import { newId } from '#core/values/ids.ts';
import { lockedOrder, writeOrder } from '#core/values/ordered-rows.ts';
import { conflict, forbidden, orNotFound, invalid } from '#core/http/problem.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';

const storedRules = ({ db, session }: Scope) =>
  db
    .selectFrom('hanging_rules')
    .select([
      'id',
      'modality',
      'body_part as bodyPart',
      'monitors',
      'layout',
      'prior',
      'panes',
      'linked_scroll as linkedScroll',
      'window_preset as window',
      'tool',
      sql<boolean>`owner_id is null`.as('isShared'),
      'revision',
      'updated_by as updatedBy',
      'updated_at as updatedAt',
    ])
    // The rules of other users are not visible.
    .where((is) => is.or([is('owner_id', 'is', null), is('owner_id', '=', session.userId)]));

/** Lists the caller's own rules, then those of the organization, each in their order. */
export const list = (scope: Scope): Promise<HangingRule[]> =>
  storedRules(scope)
    .orderBy(sql`owner_id is null`)
    .orderBy('position')
    .orderBy('id')
    .execute();

const columnsOf = ({
  modality,
  bodyPart,
  monitors,
  layout,
  prior,
  panes,
  linkedScroll,
  window,
  tool,
}: HangingRuleForm) => ({
  modality,
  body_part: bodyPart,
  monitors,
  layout,
  prior,
  panes: JSON.stringify(panes),
  linked_scroll: linkedScroll,
  window_preset: window,
  tool,
});

/** Creates a rule at a place, by default the last. Throws 403 when the caller may not create this kind. */
export const create = async (
  scope: Scope,
  { isShared, at, ...form }: Body<typeof endpoints.create>,
): Promise<HangingRule> => {
  assertMayKeep(scope, isShared);
  assertConsistent(form);
  const known = await lockedOrder(scope, 'hanging_rules', ownerOf(scope, isShared));
  if (known.length >= mostHangingRules) {
    throw conflict('hanging_rule.full', t`There are already ${mostHangingRules} rules. Delete one first.`);
  }
  const { userId, name } = scope.session;
  const id = newId();
  await scope.db
    .insertInto('hanging_rules')
    .values({ id, ...columnsOf(form), owner_id: isShared ? null : userId, position: known.length, updated_by: name })
    .execute();
  await writeOrder(scope, 'hanging_rules', known.toSpliced(at ?? known.length, 0, id));
  await noteChange(scope, 'hanging_rule.create', { id, isShared });
  return ruleById(scope, id);
};

/** Changes a rule. If another user changed it after the caller read it, throws 409 with that user's name. */
export const update = async (
  scope: Scope,
  id: string,
  { revision, ...form }: Body<typeof endpoints.update>,
): Promise<HangingRule> => {
  const known = await ruleById(scope, id);
  assertMayKeep(scope, known.isShared);
  assertConsistent(form);
  const changed = await scope.db
    .updateTable('hanging_rules')
    .set({
      ...columnsOf(form),
      revision: revision + 1,
      updated_by: scope.session.name,
      updated_at: sql`now()`,
    })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .returning('id')
    .execute();
  if (changed.length === 0) {
    const { updatedBy } = await ruleById(scope, id);
    throw conflict('hanging_rule.changed', t`${updatedBy} changed the rule. Open it again to see the change.`);
  }
  await noteChange(scope, 'hanging_rule.update', known);
  return ruleById(scope, id);
};

/** Moves a rule to a place among the rules of its owner, from 0. Returns all rules that the caller sees. */
export const move = async (scope: Scope, id: string, at: number): Promise<HangingRule[]> => {
  const known = await ruleById(scope, id);
  assertMayKeep(scope, known.isShared);
  const others = (await lockedOrder(scope, 'hanging_rules', ownerOf(scope, known.isShared))).filter(
    (one) => one !== id,
  );
  await writeOrder(scope, 'hanging_rules', others.toSpliced(at, 0, id));
  await noteChange(scope, 'hanging_rule.move', known);
  return list(scope);
};

export const remove = async (scope: Scope, id: string): Promise<void> => {
  const known = await ruleById(scope, id);
  assertMayKeep(scope, known.isShared);
  await scope.db.deleteFrom('hanging_rules').where('id', '=', id).execute();
  await noteChange(scope, 'hanging_rule.delete', known);
};

/** Audits a change, and refreshes the rules of the users whom the rule concerns. */
const noteChange = async (
  scope: Scope,
  action: string,
  { id, isShared }: Pick<HangingRule, 'id' | 'isShared'>,
): Promise<void> => {
  await audit(scope, action, { entity: 'hanging_rule', entityId: id, detail: { isShared } });
  await announce(scope, { kind: 'hanging-rules' }, isShared ? undefined : [scope.session.userId]);
};

const ruleById = async (scope: Scope, id: string): Promise<HangingRule> =>
  orNotFound(await storedRules(scope).where('id', '=', id).executeTakeFirst(), 'hanging rule');

/** Users who view studies own rules. Users who manage the configuration own those of the organization. */
const assertMayKeep = ({ session }: Scope, isShared: boolean): void => {
  if (isShared && !hasPermission(session, 'config.manage')) throw forbidden();
};

const assertConsistent = (form: HangingRuleForm): void => {
  const fault = hangingRuleFault(form);
  if (fault) throw invalid({ [fault.field]: fault.message });
};

const ownerOf = ({ session }: Scope, isShared: boolean): string | null => (isShared ? null : session.userId);
