import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';

/**
 * Lets keyboard users leave the editor (WCAG 2.1.2). In lists and tables, Tab edits the text. After Escape, Tab leaves
 * the editor, until another key is pressed.
 */
export const LeaveByTab = Extension.create({
  name: 'leaveByTab',
  priority: 1000,
  addProseMirrorPlugins: () => {
    let isLeaving = false;
    return [
      new Plugin({
        props: {
          handleDOMEvents: {
            keydown: (_, { key }) => {
              const leaves = isLeaving && key === 'Tab';
              isLeaving = key === 'Escape' || (isLeaving && key === 'Shift');
              // When true, the editor ignores the key and the browser moves the focus.
              return leaves;
            },
          },
        },
      }),
    ];
  },
});
