import { macroKey } from '@radwork/contract/reading/macros';
import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import Suggestion from '@tiptap/suggestion';
import { replaceRange } from './insert.ts';
import { goToFieldWithin } from './template-fields.ts';
import { createMacroList, type EditorMacro } from './macro-list.ts';

const offers = new WeakMap<Editor, readonly EditorMacro[]>();

/** Sets the macros of an editor. */
export const offerMacros = (editor: Editor, macros: readonly EditorMacro[]): void => {
  offers.set(editor, macros);
};

export const macrosOf = (editor: Editor): readonly EditorMacro[] => offers.get(editor) ?? [];

/** Maximum number of macros in the list. */
const mostListed = 8;

/** Finds matching macros. Matches at the start of the abbreviation come before matches in the name. */
export const macrosFor = (macros: readonly EditorMacro[], query: string): EditorMacro[] => {
  const key = macroKey(query);
  const byAbbreviation = macros.filter(({ abbreviation }) => macroKey(abbreviation).startsWith(key));
  const byName = macros.filter(
    (macro) =>
      !byAbbreviation.includes(macro) &&
      macroKey(macro.name)
        .split(/\s+/)
        .some((word) => word.startsWith(key)),
  );
  return [...byAbbreviation, ...byName].slice(0, mostListed);
};

/**
 * Replaces a range with the text of a macro, in its own undo step, and selects the first field of the macro. Returns
 * false if the report has no room.
 */
export const insertMacro = (editor: Editor, range: { from: number; to: number }, text: string): boolean => {
  const sizeBefore = editor.state.doc.content.size;
  // Begins a new undo step. One undo then removes only the text of the macro and restores the abbreviation.
  editor.view.dispatch(closeHistory(editor.state.tr));
  if (!replaceRange(editor, range, { text })) return false;
  const grown = editor.state.doc.content.size - sizeBefore;
  goToFieldWithin(editor, { from: range.from, to: range.to + grown });
  return true;
};

/** Matches an abbreviation at the end of a text, after a space or bracket. */
const lastWord = /(?<=^|[\s([\ufffc])[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{1,23}$/u;

/** Returns the macro whose abbreviation is directly before the cursor, with its range. The case must match. */
const macroBefore = (editor: Editor) => {
  const { $from, from, empty } = editor.state.selection;
  if (!empty || !$from.parent.isTextblock) return undefined;
  const [typed] = lastWord.exec($from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc')) ?? [];
  if (!typed) return undefined;
  const normalized = typed.normalize('NFC');
  const macro = macrosOf(editor).find(({ abbreviation }) => abbreviation === normalized);
  return macro && { macro, range: { from: from - typed.length, to: from } };
};

const suggestionKey = new PluginKey<{ active: boolean }>('macros');

const isListOpen = ({ state }: Editor): boolean => suggestionKey.getState(state)?.active === true;

/**
 * Replaces the abbreviation before the cursor with the text of its macro. `typed` is the character just typed after the
 * abbreviation.
 */
const expand = (editor: Editor, typed: '' | ' '): boolean => {
  const match = isListOpen(editor) ? undefined : macroBefore(editor);
  if (!match) return false;
  const { macro, range } = match;
  // Inserts the character first, so that undo restores the abbreviation with the character.
  if (typed) editor.view.dispatch(editor.state.tr.insertText(typed));
  insertMacro(editor, { from: range.from, to: range.to + typed.length }, `${macro.text}${typed}`);
  return true;
};

/**
 * "/" or "//" opens the list of macros. An abbreviation followed by a space or Tab becomes the text of its macro; undo restores
 * the abbreviation.
 */
export const Macros = Extension.create({
  name: 'macros',
  // Runs before the key handler by which Tab moves to the next field.
  priority: 950,
  addKeyboardShortcuts() {
    return { Tab: () => expand(this.editor, '') };
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      Suggestion<EditorMacro, EditorMacro>({
        editor,
        pluginKey: suggestionKey,
        char: '/',
        // "//" opens the list too, so a query may begin with another slash.
        allowToIncludeChar: true,
        allowedPrefixes: [' ', '\u00a0', '('],
        allow: () => macrosOf(editor).length > 0,
        items: ({ query }) => macrosFor(macrosOf(editor), query.replace(/^\//, '')),
        command: ({ range, props }) => {
          insertMacro(editor, range, props.text);
        },
        render: createMacroList,
      }),
      new Plugin({
        props: {
          handleTextInput: (view, _from, _to, text) => text === ' ' && !view.composing && expand(editor, ' '),
        },
      }),
    ];
  },
});
