import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';

/**
 * In lists and tables Tab belongs to the text. After Escape it belongs to the page again, so that nobody who works by
 * keys is caught in the editor (WCAG 2.1.2); any other key takes it back.
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
              // The editor keeps its hands off, and the browser does what it does with Tab everywhere.
              return leaves;
            },
          },
        },
      }),
    ];
  },
});
