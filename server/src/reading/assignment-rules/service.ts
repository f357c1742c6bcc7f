import { t } from '@radwork/contract/core/translate';
import type { Body } from '@radwork/contract/core/endpoint';
import type {
  AssignmentRuleForm,
  AssignmentRuleList,
  assignmentRules as endpoints,
  RuleFault,
} from '@radwork/contract/reading/assignment-rules';
import { refuseLimited } from '#core/access/refuse-limited.ts';
import { hasPermission, type Scope } from '#core/access/scope.ts';
import { audit } from '#core/audit/audit.ts';
import { conflict, forbidden, invalid } from '#core/http/problem.ts';
import { newId } from '#core/values/ids.ts';
import type { Candidates } from './evaluate.ts';
import { candidatesOf, columnsOf, rulesInOrder, type StoredRule } from './rule-rows.ts';

/** Returns the rules of the organization in their order. */
export const read = async (scope: Scope): Promise<AssignmentRuleList> => {
  const { revision } = await scope.db
    .selectFrom('tenants')
    .select('assignment_rules_revision as revision')
    .where('id', '=', scope.session.tenantId)
    .executeTakeFirstOrThrow();
  const rules = await rulesInOrder(scope);
  const candidates = await candidatesOf(scope, rules);
  return {
    revision,
    rules: rules.map(({ lastUserId: _lastUserId, ...rule }) => ({
      ...rule,
      assigneeName: namedBy(rule, candidates)?.name ?? '',
      fault: faultOf(rule, candidates),
    })),
  };
};

const namedBy = ({ assignee: { kind, id } }: Pick<StoredRule, 'assignee'>, { users, groups }: Candidates) =>
  (kind === 'USER' ? users : groups).get(id ?? '');

const faultOf = (
  { assignee: { kind, id } }: Pick<StoredRule, 'assignee'>,
  candidates: Candidates,
): RuleFault | null => {
  const { users, groups } = candidates;
  if (kind === 'USER') return users.get(id ?? '')?.isAssignable ? null : 'INACTIVE';
  const group = groups.get(id ?? '');
  if (!group) return 'DELETED';
  const readers = group.memberIds.flatMap((memberId) => users.get(memberId) ?? []);
  const hasReader = readers.some((user) => user.isAssignable && user.isRadiologist);
  return hasReader ? null : 'EMPTY';
};

/**
 * Replaces the rules of the organization. Throws 403 for a caller who may not assign studies, and for one who is limited to
 * groups, because rules concern all studies. Throws 409 if another user has changed the rules, and 422 for an unknown user or group.
 */
export const save = async (
  scope: Scope,
  { revision, rules }: Body<typeof endpoints.save>,
): Promise<AssignmentRuleList> => {
  refuseLimited(scope.session);
  if (!hasPermission(scope.session, 'study.assign')) throw forbidden(t`You cannot assign studies`);
  await countChange(scope, revision);
  await assertKnownAssignees(scope, rules);
  const known = await rulesInOrder(scope);
  const knownIds = new Set(known.map(({ id }) => id));
  const keptIds = new Set(rules.flatMap(({ id }) => (id !== undefined && knownIds.has(id) ? id : [])));
  const removed = known.filter(({ id }) => !keptIds.has(id));
  await removeRules(
    scope,
    removed.map(({ id }) => id),
  );
  for (const [position, { id, ...form }] of rules.entries()) {
    const columns = { ...columnsOf(form), position };
    // The second of two rules with the same id is a copy.
    if (id !== undefined && keptIds.delete(id)) await changeRule(scope, id, columns);
    else
      await scope.db
        .insertInto('assignment_rules')
        .values({ id: newId(), ...columns })
        .execute();
  }
  await audit(scope, 'assignment_rule.save', {
    entity: 'assignment_rule',
    detail: {
      rules: rules.map(({ name, isActive }) => (isActive ? name : `${name} (off)`)).join(', '),
      removed: removed.map(({ name }) => name).join(', '),
    },
  });
  return read(scope);
};

/** Counts a change of the rules, and locks them until the transaction ends. */
const countChange = async ({ db, session }: Scope, revision: number): Promise<void> => {
  const changed = await db
    .updateTable('tenants')
    .set({ assignment_rules_revision: revision + 1 })
    .where('id', '=', session.tenantId)
    .where('assignment_rules_revision', '=', revision)
    .executeTakeFirst();
  if (changed.numUpdatedRows > 0n) return;
  throw conflict('assignment_rule.changed', t`Another user changed the rules. Nothing was saved. Reload them.`);
};

const removeRules = async ({ db }: Scope, ids: readonly string[]): Promise<void> => {
  if (ids.length > 0) await db.deleteFrom('assignment_rules').where('id', 'in', ids).execute();
};

const changeRule = async ({ db }: Scope, id: string, columns: ReturnType<typeof columnsOf> & { position: number }) => {
  await db.updateTable('assignment_rules').set(columns).where('id', '=', id).execute();
};

/** Throws 422 at the field for a user or group that the organization does not have. */
export const assertKnownAssignees = async (scope: Scope, rules: readonly AssignmentRuleForm[]): Promise<void> => {
  const candidates = await candidatesOf(scope, rules);
  for (const [index, rule] of rules.entries()) {
    if (rule.assignee.id === null || namedBy(rule, candidates)) continue;
    const field = `rules.${index}.assignee.id`;
    throw invalid({
      [field]:
        rule.assignee.kind === 'USER' ? t`Choose users of this organization` : t`Choose groups of this organization`,
    });
  }
};
