import { type Editor, Extension } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { type FieldRange, fieldRangesIn } from '#reading/editor/fields/field-ranges.ts';

type Range = { from: number; to: number };

const unfilledIn = (editor: Editor): FieldRange[] =>
  fieldRangesIn(editor.state.doc).filter(({ isFilled }) => !isFilled);

const select = (editor: Editor, { from, to }: Range): true => {
  const { state, view } = editor;
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView());
  return true;
};

/** Selects the first unfilled field in a range. Returns false if there is none. */
export const goToFieldWithin = (editor: Editor, { from, to }: Range): boolean => {
  const first = unfilledIn(editor).find((field) => field.from >= from && field.to <= to);
  return first ? select(editor, first) : false;
};

/** Selects the next unfilled field. Returns false after the last one, so that Tab leaves the text (WCAG 2.1.2). */
export const goToFieldBehind = (editor: Editor): boolean => {
  const { from, empty } = editor.state.selection;
  const next = unfilledIn(editor).find((field) => field.from > from || (empty && field.from === from));
  return next ? select(editor, next) : false;
};

export const goToFieldBefore = (editor: Editor): boolean => {
  const { from } = editor.state.selection;
  const previous = unfilledIn(editor).findLast((field) => field.from < from);
  return previous ? select(editor, previous) : false;
};

/** Selects the next or previous field, filled or not. After the last field, begins with the first. */
export const stepToField = (editor: Editor, step: 1 | -1): boolean => {
  const ranges = fieldRangesIn(editor.state.doc);
  const { from, to } = editor.state.selection;
  const isHere = (range: FieldRange) => range.from === from && range.to === to;
  const next =
    step === 1
      ? (ranges.find((range) => range.from >= from && !isHere(range)) ?? ranges[0])
      : (ranges.findLast((range) => range.from < from) ?? ranges.at(-1));
  return next ? select(editor, next) : false;
};

/**
 * Whether Tab has another use here. In a table it moves to the next cell; at the start of a list item it indents the
 * item.
 */
const belongsToStructure = (editor: Editor): boolean => {
  const { empty, $from } = editor.state.selection;
  const isInItem = ['listItem', 'taskItem'].some((item) => editor.isActive(item));
  return editor.isActive('table') || (isInItem && empty && $from.parentOffset === 0);
};

/** Lets Tab and Shift Tab move between unfilled fields, and F2 and Shift F2 between all fields. */
export const FieldsByTab = Extension.create({
  name: 'fieldsByTab',
  priority: 900,
  addKeyboardShortcuts() {
    const { editor } = this;
    return {
      Tab: () => !belongsToStructure(editor) && goToFieldBehind(editor),
      'Shift-Tab': () => !belongsToStructure(editor) && goToFieldBefore(editor),
      F2: () => stepToField(editor, 1),
      'Shift-F2': () => stepToField(editor, -1),
    };
  },
});
