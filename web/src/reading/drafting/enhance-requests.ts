import type { Editor } from '@tiptap/react';

type Enhance = () => void;

const enhancers = new WeakMap<Editor, Enhance>();

/** Registers the handler that enhances an editor's selection. The toolbar and the menu are separate components. */
export const onEnhance = (editor: Editor, enhance: Enhance): (() => void) => {
  enhancers.set(editor, enhance);
  return () => enhancers.delete(editor);
};

export const requestEnhancement = (editor: Editor): void => enhancers.get(editor)?.();
