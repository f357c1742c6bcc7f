import { macroKey } from '@radwork/contract/reading/macros';
import type { Editor } from '@tiptap/core';
import { insertMacro, macrosOf } from '#reading/editor/extensions/macros.ts';

/** Removes hyphens and ignores case, because speech has neither. */
const asSaid = (text: string): string => macroKey(text).replaceAll(/[-_.\s]+/g, ' ');

/**
 * Inserts the macro with this name or abbreviation at the cursor.
 * @returns False if there is no such macro, or if the report has no room.
 */
export const insertMacroByName = (editor: Editor, spokenName: string): boolean => {
  const name = asSaid(spokenName);
  const macro = macrosOf(editor).find((one) => asSaid(one.name) === name || asSaid(one.abbreviation) === name);
  if (!macro) return false;
  const { $from } = editor.state.selection;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 1), $from.parentOffset, undefined, ' ');
  const isBehindWord = before !== '' && !/[\s(]/.test(before);
  return insertMacro(editor, editor.state.selection, `${isBehindWord ? ' ' : ''}${macro.text}`);
};
