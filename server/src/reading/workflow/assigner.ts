import { t } from '@radwork/contract/core/translate';
import { serversName } from '@radwork/contract/identity/users';
import type { Scope } from '#core/access/scope.ts';

/** Assigner of a study: a user, or a rule of the organization. */
export type Assigner = { userId: string } | { rule: { id: string; name: string } };

export const callerAsAssigner = ({ session }: Pick<Scope, 'session'>): Assigner => ({ userId: session.userId });

/** Returns the columns of an assignment that name its assigner. */
export const assignerColumns = (
  assigner: Assigner,
): { assigned_by: string; assigned_by_rule: null } | { assigned_by: null; assigned_by_rule: string } =>
  'rule' in assigner
    ? { assigned_by: null, assigned_by_rule: assigner.rule.name }
    : { assigned_by: assigner.userId, assigned_by_rule: null };

/** Returns the end of a history entry about a new assignment: empty for a user, whom the entry names already. */
export const assignerWords = (assigner: Assigner): string =>
  'rule' in assigner ? ` by the rule “${assigner.rule.name}”` : '';

/** Returns what an audit entry says about the assigner. */
export const assignerDetail = (assigner: Assigner): { rule?: string } =>
  'rule' in assigner ? { rule: assigner.rule.id } : {};

type StoredAssigner = { by_username: string | null; by_name: string | null; assigned_by_rule: string | null };

/** Converts the assigner of a stored assignment. A rule acts as the server. */
export const toAssigner = ({ by_username, by_name, assigned_by_rule: rule }: StoredAssigner) =>
  rule === null
    ? { username: by_username ?? '', name: by_name ?? '' }
    : { username: serversName, name: t`Rule “${rule}”` };
