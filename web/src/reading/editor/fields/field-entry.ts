import { t } from '@lingui/core/macro';
import { enterValue, fieldKey, type TemplateField, unfilledText } from '@radwork/contract/reading/template-fields';
import { TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { formatMoment } from '#ui/formats/formats.ts';
import type { FieldRange } from './field-ranges.ts';

/** A typed field in the editor. */
export type TypedRange = FieldRange & { field: TemplateField };

/** State of the entry into the selected field. It begins anew with each selected field. */
export type FieldEntry = {
  /** Field, position and text for which this entry began. */
  key: string;
  /** Index of the highlighted choice. */
  highlighted: number;
  /** Whether the reader has moved the highlight or ticked a choice. */
  isTouched: boolean;
  /** Ticked choices of a field with several. */
  ticked: ReadonlySet<string>;
  /** Characters typed into a number or date field. */
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
    highlighted: Math.max(0, options.indexOf(ticked[0] ?? '')),
    isTouched: false,
    ticked: new Set(ticked),
    typed: '',
    message: '',
  };
};

/** Writes a value into a field and keeps the field selected. */
export const writeField = (view: EditorView, { from, to }: FieldRange, value: string): void => {
  const { state } = view;
  const marks = state.doc.resolve(from).nodeAfter?.marks ?? [];
  const transaction = state.tr.replaceWith(from, to, state.schema.text(value, marks));
  transaction.setSelection(TextSelection.create(transaction.doc, from, from + value.length));
  view.dispatch(transaction.scrollIntoView());
};

export const clearField = (view: EditorView, range: TypedRange): void =>
  writeField(view, range, unfilledText(range.field));

/** Result of an entry: the value to write, a message why it is not accepted, or nothing to write. */
export type EntryResult = { value: string } | { message: string } | undefined;

/** Returns the result of an entry. `isEnter`: the reader pressed Enter, which also takes the highlighted choice. */
export const resultOf = (field: TemplateField, entry: FieldEntry, isEnter: boolean): EntryResult => {
  if (field.kind === 'choice') return choiceOf(field, entry, isEnter);
  if (entry.typed === '') return undefined;
  const entered = enterValue(field, entry.typed, formatMoment(new Date().toISOString()).slice(0, 10));
  if ('fault' in entered) return { message: entered.fault };
  if (entered.outside === undefined) return entered;
  const { outside } = entered;
  const message = t`Outside ${outside}. Press again to use it.`;
  return entry.message === message ? { value: entered.value } : { message };
};

const choiceOf = (
  field: TemplateField & { kind: 'choice' },
  { highlighted, ticked, isTouched }: FieldEntry,
  isEnter: boolean,
): EntryResult => {
  if (!isEnter && !isTouched) return undefined;
  const option = field.options[highlighted];
  if (!field.isMultiple) return option === undefined ? undefined : { value: option };
  const chosen = field.options.filter((one) => ticked.has(one));
  if (chosen.length > 0) return { value: chosen.join(', ') };
  return isEnter && option !== undefined ? { value: option } : undefined;
};
