import { placeholders } from '@radwork/contract/core/placeholders';
import { type Editor, Extension } from '@tiptap/core';
import type { Node } from '@tiptap/pm/model';
import { TextSelection } from '@tiptap/pm/state';

type Range = { from: number; to: number };

/** Character that stands for a picture or line break, so that text offsets match document positions. */
const oneUnit = '\ufffc';

/** Returns the ranges of all unfilled fields in order. A field is text in [square brackets]. */
const fieldsIn = (document: Node): Range[] => {
  const fields: Range[] = [];
  document.descendants((node, at) => {
    if (!node.isTextblock) return true;
    const text = node.textBetween(0, node.content.size, undefined, oneUnit);
    for (const { 0: field, index } of text.matchAll(placeholders())) {
      if (!field.includes(oneUnit)) fields.push({ from: at + 1 + index, to: at + 1 + index + field.length });
    }
    return false;
  });
  return fields;
};

const select = (editor: Editor, { from, to }: Range): true => {
  const { state, view } = editor;
  view.dispatch(state.tr.setSelection(TextSelection.create(state.doc, from, to)).scrollIntoView());
  return true;
};

/** Selects the first field in a range. Returns false if there is none. */
export const goToFieldWithin = (editor: Editor, { from, to }: Range): boolean => {
  const first = fieldsIn(editor.state.doc).find((field) => field.from >= from && field.to <= to);
  return first ? select(editor, first) : false;
};

/** Selects the next field. Returns false after the last field, so that Tab leaves the text (WCAG 2.1.2). */
const goToFieldBehind = (editor: Editor): boolean => {
  const { from, empty } = editor.state.selection;
  const next = fieldsIn(editor.state.doc).find((field) => field.from > from || (empty && field.from === from));
  return next ? select(editor, next) : false;
};

const goToFieldBefore = (editor: Editor): boolean => {
  const { from } = editor.state.selection;
  const previous = fieldsIn(editor.state.doc).findLast((field) => field.from < from);
  return previous ? select(editor, previous) : false;
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

/** Lets Tab and Shift Tab move between unfilled fields. */
export const FieldsByTab = Extension.create({
  name: 'fieldsByTab',
  priority: 900,
  addKeyboardShortcuts() {
    const { editor } = this;
    return {
      Tab: () => !belongsToStructure(editor) && goToFieldBehind(editor),
      'Shift-Tab': () => !belongsToStructure(editor) && goToFieldBefore(editor),
    };
  },
});
