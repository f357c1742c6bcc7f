import { t } from '@lingui/core/macro';
import { fieldKey, unfilledText } from '@radwork/contract/reading/template-fields';
import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { type EditorState, Plugin, TextSelection, type Transaction } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { toast } from '#core/browser/toasts.ts';
import { goToFieldBefore, goToFieldBehind, stepToField } from '#reading/editor/extensions/template-fields.ts';
import {
  beginEntry,
  clearField,
  type FieldEntry,
  keyOfField,
  putInto,
  resultOf,
  resultOnLeaving,
  type TypedRange,
  writeField,
} from './field-entry.ts';
import { createFieldPopover } from './field-popover.ts';
import { fieldAround, selectedField, typedRangesIn } from './field-ranges.ts';

type Entries = {
  /** Returns the entry into the selected field; begins one if another field was selected before. */
  of: (range: TypedRange) => FieldEntry;
  change: (view: EditorView, range: TypedRange, part: Partial<FieldEntry>) => true;
  /** Forgets what was entered but not taken. */
  forget: () => void;
};

/** Fields whose value is chosen or checked. Text fields are typed like other text. */
const entered = (view: EditorView): TypedRange | undefined => {
  const range = view.editable ? selectedField(view.state) : undefined;
  return range && range.field.kind !== 'text' ? range : undefined;
};

/** Takes what was entered. Returns false if the entry is not accepted, so that the reader stays in the field. */
const take = (view: EditorView, range: TypedRange, entries: Entries, isEnter: boolean): boolean => {
  const result = resultOf(range, entries.of(range), isEnter);
  if (result && 'message' in result) return !entries.change(view, range, { message: result.message });
  entries.forget();
  if (result && result.value !== range.text) writeField(view, range, result.value);
  return true;
};

/**
 * Takes what was entered when the reader does something else but stays in the field. What is not accepted stays
 * visible, and the field becomes unfilled, so that its old value is not signed.
 * @returns Whether nothing is left to correct.
 */
const settle = (view: EditorView, range: TypedRange, entries: Entries): boolean => {
  const entry = entries.of(range);
  const result = resultOnLeaving(range, entry);
  if (!result) return true;
  if ('value' in result) {
    writeField(view, range, result.value);
    return true;
  }
  if (range.isFilled) clearField(view, range);
  const cleared = entered(view);
  if (cleared) entries.change(view, cleared, { typed: entry.typed, message: result.message });
  return false;
};

/**
 * Takes what was entered into a field that the selection has left, as an undo step of its own. What is not accepted is
 * named, and the field becomes unfilled.
 */
const takeLeft = (
  transactions: readonly Transaction[],
  before: EditorState,
  state: EditorState,
  entry: FieldEntry,
): Transaction | null => {
  const field = selectedField(before);
  const result = field && keyOfField(field) === entry.key ? resultOnLeaving(field, entry) : undefined;
  if (!field || !result) return null;
  const place = (position: number, side: 1 | -1) =>
    transactions.reduce((at, { mapping }) => mapping.map(at, side), position);
  const [from, to] = [place(field.from, 1), place(field.to, -1)];
  const isHere = typedRangesIn(state.doc).some(
    (range) => range.from === from && range.to === to && range.text === field.text,
  );
  const { selection } = state;
  if (!isHere || (selection.from === from && selection.to === to)) return null;
  const value = 'value' in result ? result.value : unfilledText(field.field);
  if ('message' in result) {
    const { typed } = entry;
    const { name } = field.field;
    toast.failure(t`“${typed}” was not accepted for “${name}”. The field is unfilled.`);
  }
  return value === field.text ? null : closeHistory(putInto(state.tr, { ...field, from, to }, value));
};

/** Places the cursor after the field, so that typed text follows the field. */
const leave = (view: EditorView, { to }: TypedRange): true => {
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, to)));
  return true;
};

const tick = (entry: FieldEntry, option: string): Partial<FieldEntry> => {
  const ticked = new Set(entry.ticked);
  if (!ticked.delete(option)) ticked.add(option);
  return { ticked, isTouched: true, message: '' };
};

/** Returns the index of the choice that begins with these letters. A repeated letter goes to the next such choice. */
const choiceFor = (options: readonly string[], letters: string, highlighted: number): number => {
  const beginsWith = (start: string) => (option: string) => fieldKey(option).startsWith(fieldKey(start));
  const found = options.findIndex(beginsWith(letters));
  const [first = ''] = letters;
  if (found !== -1 || fieldKey(letters.replaceAll(first, '')) !== '') return found;
  const later = [...options.keys()].map((at) => (at + highlighted + 1) % options.length);
  return later.find((at) => beginsWith(first)(options[at] ?? '')) ?? -1;
};

/** Writes the reader's own text in place of a field. It is no longer a field. */
const replaceField = (view: EditorView, { from, to }: TypedRange, text: string): true => {
  const { doc, schema, tr: transaction } = view.state;
  const marks = doc.resolve(from).nodeAfter?.marks.filter(({ type }) => type.name !== 'templateField') ?? [];
  transaction.replaceWith(from, to, schema.text(text, marks));
  transaction.setSelection(TextSelection.create(transaction.doc, from + text.length));
  view.dispatch(transaction.scrollIntoView());
  return true;
};

const chooseByKey = (view: EditorView, range: TypedRange, entries: Entries, key: string): boolean => {
  const { field } = range;
  if (field.kind !== 'choice') return false;
  const entry = entries.of(range);
  const { options, isMultiple } = field;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const step = key === 'ArrowDown' ? 1 : -1;
    const start = entry.highlighted === -1 && step === -1 ? 0 : entry.highlighted;
    const highlighted = (start + step + options.length) % options.length;
    return entries.change(view, range, { highlighted, isTouched: true, typed: '', message: '' });
  }
  if (key.length !== 1) return false;
  const option = options[entry.highlighted];
  if (key === ' ' && (isMultiple || entry.typed === '')) {
    if (option === undefined) return true;
    if (isMultiple) return entries.change(view, range, { ...tick(entry, option), typed: '' });
    writeField(view, range, option);
    return true;
  }
  const typed = entry.typed + key;
  const highlighted = choiceFor(options, typed, entry.highlighted);
  const chosen = options[highlighted];
  if (chosen === undefined) return replaceField(view, range, typed);
  if (!isMultiple && chosen !== range.text) writeField(view, range, chosen);
  // The written value begins a new entry, which keeps the letters.
  const written = entered(view);
  return !written || entries.change(view, written, { highlighted, isTouched: true, typed, message: '' });
};

const typeByKey = (view: EditorView, range: TypedRange, entries: Entries, key: string): boolean => {
  if (range.field.kind === 'choice') return false;
  const { typed } = entries.of(range);
  if (key === 'Backspace' && typed !== '') {
    return entries.change(view, range, { typed: typed.slice(0, -1), message: '' });
  }
  const isTyped = key.length === 1 && (typed !== '' || /[\dt+\-.,]/i.test(key));
  return isTyped && entries.change(view, range, { typed: `${typed}${key}`, message: '' });
};

/** Chooses, types and checks values of the selected field, and shows its choices. */
export const FieldEntryKeys = Extension.create({
  name: 'fieldEntry',
  // Runs before Tab expands a macro or moves to the next field.
  priority: 960,
  addProseMirrorPlugins() {
    const { editor } = this;
    let current: FieldEntry | undefined;
    /** End of the text field into which the reader is typing. */
    let typedTo: number | undefined;
    const entries: Entries = {
      of: (range) => {
        if (current?.key !== keyOfField(range)) current = beginEntry(range);
        return current;
      },
      forget: () => {
        current = undefined;
      },
      change: (view, range, part) => {
        current = { ...entries.of(range), ...part };
        popover.show(view, range, current);
        return true;
      },
    };
    const popover = createFieldPopover((option) => {
      const range = entered(editor.view);
      if (!range) return;
      if (range.field.kind === 'choice' && range.field.isMultiple) {
        entries.change(editor.view, range, tick(entries.of(range), option));
      } else writeField(editor.view, range, option);
    });
    const draw = (view: EditorView) => {
      const range = entered(view);
      if (range) popover.show(view, range, entries.of(range));
      else {
        current = undefined;
        popover.hide(view);
      }
    };
    return [
      new Plugin({
        appendTransaction: (transactions, before, state) =>
          current && editor.isEditable ? takeLeft(transactions, before, state, current) : null,
        view: (view) => {
          draw(view);
          return { update: draw, destroy: () => popover.hide(view) };
        },
        props: {
          handleDOMEvents: {
            blur: (view) => {
              const range = entered(view);
              if (!range || settle(view, range, entries)) popover.hide(view);
              return false;
            },
            focus: (view) => {
              draw(view);
              return false;
            },
          },
          handleClick: (view, position) => {
            const range = fieldAround(view.state.doc, position);
            if (!range || !view.editable || position === range.to) return false;
            view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, range.from, range.to)));
            return true;
          },
          handleTextInput: (view, from, to, text) => {
            const range = fieldAround(view.state.doc, from);
            if (range?.field?.kind !== 'text' || view.composing) return false;
            const isWhole = from === range.from && to === range.to;
            if (!isWhole && !(from === to && from === range.to && from === typedTo)) return false;
            const marks = view.state.doc.resolve(range.from).nodeAfter?.marks ?? [];
            typedTo = from + text.length;
            const transaction = view.state.tr.replaceWith(from, to, view.state.schema.text(text, marks));
            const place = TextSelection.create(transaction.doc, typedTo);
            view.dispatch(transaction.setSelection(place).scrollIntoView());
            return true;
          },
          handleKeyDown: (view, event) => onKeyDown(editor, view, entries, event),
        },
      }),
    ];
  },
});

const onKeyDown = (editor: Editor, view: EditorView, entries: Entries, event: KeyboardEvent): boolean => {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event;
  const range = entered(view);
  if (!range || altKey || event.isComposing) return false;
  const isCommand = ((ctrlKey || metaKey) && key !== 'Control' && key !== 'Meta') || /^F(?!2$)\d+$/.test(key);
  // The command, such as saving or signing, must find the value in the text.
  if (isCommand) settle(view, range, entries);
  if (isCommand || ctrlKey || metaKey) return false;
  switch (key) {
    case 'Enter':
      if (take(view, range, entries, true) && !goToFieldBehind(editor)) {
        const here = selectedField(view.state);
        if (here) leave(view, here);
      }
      return true;
    case 'Tab':
      if (!take(view, range, entries, false)) return true;
      return shiftKey ? goToFieldBefore(editor) : goToFieldBehind(editor);
    case 'F2':
      return !take(view, range, entries, false) || stepToField(editor, shiftKey ? -1 : 1);
    case 'Escape':
      entries.forget();
      return leave(view, range);
    case 'Backspace':
    case 'Delete':
      if (typeByKey(view, range, entries, key)) return true;
      if (!range.isFilled) return false;
      clearField(view, range);
      return true;
    default:
      return chooseByKey(view, range, entries, key) || typeByKey(view, range, entries, key);
  }
};
