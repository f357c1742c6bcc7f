import { t } from '@lingui/core/macro';
import {
  type EnteredValue,
  enterValue,
  fieldKey,
  type TemplateField,
  unfilledText,
} from '@radwork/contract/reading/template-fields';
import { TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { formatMoment } from '#ui/formats/formats.ts';
import type { FieldRange } from './field-ranges.ts';

/** A typed field in the editor. */
export type TypedRange = FieldRange & { field: TemplateField };

/** State of the entry into the selected field. Each selected field begins a new entry. */
export type FieldEntry = {
  /** Field, position and text for which this entry began. */
  key: string;
  /** Index of the highlighted choice; -1 before an arrow key or letter in an unfilled field. */
  highlighted: number;
  /** Whether the reader has moved the highlight or ticked a choice. */
  isTouched: boolean;
  /** Ticked choices of a field with several. */
  ticked: ReadonlySet<string>;
  /** Characters typed into the field. In a field with choices, the beginning of a choice. */
  typed: string;
  message: string;
};

export const optionsOf = (field: TemplateField): readonly string[] => (field.kind === 'choice' ? field.options : []);

export const keyOfField = ({ from, field, text }: TypedRange): string => `${from} ${field.source} ${text}`;

/** Begins the entry into a field: the current value is highlighted or ticked. */
export const beginEntry = (range: TypedRange): FieldEntry => {
  const options = optionsOf(range.field);
  const current = range.isFilled ? range.text.split(/,\s*/).map(fieldKey) : [];
  const ticked = options.filter((option) => current.includes(fieldKey(option)));
  return {
    key: keyOfField(range),
    highlighted: options.indexOf(ticked[0] ?? ''),
    isTouched: false,
    ticked: new Set(ticked),
    typed: '',
    message: '',
  };
};

/** Writes a value into a field and keeps the field selected. */
export const writeField = (view: EditorView, range: FieldRange, value: string): void => {
  const { from } = range;
  const transaction = putInto(view.state.tr, range, value);
  transaction.setSelection(TextSelection.create(transaction.doc, from, from + value.length));
  view.dispatch(transaction.scrollIntoView());
};

/** Adds the writing of a value into a field to a transaction. */
export const putInto = (transaction: Transaction, { from, to }: FieldRange, value: string): Transaction => {
  const { doc } = transaction;
  return transaction.replaceWith(from, to, doc.type.schema.text(value, doc.resolve(from).nodeAfter?.marks ?? []));
};

export const clearField = (view: EditorView, range: TypedRange): void =>
  writeField(view, range, unfilledText(range.field));

/** Result of an entry: the value to write, a message why it is not accepted, or nothing to write. */
export type EntryResult = { value: string } | { message: string } | undefined;

/** Checks what was typed or said for a field. A day may be "today". */
export const enterToday = (field: TemplateField, text: string): EnteredValue =>
  enterValue(field, text, formatMoment(new Date().toISOString()).slice(0, 10));

/** Returns the result of an entry. `isEnter`: the reader pressed Enter, which also takes the highlighted choice. */
export const resultOf = (range: TypedRange, entry: FieldEntry, isEnter: boolean): EntryResult => {
  const { field } = range;
  if (field.kind === 'choice') return choiceOf(field, range, entry, isEnter);
  if (entry.typed === '') return undefined;
  const entered = enterToday(field, entry.typed);
  if ('fault' in entered) return { message: entered.fault };
  if (entered.outside === undefined) return entered;
  const { outside } = entered;
  const message = t`Outside ${outside}. Press again to use it.`;
  return entry.message === message ? { value: entered.value } : { message };
};

/**
 * Returns the result of an entry that the reader leaves without a key that takes it. A highlighted choice is not taken,
 * because an arrow key may have been meant to move the cursor. A number outside the range needs a second Enter.
 */
export const resultOnLeaving = (range: TypedRange, entry: FieldEntry): EntryResult => {
  const { field } = range;
  if (field.kind === 'choice' && !field.isMultiple) return undefined;
  const result = resultOf(range, { ...entry, message: '' }, false);
  return result && 'value' in result && result.value === range.text ? undefined : result;
};

const choiceOf = (
  field: TemplateField & { kind: 'choice' },
  range: TypedRange,
  { highlighted, ticked, isTouched }: FieldEntry,
  isEnter: boolean,
): EntryResult => {
  if (!isTouched) return undefined;
  const option = field.options[highlighted];
  if (!field.isMultiple) return option === undefined ? undefined : { value: option };
  const chosen = field.options.filter((one) => ticked.has(one));
  if (chosen.length > 0) return { value: chosen.join(', ') };
  if (beginEntry(range).ticked.size > 0) return { value: unfilledText(field) };
  return isEnter && option !== undefined ? { value: option } : undefined;
};
