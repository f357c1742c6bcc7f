import type { Editor } from '@tiptap/react';

type Enhance = () => void;

const enhancers = new WeakMap<Editor, Enhance>();

/** Says who puts selected words of an editor better; the button beside the words and the menu are in different places. */
export const onEnhance = (editor: Editor, enhance: Enhance): (() => void) => {
  enhancers.set(editor, enhance);
  return () => enhancers.delete(editor);
};

export const requestEnhancement = (editor: Editor): void => enhancers.get(editor)?.();
