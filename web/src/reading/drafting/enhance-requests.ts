import type { Editor } from '@tiptap/react';

type Enhance = () => void;

const enhancers = new WeakMap<Editor, Enhance>();

/**
 * Registers the function that enhances the selection of an editor. The registry connects the toolbar and the selection
 * menu.
 */
export const onEnhance = (editor: Editor, enhance: Enhance): (() => void) => {
  enhancers.set(editor, enhance);
  return () => enhancers.delete(editor);
};

export const requestEnhancement = (editor: Editor): void => enhancers.get(editor)?.();
