import { t } from '@lingui/core/macro';
import { shift as shiftSchema } from '@radwork/contract/imaging/arrival-conditions';
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

/** Completes a typed time: "7" and "7:30" become "07:00" and "07:30". Leaves all other text. */
export const completedTime = (typed: string): string => {
  const [, hours, minutes = '00'] = /^(\d{1,2})(?::(\d{2}))?$/.exec(typed.trim()) ?? [];
  return hours === undefined ? typed : `${hours.padStart(2, '0')}:${minutes}`;
};

/** Completes the times and the name of a rule. */
export const completed = (rule: DraftRule): DraftRule => {
  const { shift } = rule.conditions;
  const whole = shift && { ...shift, from: completedTime(shift.from), to: completedTime(shift.to) };
  return { ...rule, name: rule.name.trim(), conditions: { ...rule.conditions, shift: whole } };
};

/** Errors of the fields of a shift. */
const shiftFaults = (typed: DraftRule['conditions']['shift']): Record<string, string> =>
  Object.fromEntries(
    (shiftSchema.nullable().safeParse(typed).error?.issues ?? []).map(({ path: [field], message }) => [
      String(field),
      message,
    ]),
  );

/** Errors of a rule by field. The server checks the same. */
export const faultsOf = ({ name, assignee, conditions: { shift } }: DraftRule): Record<string, string> => ({
  ...(name.trim() === '' && { name: t`Name is required` }),
  ...(assignee.id === null && { assignee: t`Choose an assignee` }),
  ...shiftFaults(shift),
});
