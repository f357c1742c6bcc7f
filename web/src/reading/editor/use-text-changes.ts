import { createDocument } from '@tiptap/core';
import type { ParseOptions } from '@tiptap/pm/model';
import type { Transaction } from '@tiptap/pm/state';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';
import { isOnlyLook } from './filled/filled-parts.ts';

/**
 * Called when the text opens. `flush` calls `onChange` at once. `shows` returns whether the editor shows a stored
 * text, including its formatting.
 */
export type OnOpen = (flush: () => void, shows: (html: string) => boolean) => void;

type TextListener = {
  onChange: (html: string) => void;
  onTouch?: () => void;
  /** Called with the text when the user has only looked at filled parts. It is not a change by the writer. */
  onLook?: ((html: string) => void) | undefined;
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
    onUpdate: ({ transaction }: { transaction: Transaction }) =>
      isOnlyLook(transaction) ? reporter.look() : reporter.touch(),
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
    look: () => {
      // A waiting change will contain the look.
      if (editor && waiting === undefined) listener?.onLook?.(editor.getHTML());
    },
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
