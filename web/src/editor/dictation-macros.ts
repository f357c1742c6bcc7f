import type { Editor } from '@tiptap/core';

/** Puts the macro of this name into the text; false when there is none. */
type InsertMacro = (name: string) => boolean;

const offers = new WeakMap<Editor, InsertMacro>();

/** Lets macros be called by voice in an editor. Returns how to stop. */
export const offerMacrosByName = (editor: Editor, insert: InsertMacro): (() => void) => {
  offers.set(editor, insert);
  return () => {
    if (offers.get(editor) === insert) offers.delete(editor);
  };
};

/** Puts in the macro that somebody called by its name. False when there is none of it. */
export const insertMacroByName = (editor: Editor, name: string): boolean => offers.get(editor)?.(name) ?? false;
