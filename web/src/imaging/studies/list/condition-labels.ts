import { plural, t } from '@lingui/core/macro';
import {
  callerAsAssignee,
  type ConditionField,
  type ConditionOperator,
  numberOf,
  type StudyCondition,
} from '@radwork/contract/imaging/study-conditions';
import { studyStatusLabels, studyStatuses } from '@radwork/contract/imaging/study-status';

export const conditionFieldLabels: Record<ConditionField, string> = {
  modality: t`Modality`,
  status: t`Status`,
  priority: t`Priority`,
  assignee: t`Assignee`,
  bodyPart: t`Body part`,
  referringPhysician: t`Referring physician`,
  device: t`Device`,
  studyDate: t`Study date`,
  arrival: t`Arrival`,
  due: t`Due`,
  report: t`Report`,
};

const operatorLabels: Record<ConditionOperator, string> = {
  is: t`is`,
  isNot: t`is not`,
  empty: t`is empty`,
  present: t`is present`,
  today: t`today`,
  last: t`last days`,
  older: t`older than days`,
  overdue: t`overdue`,
  within: t`within hours`,
};

/** Labels of operators that read differently for one field. */
const ownLabels: Partial<Record<ConditionField, Partial<Record<ConditionOperator, string>>>> = {
  assignee: { empty: t`unassigned`, present: t`assigned` },
  referringPhysician: { is: t`contains`, isNot: t`does not contain` },
  due: { empty: t`without due time` },
  report: { empty: t`without a report` },
};

export const operatorLabel = (field: ConditionField, operator: ConditionOperator): string =>
  ownLabels[field]?.[operator] ?? operatorLabels[operator];

export type Person = { id: string; name: string };

/** Returns the label of a value. `people` has the names of assignees. */
export const valueLabel = (field: ConditionField, value: string, people: readonly Person[]): string => {
  if (field === 'status') {
    const status = studyStatuses.find((candidate) => candidate === value);
    return status ? studyStatusLabels[status] : value;
  }
  if (field !== 'assignee') return value;
  if (value === callerAsAssignee) return t`me`;
  return people.find(({ id }) => id === value)?.name ?? t`one user`;
};

/** Describes a condition, such as "Modality is not CT, MR". */
export const conditionWords = (condition: StudyCondition, people: readonly Person[]): string => {
  const { field, operator, values } = condition;
  const name = conditionFieldLabels[field];
  const number = numberOf(condition);
  switch (operator) {
    case 'last':
      return t`${name}: last ${plural(number, { one: '# day', other: '# days' })}`;
    case 'older':
      return t`${name}: older than ${plural(number, { one: '# day', other: '# days' })}`;
    case 'within':
      return t`${name}: within ${plural(number, { one: '# hour', other: '# hours' })}`;
    default: {
      const list = values.map((value) => valueLabel(field, value, people)).join(', ');
      const relation = operatorLabel(field, operator);
      return values.length > 0 ? `${name} ${relation} ${list}` : `${name}: ${relation}`;
    }
  }
};
