import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';

/**
 * Where the caret is, before a key acts there. Browsers move the caret at once and tell of it later; of keys in one burst
 * (text expanders, a page that lagged) the second one would act where the caret was before the first: Home, Enter broke
 * the line at its end.
 */
export const CaretBeforeKeys = Extension.create({
  name: 'caretBeforeKeys',
  // Before whoever takes a key for themselves.
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
