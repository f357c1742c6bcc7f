import { createDocument } from '@tiptap/core';
import type { ParseOptions } from '@tiptap/pm/model';
import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';

/**
 * Given what can be asked of a text that is open: to have `onChange` told at once of what has been typed until now, and
 * whether a stored text is the one that stands here, in each word and its looks.
 */
export type OnOpen = (tellNow: () => void, shows: (html: string) => boolean) => void;

type Told = {
  onChange: (html: string) => void;
  onTouch?: () => void;
  onOpen?: OnOpen;
};

/** How a stored text is read: as it was written, blanks and tabs too. */
export const asWritten: ParseOptions = { preserveWhitespace: 'full' };

/** How long after a change its text is told, in milliseconds, while nothing asks for it sooner. */
const restTime = 400;

/**
 * Lets the engine make the changes that it makes to any text it opens (a free line behind a table at the end), so that
 * they are not taken for the writer's.
 */
const settle = (editor: Editor) => editor.view.dispatch(editor.state.tr.setMeta('addToHistory', false));

/**
 * Tells of changes without writing the whole text out at every key, which a long one would be felt by: at once that
 * there is one, and its text a moment later, or as soon as the focus leaves, a command key is pressed or the page hides.
 */
export const useTextTold = (told: Told) => {
  const [teller] = useState(createTeller);
  useEffect(() => {
    teller.listen(told);
  });
  useEffect(() => {
    const onHide = () => teller.tellNow();
    document.addEventListener('visibilitychange', onHide);
    window.addEventListener('pagehide', onHide);
    return () => {
      document.removeEventListener('visibilitychange', onHide);
      window.removeEventListener('pagehide', onHide);
      teller.tellNow();
    };
  }, [teller]);
  return {
    onCreate: ({ editor }: { editor: Editor }) => {
      settle(editor);
      teller.open(editor);
    },
    onUpdate: teller.touch,
    onBlur: teller.tellNow,
  };
};

const parsed = (html: string, { schema }: Editor) => createDocument(html, schema, asWritten);

const createTeller = () => {
  let listener: Told | undefined;
  let editor: Editor | undefined;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const tellNow = () => {
    if (!editor || waiting === undefined) return;
    clearTimeout(waiting);
    waiting = undefined;
    listener?.onChange(editor.getHTML());
  };
  return {
    listen: (told: Told) => {
      listener = told;
    },
    tellNow,
    touch: () => {
      // What happens before the editor is open is not the writer's.
      if (!editor) return;
      listener?.onTouch?.();
      waiting ??= setTimeout(tellNow, restTime);
    },
    open: (created: Editor) => {
      editor = created;
      // Ahead of the page: whoever saves by a key saves what was typed before it.
      created.view.dom.addEventListener('keydown', ({ ctrlKey, metaKey }) => {
        if (ctrlKey || metaKey) tellNow();
      });
      listener?.onOpen?.(tellNow, (html) => parsed(html, created).eq(created.state.doc));
    },
  };
};
