import type { Editor } from '@tiptap/core';
import { useLayoutEffect, useSyncExternalStore } from 'react';

/** Tells that the text of an editor was held or let go. */
const changes = new EventTarget();

/** Nobody writes in a text while it is held: it is being signed, or handed on, as it stands. */
export const hold = (editor: Editor, isHeld: boolean): void => {
  if (editor.isEditable === !isHeld) return;
  // It is the same text: nobody is told of a change.
  editor.setEditable(!isHeld, false);
  changes.dispatchEvent(new Event('change'));
};

export const useHold = (editor: Editor, isHeld: boolean): void => {
  useLayoutEffect(() => hold(editor, isHeld), [editor, isHeld]);
};

const subscribe = (listener: () => void) => {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
};

/** Whether the text of an editor is held now. */
export const useIsHeld = (editor: Editor): boolean => useSyncExternalStore(subscribe, () => !editor.isEditable);

/** Waits until an editor may be written in. Ends with the signal too. */
export const whenLetGo = async (editor: Editor, signal: AbortSignal): Promise<void> => {
  while (!editor.isEditable && !editor.isDestroyed && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const isOver = () => resolve();
      changes.addEventListener('change', isOver, { once: true });
      signal.addEventListener('abort', isOver, { once: true });
    });
  }
};
