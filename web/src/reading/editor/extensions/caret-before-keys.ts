import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';

/**
 * Updates the caret position before a key acts, because browsers report a moved caret late. In a fast sequence of keys
 * (text expanders, a slow page), Enter after Home would otherwise break the line at its end.
 */
export const CaretBeforeKeys = Extension.create({
  name: 'caretBeforeKeys',
  // Runs before other key handlers.
  priority: 1001,
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleDOMEvents: {
          keydown: ({ dom, composing }) => {
            if (!composing) dom.ownerDocument.dispatchEvent(new Event('selectionchange'));
            return false;
          },
        },
      },
    }),
  ],
});
