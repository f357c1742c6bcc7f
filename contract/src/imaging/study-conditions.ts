import { t } from '../core/translate.ts';
import { z } from 'zod';
import { priorities } from '../core/priorities.ts';
import { studyStatuses } from './study-status.ts';

/**
 * Conditions of the study list beyond the fields of its form. Server and browser read them from the same text, which is
 * the parameter `where` of an address: "modality.isNot:CT,MR;studyDate.last:7;due.overdue".
 */

/**
 * Operators of each field. `is`: any of the values. `isNot`: none of them. `last`: the last days, today included.
 * `older`: more days ago. `within`: due within hours, and not overdue. An empty report means a study without one.
 */
export const conditionOperators = {
  modality: ['is', 'isNot'],
  status: ['is', 'isNot'],
  priority: ['is', 'isNot'],
  assignee: ['is', 'isNot', 'empty', 'present'],
  bodyPart: ['is', 'isNot'],
  referringPhysician: ['is', 'isNot', 'empty'],
  device: ['is', 'isNot'],
  studyDate: ['today', 'last', 'older'],
  arrival: ['today', 'last', 'older'],
  due: ['overdue', 'within', 'empty'],
  report: ['empty'],
} as const;

export type ConditionField = keyof typeof conditionOperators;
export type ConditionOperator = (typeof conditionOperators)[ConditionField][number];

export const conditionFields = Object.keys(conditionOperators) as ConditionField[];

/** Values of an operator: several of a list, one number, or none. */
export const valuesTakenBy: Record<ConditionOperator, 'several' | 'number' | 'none'> = {
  is: 'several',
  isNot: 'several',
  last: 'number',
  older: 'number',
  within: 'number',
  empty: 'none',
  present: 'none',
  today: 'none',
  overdue: 'none',
};

/** One condition. All conditions of a list must hold. Numbers are days, and hours for `within`. */
export type StudyCondition = { field: ConditionField; operator: ConditionOperator; values: readonly string[] };

/** Value of an assignee that stands for the caller, so that a shared view fits every reader. */
export const callerAsAssignee = 'me';

const mostConditions = 20;
const mostValues = 50;
const longestText = 4000;

const shortText = z.string().trim().min(1).max(64);
const numberValue = z.coerce
  .number()
  .int()
  .min(1)
  .max(3650)
  .transform((value) => String(value));

/** Schemas of the values of fields that take several. */
const valueOf: Partial<Record<ConditionField, z.ZodType<string>>> = {
  modality: z.string().trim().min(1).max(16),
  status: z.enum(studyStatuses),
  priority: z.enum(priorities),
  assignee: z.union([z.literal(callerAsAssignee), z.uuid()]),
};

const isField = (name: string): name is ConditionField => Object.hasOwn(conditionOperators, name);

const operatorOf = (field: ConditionField, name: string): ConditionOperator | undefined =>
  conditionOperators[field].find((operator) => operator === name);

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};

const valuesIn = (field: ConditionField, operator: ConditionOperator, text: string): string[] | undefined => {
  const takes = valuesTakenBy[operator];
  if (takes === 'none') return text === '' ? [] : undefined;
  const parts = text.split(',').map(decoded);
  const schema = takes === 'number' ? numberValue : (valueOf[field] ?? shortText);
  const { data, success } = z
    .array(schema)
    .min(1)
    .max(takes === 'number' ? 1 : mostValues)
    .safeParse(parts);
  return success ? [...new Set(data)] : undefined;
};

/** Reads one condition, such as "modality.isNot:CT,MR". Returns undefined if it is invalid. */
const readCondition = (text: string): StudyCondition | undefined => {
  const [name = '', ...rest] = text.split(':');
  const [fieldName = '', operatorName = ''] = name.split('.');
  if (!isField(fieldName)) return undefined;
  const operator = operatorOf(fieldName, operatorName);
  const values = operator && valuesIn(fieldName, operator, rest.join(':'));
  return operator && values ? { field: fieldName, operator, values } : undefined;
};

const partsOf = (text: string): string[] => text.split(';').filter((part) => part.trim() !== '');

/** Reads the conditions of an address, and ignores invalid ones. */
export const readConditions = (text = ''): StudyCondition[] =>
  partsOf(text.slice(0, longestText))
    .slice(0, mostConditions)
    .flatMap((part) => readCondition(part) ?? []);

/** Writes conditions as text for an address. Returns undefined if there are none. */
export const textOfConditions = (conditions: readonly StudyCondition[]): string | undefined =>
  conditions
    .map(({ field, operator, values }) => {
      const list = values.map((value) => encodeURIComponent(value)).join(',');
      return `${field}.${operator}${list && `:${list}`}`;
    })
    .join(';') || undefined;

/** Parameter `where`. Refuses a text with an invalid condition, and names the condition. */
export const conditionsQuery = z
  .string()
  .max(longestText)
  .transform((text, context): StudyCondition[] => {
    const parts = partsOf(text);
    const conditions = parts.map(readCondition);
    const invalid = parts[conditions.indexOf(undefined)];
    if (invalid !== undefined) context.addIssue({ code: 'custom', message: t`The filter "${invalid}" is not valid` });
    else if (parts.length > mostConditions) {
      context.addIssue({ code: 'custom', message: t`Use at most ${mostConditions} filters` });
    }
    return conditions.filter((condition) => condition !== undefined);
  })
  .optional();

/** Returns the number of a condition that takes one: days, or hours for `within`. */
export const numberOf = ({ values: [value] }: StudyCondition): number => Number(value);
