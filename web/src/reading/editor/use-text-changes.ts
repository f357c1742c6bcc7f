import { createDocument } from '@tiptap/core';
import type { ParseOptions } from '@tiptap/pm/model';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';

/**
 * Called when the text opens. `flush` calls `onChange` at once. `shows` returns whether the editor shows a stored
 * text, including its formatting.
 */
export type OnOpen = (flush: () => void, shows: (html: string) => boolean) => void;

type TextListener = {
  onChange: (html: string) => void;
  onTouch?: () => void;
  onOpen?: OnOpen;
};

/** Options that keep spaces and tabs when a stored text is parsed. */
export const asWritten: ParseOptions = { preserveWhitespace: 'full' };

/** Delay between a change and the report of the text, in milliseconds. */
const restTime = 400;

/**
 * Lets the editor normalize an opened text, for example with an empty line after a final table. This does not count as
 * a change by the writer.
 */
const settle = (editor: Editor) => editor.view.dispatch(editor.state.tr.setMeta('addToHistory', false));

/**
 * Reports changes of the text. Each change is reported at once, without the text, because creating the text on each key
 * would be slow. The text follows after a delay, or when the focus leaves, a command key is pressed or the page is
 * hidden.
 */
export const useTextChanges = (listener: TextListener) => {
  const [reporter] = useState(createReporter);
  useEffect(() => {
    reporter.listen(listener);
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

const createReporter = () => {
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
    listen: (next: TextListener) => {
      listener = next;
    },
    tellNow,
    touch: () => {
      // Changes before the editor is ready come from the editor, not from the writer.
      if (!editor) return;
      listener?.onTouch?.();
      waiting ??= setTimeout(tellNow, restTime);
    },
    open: (created: Editor) => {
      editor = created;
      // Runs before the page handles the key, so that a save by shortcut includes all typed text.
      created.view.dom.addEventListener('keydown', ({ ctrlKey, metaKey }) => {
        if (ctrlKey || metaKey) tellNow();
      });
      listener?.onOpen?.(tellNow, (html) => parsed(html, created).eq(created.state.doc));
    },
  };
};
