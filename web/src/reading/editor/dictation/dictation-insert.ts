import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { rememberDictated } from '#reading/editor/extensions/dictation-interim.ts';
import type { DictationLanguage } from './dictation-languages.ts';
import { fitDictatedText } from './fit-dictated-text.ts';
import { insertText } from '#reading/editor/extensions/insert.ts';

/**
 * Inserts dictated words at the cursor, or in place of the selection. Works without focus, because the reader may be
 * looking at images.
 * @returns Words that the length limit of the report or the selected field refused; empty if all were inserted.
 */
export const insertDictated = (editor: Editor, utterance: string, language: DictationLanguage): string => {
  leaveObjects(editor);
  const { $from, $to, from, to } = editor.state.selection;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\n');
  const after = $to.parent.textBetween($to.parentOffset, $to.parent.content.size, undefined, '\n');
  const isHeading = $from.parent.type.name === 'heading';
  // After "new line", the text starts like a new line, although the paragraph continues.
  const { text, eats } = fitDictatedText(
    utterance,
    { before: lastLine(before), after: firstLine(after), isHeading },
    language,
  );
  const start = from - eats;
  const unchanged = editor.state.doc;
  const instead = unchanged.slice(start, to);
  if (eats > 0) editor.commands.setTextSelection({ from: start, to });
  const rejected = write(editor, text);
  // Without this step, the inserted text stays selected and the next words would replace it.
  editor.commands.setTextSelection(editor.state.selection.to);
  const end = editor.state.selection.to;
  if (end > start && editor.state.doc !== unchanged) rememberDictated(editor, { from: start, to: end, instead });
  return rejected;
};

const lastLine = (text: string) => text.split('\n').at(-1) ?? '';
const firstLine = (text: string) => text.split('\n')[0] ?? '';

/**
 * Moves the cursor to the end of selected text. A selection that the reader made after beginning to speak is not meant
 * to be replaced by these words.
 */
export const leaveSelection = (editor: Editor): void => {
  const { selection } = editor.state;
  if (selection instanceof TextSelection && !selection.empty) editor.commands.setTextSelection(selection.to);
};

/**
 * Moves the cursor out of a selected picture, table or whole report. A reader who dictates while looking at images does
 * not mean to replace the selection.
 */
const leaveObjects = (editor: Editor) => {
  const { selection, doc } = editor.state;
  if (selection instanceof TextSelection) return;
  const behind = TextSelection.near(selection.$to, 1);
  const place = behind instanceof TextSelection ? behind : TextSelection.atEnd(doc);
  editor.view.dispatch(editor.state.tr.setSelection(place));
};

/** Inserts text and breaks one after another. When one part is refused, the rest is refused too. */
const write = (editor: Editor, text: string): string => {
  const parts = text.split(/(\n{1,2})/).filter((part) => part !== '');
  for (const [index, part] of parts.entries()) {
    if (part === '\n') editor.commands.setHardBreak();
    else if (part === '\n\n') beginParagraph(editor);
    else if (!insertText(editor, part)) return parts.slice(index).join('').trim();
  }
  return '';
};

/** Acts like the Enter key: in a list, it begins the next item. */
const beginParagraph = (editor: Editor) => {
  const { commands } = editor;
  if (editor.isActive('taskItem')) commands.splitListItem('taskItem');
  else if (editor.isActive('listItem')) commands.splitListItem('listItem');
  else commands.splitBlock();
};
