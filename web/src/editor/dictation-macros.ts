import { macroKey } from '@radwork/contract/macros';
import type { Editor } from '@tiptap/core';
import { insertMacro, macrosOf } from './templates-macros.ts';

/** What is said has neither hyphens nor capitals of its own. */
const asSaid = (text: string): string => macroKey(text).replaceAll(/[-_.\s]+/g, ' ');

/**
 * Puts in the macro that somebody called by its name or its abbreviation, where the cursor stands.
 *
 * @returns False when the editor has none that is called so, or the report no room for it.
 */
export const insertMacroByName = (editor: Editor, said: string): boolean => {
  const name = asSaid(said);
  const macro = macrosOf(editor).find((one) => asSaid(one.name) === name || asSaid(one.abbreviation) === name);
  if (!macro) return false;
  const { $from } = editor.state.selection;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 1), $from.parentOffset, undefined, ' ');
  const isBehindWord = before !== '' && !/[\s(]/.test(before);
  return insertMacro(editor, editor.state.selection, `${isBehindWord ? ' ' : ''}${macro.text}`);
};
