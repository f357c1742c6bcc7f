import { macroKey } from '@radwork/contract/macros';
import { type Editor, Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Plugin, PluginKey } from '@tiptap/pm/state';
import Suggestion from '@tiptap/suggestion';
import { replaceRange } from './insert.ts';
import { goToFieldWithin } from './templates-fields.ts';
import { createMacroList } from './templates-macro-list.ts';

/** A text that stands behind an abbreviation, ready to be put in. */
export type EditorMacro = {
  abbreviation: string;
  name: string;
  text: string;
  /** What is to be known of it in the list: whose it is, and whether it hides a shared one. */
  note: string;
};

const offers = new WeakMap<Editor, readonly EditorMacro[]>();

/** Says which macros there are in an editor, from now on. */
export const offerMacros = (editor: Editor, macros: readonly EditorMacro[]): void => {
  offers.set(editor, macros);
};

export const macrosOf = (editor: Editor): readonly EditorMacro[] => offers.get(editor) ?? [];

/** How many macros the list shows at most. */
const mostListed = 8;

/** The macros that a search finds: by the beginning of the abbreviation first, then by words of the name. */
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
 * Puts the text of a macro in place of a part of the document, in a step of its own, and selects the first place in it
 * that is to be filled in. False when the text has no room for it.
 */
export const insertMacro = (editor: Editor, range: { from: number; to: number }, text: string): boolean => {
  const sizeBefore = editor.state.doc.content.size;
  // Undo brings back the abbreviation, and not what was typed before it as well.
  editor.view.dispatch(closeHistory(editor.state.tr));
  if (!replaceRange(editor, range, { text })) return false;
  const grown = editor.state.doc.content.size - sizeBefore;
  goToFieldWithin(editor, { from: range.from, to: range.to + grown });
  return true;
};

/** Letters, digits and signs of which abbreviations are made, at the end of a text and behind a blank or a bracket. */
const lastWord = /(?<=^|[\s([\ufffc])[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{1,23}$/u;

/** The macro whose abbreviation was typed right before the cursor, exactly as it is written, and where. */
const macroBefore = (editor: Editor) => {
  const { $from, from, empty } = editor.state.selection;
  if (!empty || !$from.parent.isTextblock) return undefined;
  const [typed] = lastWord.exec($from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc')) ?? [];
  if (!typed) return undefined;
  const written = typed.normalize('NFC');
  const macro = macrosOf(editor).find(({ abbreviation }) => abbreviation === written);
  return macro && { macro, range: { from: from - typed.length, to: from } };
};

const suggestionKey = new PluginKey<{ active: boolean }>('macros');

const isListOpen = ({ state }: Editor): boolean => suggestionKey.getState(state)?.active === true;

/** Puts the text in place of the abbreviation before the cursor. `typed` is what was typed behind it just now. */
const expand = (editor: Editor, typed: '' | ' '): boolean => {
  const found = isListOpen(editor) ? undefined : macroBefore(editor);
  if (!found) return false;
  const { macro, range } = found;
  // Into the text first: undo then brings back what was typed, and the abbreviation is let alone.
  if (typed) editor.view.dispatch(editor.state.tr.insertText(typed));
  insertMacro(editor, { from: range.from, to: range.to + typed.length }, `${macro.text}${typed}`);
  return true;
};

/** "/" lists the macros; an abbreviation that is followed by a blank or Tab becomes its text. Undo brings it back. */
export const Macros = Extension.create({
  name: 'macros',
  // Before Tab goes on to the next field.
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
        allowedPrefixes: [' ', '\u00a0', '('],
        allow: () => macrosOf(editor).length > 0,
        items: ({ query }) => macrosFor(macrosOf(editor), query),
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
