import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';

/**
 * Updates the caret position before a key acts. Browsers report a moved caret late. In a burst of keys (text expanders,
 * a slow page), Enter after Home would break the line at its end.
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
