import { placeholder } from '../core/placeholders.ts';
import { t } from '../core/translate.ts';

/**
 * Typed fields of templates and macros, written as plain text in square brackets, as reading software writes fields:
 *
 * - `[Side: laterality]`: left, right or bilateral
 * - `[Margin: smooth|lobulated|spiculated]`: one choice
 * - `[Signs: any of edema|effusion|hernia]`: one or more choices
 * - `[Size: number mm 0-200]`: a number, its unit and its range; unit and range may be missing
 * - `[Onset: date]`: a day, written as 2026-11-30
 * - `[Comment: text]`: any text
 *
 * A conditional part is shown while a field has a value: `[if Size]…[end]`, `[if Margin is lobulated|spiculated]…[end]`,
 * `[if Margin is not smooth]…[end]`, `[if Size >= 6]…[end]`. It lies within one paragraph.
 *
 * All other text in square brackets is an unfilled field without a type ("[size in mm]"), as in earlier templates.
 */
export type TemplateField = {
  name: string;
  /** Text between the brackets: "Size: number mm 0-200". */
  source: string;
} & FieldType;

type FieldType =
  | { kind: 'choice'; options: readonly string[]; isMultiple: boolean }
  | { kind: 'number'; unit: string; least: number | null; most: number | null }
  | { kind: 'date' }
  | { kind: 'text' };

export type Comparison = '>' | '>=' | '<' | '<=';

/** Condition of a part: the field has a value, has (not) one of the values, or its number compares. */
export type FieldCondition = { name: string } & (
  | { kind: 'filled' }
  | { kind: 'is'; values: readonly string[]; isNegated: boolean }
  | { kind: 'compare'; comparison: Comparison; limit: number }
);

/** Reason why a template cannot be saved, and the words that cause it. */
export type FieldFault = { message: string; quote: string };

export const longestFieldSource = 1000;
export const longestPartSource = 1000;
const longestName = 60;
const longestChoice = 120;
const mostChoices = 60;

export const lateralities: readonly string[] = ['left', 'right', 'bilateral'];

const spaced = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Returns a key to compare names and choices, ignoring case. */
export const fieldKey = (text: string): string => spaced(text).normalize('NFC').toLowerCase();

const anyOf = /^any of /i;
/** "number mm 0-200", with single spaces. */
const numberOf = /^number(?: ([^\d\s.,+-]\S*))?(?: (-?\d+(?:\.\d+)?) ?(?:-|–|to|\.\.) ?(-?\d+(?:\.\d+)?))?$/i;

/**
 * Reads the text between brackets. Undefined for a field without a type, such as "size in mm". A fault if the type is
 * incomplete.
 */
export const readField = (text: string): TemplateField | FieldFault | undefined => {
  const source = spaced(text);
  const colon = source.indexOf(':');
  const shortName = source.slice(0, Math.max(0, colon)).trim();
  const isNamed = shortName !== '' && shortName.length <= longestName && !/[|[\]]/.test(shortName);
  if (!isNamed || source.length > longestFieldSource) return undefined;
  const read = readType(shortName, source.slice(colon + 1).trim());
  if (read === undefined) return undefined;
  return typeof read === 'string' ? { message: read, quote: `[${source}]` } : { name: shortName, source, ...read };
};

export const isFieldFault = (read: TemplateField | FieldFault): read is FieldFault => 'message' in read;

const readType = (name: string, type: string): FieldType | string | undefined => {
  const word = type.toLowerCase();
  if (word === 'date' || word === 'text') return { kind: word };
  if (word === 'laterality') return { kind: 'choice', options: lateralities, isMultiple: false };
  if (/^number\b/.test(word)) return readNumber(name, type);
  return type.includes('|') ? readChoices(name, type) : undefined;
};

const readNumber = (name: string, type: string): FieldType | string | undefined => {
  const match = numberOf.exec(type);
  // Without digits, it is a field of an earlier template: "[lesions: number, place, size in mm]".
  if (!match && !/^number\b[^,]*\d/i.test(type)) return undefined;
  if (!match) return t`Write the number field “${name}” as [${name}: number mm 0-200]`;
  const [, unit = '', from, to] = match;
  const [least, most] = [from, to].map((limit) => (limit === undefined ? null : Number(limit)));
  if (least !== undefined && least !== null && most !== undefined && most !== null && least > most) {
    return t`The range of “${name}” ends before it begins`;
  }
  return { kind: 'number', unit, least: least ?? null, most: most ?? null };
};

const readChoices = (name: string, type: string): FieldType | string => {
  const isMultiple = anyOf.test(type);
  const options = type.replace(anyOf, '').split('|').map(spaced);
  if (options.includes('')) return t`The field “${name}” has an empty choice`;
  const twice = options.find((option, at) => options.findIndex((one) => fieldKey(one) === fieldKey(option)) !== at);
  if (twice !== undefined) return t`The field “${name}” has the choice “${twice}” twice`;
  if (options.length > mostChoices) return t`The field “${name}” has more than ${mostChoices} choices`;
  if (options.some(({ length }) => length > longestChoice)) {
    return t`The field “${name}” has a choice with more than ${longestChoice} characters`;
  }
  return { kind: 'choice', options, isMultiple };
};

/** Returns the text of an unfilled field in a report: "[Size]". */
export const unfilledText = ({ name }: Pick<TemplateField, 'name'>): string => placeholder(name);

/** Reads a condition, without "if": "Size", "Margin is smooth|lobulated", "Size >= 6". */
export const readCondition = (text: string): FieldCondition => {
  const source = spaced(text);
  return readComparison(source) ?? readChosen(source) ?? { kind: 'filled', name: source };
};

const readComparison = (source: string): FieldCondition | undefined => {
  const at = source.search(/[<>]/);
  if (at < 1) return undefined;
  const comparison = source.slice(at, source[at + 1] === '=' ? at + 2 : at + 1) as Comparison;
  const limit = source.slice(at + comparison.length).trim();
  if (!/^-?\d+(?:[.,]\d+)?$/.test(limit)) return undefined;
  return { kind: 'compare', name: source.slice(0, at).trim(), comparison, limit: Number(limit.replace(',', '.')) };
};

const readChosen = (source: string): FieldCondition | undefined => {
  const at = source.toLowerCase().indexOf(' is ');
  if (at < 1) return undefined;
  const words = source.slice(at + ' is '.length);
  const isNegated = /^not /i.test(words);
  const values = words.slice(isNegated ? 'not '.length : 0).split('|');
  return { kind: 'is', name: source.slice(0, at), isNegated, values: values.map(spaced) };
};

const isOfOrder: Record<Comparison, (value: number, limit: number) => boolean> = {
  '>': (value, limit) => value > limit,
  '>=': (value, limit) => value >= limit,
  '<': (value, limit) => value < limit,
  '<=': (value, limit) => value <= limit,
};

/**
 * Whether a condition holds. `value` is the text of the field; undefined while it is unfilled. `unit` is the unit of a
 * number field. A comparison with a text that is not a number in this unit cannot be decided. It counts as met, because
 * a superfluous recommendation is seen and a missing one is not.
 */
export const isConditionMet = (condition: FieldCondition, value: string | undefined, unit = ''): boolean => {
  if (value === undefined || value.trim() === '') return false;
  if (condition.kind === 'filled') return true;
  if (condition.kind === 'compare') {
    const entered = readNumberIn(unit, spaced(value));
    return 'fault' in entered || isOfOrder[condition.comparison](Number(entered.digits), condition.limit);
  }
  const chosen = [value, ...value.split(/,\s*/)].map(fieldKey);
  return condition.values.some((one) => chosen.includes(fieldKey(one))) !== condition.isNegated;
};

/** A value that was entered into a field. `outside` names the range that a number does not meet. */
export type EnteredValue = { value: string; outside?: string } | { fault: string };

/** Checks what was typed into a field. */
export const enterValue = (field: TemplateField, typedText: string, today: string): EnteredValue => {
  const text = spaced(typedText);
  if (field.kind === 'number') return enterNumber(field, text);
  if (field.kind === 'date') return enterDate(text, today);
  return text === '' ? { fault: t`Enter a text` } : { value: text };
};

/** Reads a number with its unit, which may be missing. `digits` has a decimal point and no plus sign. */
const readNumberIn = (unit: string, text: string): { digits: string } | { fault: string } => {
  const [digits] = /^[+-]?\d+(?:[.,]\d+)?/.exec(text) ?? [];
  if (digits === undefined) return { fault: unit ? t`Enter a number in ${unit}` : t`Enter a number` };
  const typedUnit = text.slice(digits.length).trim();
  if (typedUnit !== '' && fieldKey(typedUnit) !== fieldKey(unit)) {
    return { fault: unit ? t`Enter the number in ${unit}` : t`This number has no unit` };
  }
  return { digits: digits.replace(',', '.').replace('+', '') };
};

const enterNumber = ({ unit, least, most }: TemplateField & { kind: 'number' }, text: string): EnteredValue => {
  const read = readNumberIn(unit, text);
  if ('fault' in read) return read;
  const number = Number(read.digits);
  const value = spaced(`${read.digits} ${unit}`);
  if (least === null || most === null || (number >= least && number <= most)) return { value };
  return { value, outside: spaced(`${least} – ${most} ${unit}`) };
};

const enterDate = (text: string, today: string): EnteredValue => {
  if (fieldKey(text) === 't' || fieldKey(text) === 'today') return { value: today };
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && isRealDay(text);
  return isDay ? { value: text } : { fault: t`Enter a day as 2026-11-30, or T for today` };
};

const isRealDay = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};
