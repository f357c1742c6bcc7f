import { t } from '@lingui/core/macro';
import type { AssignmentRule, AssignmentRuleForm, RuleFault } from '@radwork/contract/reading/assignment-rules';
import type { Place } from '#ui/tables/data-table-columns.ts';

/** A rule on the screen. `key` stays the same until the screen closes; `id` is missing before the first save. */
export type DraftRule = AssignmentRuleForm & {
  key: string;
  id?: string;
  assigneeName: string;
  fault: RuleFault | null;
};

export const newRule = (): DraftRule => ({
  key: crypto.randomUUID(),
  name: '',
  isActive: true,
  conditions: { modalities: [], bodyParts: [], sites: [], priorities: [], shift: null },
  assignee: { kind: 'LEAST_LOADED', id: null },
  mostOpen: null,
  assigneeName: '',
  fault: null,
});

export const toDrafts = (rules: readonly AssignmentRule[]): DraftRule[] =>
  rules.map((rule) => ({ ...rule, key: rule.id }));

/** Returns what is sent of a rule. */
export const formOf = ({ key: _key, id: _id, assigneeName: _name, fault: _fault, ...form }: DraftRule) => form;

/** Moves the rule with a key to a place, from 0. */
export const movedTo = (rules: readonly DraftRule[], key: string, place: number): DraftRule[] => {
  const moved = rules.find((rule) => rule.key === key);
  if (!moved) return [...rules];
  return rules.filter((rule) => rule !== moved).toSpliced(Math.max(place, 0), 0, moved);
};

/** Moves the rule with a key before or after another one. */
export const movedBeside = (rules: readonly DraftRule[], key: string, { id, isAfter }: Place): DraftRule[] => {
  const others = rules.filter((rule) => rule.key !== key);
  return movedTo(rules, key, others.findIndex((rule) => rule.key === id) + Number(isAfter));
};

/** Errors of a rule by field. The server checks the same. */
export const faultsOf = ({ name, assignee, conditions: { shift } }: DraftRule): Record<string, string> => ({
  ...(name.trim() === '' && { name: t`Name is required` }),
  ...(assignee.id === null && { assignee: t`Choose an assignee` }),
  ...(shift?.days.length === 0 && { days: t`Choose at least one day` }),
});
