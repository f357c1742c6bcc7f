import type { ReactNode } from 'react';

type Question = {
  /** Full text of the question. */
  question: string;
  /** Consequence: the loss or change. */
  consequence: ReactNode;
  /** Label of the confirm button, a verb: "Delete study", never "OK". */
  verb: string;
  /** Label of the other button, where "Cancel" would be ambiguous. */
  refusal?: string;
  tone?: 'danger' | 'primary';
};

type OpenQuestion = Question & { answer: (yes: boolean) => void };

let asked: OpenQuestion | undefined;
let isOpen = false;
const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const announce = () => {
  for (const listener of listeners) listener();
};

/** Asks before an action that is hard to undo. Resolves to true if the user agrees; Esc means no. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    // A second question replaces the first, which then counts as refused.
    if (isOpen) asked?.answer(false);
    asked = { ...question, answer: resolve };
    isOpen = true;
    announce();
  });

/** Answers the open question. Called by the dialog. */
export const answerQuestion = (yes: boolean) => {
  asked?.answer(yes);
  isOpen = false;
  announce();
};

/** The current question, or the last one. */
export const question = {
  onChange,
  isOpen: () => isOpen,
  words: (): Question | undefined => asked,
};
