import { createDocument } from '@tiptap/core';
import type { ParseOptions } from '@tiptap/pm/model';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';

/**
 * Called when the text opens. `tellNow` calls `onChange` at once; `shows` compares a stored text, including its
 * formatting.
 */
export type OnOpen = (tellNow: () => void, shows: (html: string) => boolean) => void;

type TextListener = {
  onChange: (html: string) => void;
  onTouch?: () => void;
  onOpen?: OnOpen;
};

/** Parses a stored text unchanged, with spaces and tabs. */
export const asWritten: ParseOptions = { preserveWhitespace: 'full' };

/** Delay of the text after a change, in milliseconds, unless requested earlier. */
const restTime = 400;

/**
 * Lets the engine normalize an opened text, such as an empty line after a final table. This is no change of the writer.
 */
const settle = (editor: Editor) => editor.view.dispatch(editor.state.tr.setMeta('addToHistory', false));

/**
 * Reports changes without serializing the text on each key, which would slow down long texts. A change is reported at
 * once. The text follows soon after, or when the focus leaves, a command key is pressed or the page hides.
 */
export const useTextChanges = (told: TextListener) => {
  const [reporter] = useState(createTeller);
  useEffect(() => {
    reporter.listen(told);
  });
  useEffect(() => {
    const onHide = () => reporter.tellNow();
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', onHide);
      reporter.tellNow();
    };
  }, [reporter]);
  return {
    onCreate: ({ editor }: { editor: Editor }) => {
      settle(editor);
      reporter.open(editor);
    },
    onUpdate: reporter.touch,
    onBlur: reporter.tellNow,
  };
};

const parsed = (html: string, { schema }: Editor) => createDocument(html, schema, asWritten);

const createTeller = () => {
  let listener: TextListener | undefined;
  let editor: Editor | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const tellNow = () => {
    if (!editor || waiting === undefined) return;
    clearTimeout(waiting);
    waiting = undefined;
    listener?.onChange(editor.getHTML());
  };
  return {
    listen: (told: TextListener) => {
      listener = told;
    },
    tellNow,
    touch: () => {
      // Changes before the editor is open are not those of the writer.
      if (!editor) return;
      listener?.onTouch?.();
      waiting ??= setTimeout(tellNow, restTime);
    },
    open: (created: Editor) => {
      editor = created;
      // Runs before the page handles the key, so a save shortcut includes all typed text.
      created.view.dom.addEventListener('keydown', ({ ctrlKey, metaKey }) => {
        if (ctrlKey || metaKey) tellNow();
      });
      listener?.onOpen?.(tellNow, (html) => parsed(html, created).eq(created.state.doc));
    },
  };
};
