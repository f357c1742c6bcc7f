import type { Editor } from '@tiptap/react';
import { useEffect, useState } from 'react';

export type SelectionCount = {
  now: () => number;
  /** Runs an action of dictation, whose selections are not selections of the user. */
  withoutCounting: (act: () => void) => void;
};

/** Counts the selections that the user makes, so that a phrase can tell which were made after it began. */
export const useSelectionCount = (editor: Editor): SelectionCount => {
  const [{ note, count }] = useState(createCount);
  useEffect(() => {
    editor.on('transaction', note);
    return () => void editor.off('transaction', note);
  }, [editor, note]);
  return count;
};

const createCount = () => {
  let made = 0;
  let isOwn = false;
  const count: SelectionCount = {
    now: () => made,
    withoutCounting: (act) => {
      isOwn = true;
      try {
        act();
      } finally {
        isOwn = false;
      }
    },
  };
  const note = ({ transaction }: { transaction: { selectionSet: boolean } }) => {
    if (transaction.selectionSet && !isOwn) made += 1;
  };
  return { note, count };
};
