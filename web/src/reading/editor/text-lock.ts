import type { Editor } from '@tiptap/core';
import { useLayoutEffect, useSyncExternalStore } from 'react';

/** Announces each lock and unlock of an editor. */
const changes = new EventTarget();

/** Locks the text during a step such as signing, or unlocks it. */
export const lockText = (editor: Editor, isHeld: boolean): void => {
  if (editor.isEditable === !isHeld) return;
  // `false` sends no update event, because the text is the same.
  editor.setEditable(!isHeld, false);
  changes.dispatchEvent(new Event('change'));
};

export const useTextLock = (editor: Editor, isHeld: boolean): void => {
  useLayoutEffect(() => lockText(editor, isHeld), [editor, isHeld]);
};

const subscribe = (listener: () => void) => {
  changes.addEventListener('change', listener);
  return () => changes.removeEventListener('change', listener);
};

/** Returns whether the text is locked. */
export const useIsTextLocked = (editor: Editor): boolean => useSyncExternalStore(subscribe, () => !editor.isEditable);

/** Waits until the editor is unlocked or closed, or until `signal` aborts. */
export const waitForUnlock = async (editor: Editor, signal: AbortSignal): Promise<void> => {
  while (!editor.isEditable && !editor.isDestroyed && !signal.aborted) {
    await new Promise<void>((resolve) => {
      const isOver = () => resolve();
      changes.addEventListener('change', isOver, { once: true });
      signal.addEventListener('abort', isOver, { once: true });
    });
  }
};
