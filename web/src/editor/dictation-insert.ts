import type { Editor } from '@tiptap/core';
import { TextSelection } from '@tiptap/pm/state';
import { rememberDictated } from './dictation-interim.ts';
import type { DictationLanguage } from './dictation-languages.ts';
import { fitted } from './dictation-text.ts';
import { insertText } from './insert.ts';

/**
 * Writes dictated words where the cursor stands, or in place of the words that are selected. The editor needs no focus for
 * it: the reader may be paging through images.
 *
 * @returns The words that the limit of a report refused; empty when everything is in the text now.
 */
export const insertDictated = (editor: Editor, said: string, language: DictationLanguage): string => {
  leaveObjects(editor);
  const { $from, $to, from, to } = editor.state.selection;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\n');
  const after = $to.parent.textBetween($to.parentOffset, $to.parent.content.size, undefined, '\n');
  const isHeading = $from.parent.type.name === 'heading';
  // A line that was broken with "new line" begins anew, though its paragraph goes on.
  const { text, eats } = fitted(said, { before: lastLine(before), after: firstLine(after), isHeading }, language);
  const start = from - eats;
  const instead = editor.state.doc.slice(start, to);
  if (eats > 0) editor.commands.setTextSelection({ from: start, to });
  const rejected = write(editor, text);
  // What was put in place of something would otherwise stay selected, and the next words would replace it.
  editor.commands.setTextSelection(editor.state.selection.to);
  const end = editor.state.selection.to;
  if (end > start) rememberDictated(editor, { from: start, to: end, instead });
  return rejected;
};

const lastLine = (text: string) => text.split('\n').at(-1) ?? '';
const firstLine = (text: string) => text.split('\n')[0] ?? '';

/** A selected picture, table or whole report is not what somebody means to replace who looks at images while speaking. */
const leaveObjects = (editor: Editor) => {
  const { selection, doc } = editor.state;
  if (selection instanceof TextSelection) return;
  const behind = TextSelection.near(selection.$to, 1);
  const place = behind instanceof TextSelection ? behind : TextSelection.atEnd(doc);
  editor.view.dispatch(editor.state.tr.setSelection(place));
};

/** Writes text and breaks one after the other; what comes after a refused part is refused with it. */
const write = (editor: Editor, text: string): string => {
  const parts = text.split(/(\n{1,2})/).filter((part) => part !== '');
  for (const [index, part] of parts.entries()) {
    if (part === '\n') editor.commands.setHardBreak();
    else if (part === '\n\n') beginParagraph(editor);
    else if (!insertText(editor, part)) return parts.slice(index).join('').trim();
  }
  return '';
};

/** As the Enter key would: in a list the next point. */
const beginParagraph = (editor: Editor) => {
  const { commands } = editor;
  if (editor.isActive('taskItem')) commands.splitListItem('taskItem');
  else if (editor.isActive('listItem')) commands.splitListItem('listItem');
  else commands.splitBlock();
};
