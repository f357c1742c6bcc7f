import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';

/**
 * In lists and tables Tab belongs to the text. After Escape it belongs to the page, so keyboard users can leave the
 * editor (WCAG 2.1.2). Any other key reverts this.
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
              // The editor ignores the key, and the browser handles Tab as usual.
              return leaves;
            },
          },
        },
      }),
    ];
  },
});
