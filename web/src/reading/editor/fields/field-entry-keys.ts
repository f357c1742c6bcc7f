import { fieldKey } from '@radwork/contract/reading/template-fields';
import { type Editor, Extension } from '@tiptap/core';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';
import { goToFieldBefore, goToFieldBehind, stepToField } from '#reading/editor/extensions/template-fields.ts';
import {
  beginEntry,
  clearField,
  type FieldEntry,
  keyOfField,
  resultOf,
  type TypedRange,
  writeField,
} from './field-entry.ts';
import { createFieldPopover } from './field-popover.ts';
import { fieldAround, selectedField } from './field-ranges.ts';

type Entries = {
  /** Returns the entry into the selected field; begins one if another field was selected before. */
  of: (range: TypedRange) => FieldEntry;
  change: (view: EditorView, range: TypedRange, part: Partial<FieldEntry>) => true;
};

/** Fields whose value is chosen or checked. Text fields are typed like other text. */
const entered = (view: EditorView): TypedRange | undefined => {
  const range = view.editable ? selectedField(view.state) : undefined;
  return range && range.field.kind !== 'text' ? range : undefined;
};

/** Takes what was entered. Returns false if the entry is not accepted, so that the reader stays in the field. */
const take = (view: EditorView, range: TypedRange, entries: Entries, isEnter: boolean): boolean => {
  const result = resultOf(range.field, entries.of(range), isEnter);
  if (!result) return true;
  if ('message' in result) return !entries.change(view, range, { message: result.message });
  if (result.value !== range.text) writeField(view, range, result.value);
  return true;
};

/** Places the cursor after the field, so that typing goes on behind it. */
const leave = (view: EditorView, { to }: TypedRange): true => {
  view.dispatch(view.state.tr.setSelection(TextSelection.create(view.state.doc, to)));
  return true;
};

const tick = (entry: FieldEntry, option: string): Partial<FieldEntry> => {
  const ticked = new Set(entry.ticked);
  if (!ticked.delete(option)) ticked.add(option);
  return { ticked, isTouched: true, message: '' };
};

const chooseByKey = (view: EditorView, range: TypedRange, entries: Entries, key: string): boolean => {
  const { field } = range;
  if (field.kind !== 'choice') return false;
  const entry = entries.of(range);
  const { options } = field;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const step = key === 'ArrowDown' ? 1 : -1;
    const highlighted = (entry.highlighted + step + options.length) % options.length;
    return entries.change(view, range, { highlighted, isTouched: true, message: '' });
  }
  const option = options[entry.highlighted];
  if (key === ' ' && field.isMultiple && option !== undefined) return entries.change(view, range, tick(entry, option));
  if (key.length !== 1) return false;
  // The same letter again chooses the next choice that begins with it.
  const offset = entry.isTouched || range.isFilled ? 1 : 0;
  const later = [...options.keys()].map((at) => (at + entry.highlighted + offset) % options.length);
  const highlighted = later.find((at) => fieldKey(options[at] ?? '').startsWith(fieldKey(key)));
  // Another letter is the reader's own text, which replaces the field.
  if (highlighted === undefined) return false;
  const chosen = options[highlighted];
  entries.change(view, range, { highlighted, isTouched: true, message: '' });
  if (!field.isMultiple && chosen !== undefined) writeField(view, range, chosen);
  return true;
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
        view: (view) => {
          draw(view);
          return { update: draw, destroy: () => popover.hide(view) };
        },
        props: {
          handleDOMEvents: {
            blur: (view) => {
              popover.hide(view);
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
  if (!range || ctrlKey || metaKey || altKey || event.isComposing) return false;
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
