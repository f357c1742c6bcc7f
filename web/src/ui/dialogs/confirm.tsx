import type { ReactNode } from 'react';

type Question = {
  /** Full text of the question. */
  question: string;
  /** Text that says what the user loses or changes. */
  consequence: ReactNode;
  /** Label of the confirm button. It is a verb such as "Delete study", never "OK". */
  verb: string;
  /** Label of the other button, for questions where "Cancel" would be ambiguous. */
  refusal?: string;
  tone?: 'danger' | 'primary';
};

type OpenQuestion = Question & { answer: (yes: boolean) => void };

let openQuestion: OpenQuestion | undefined;
let isOpen = false;
const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const announce = () => {
  for (const listener of listeners) listener();
};

/** Asks before an action that is hard to undo. Resolves to true if the user agrees. Escape means no. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    // Answers the open question with no, because the new question replaces it.
    if (isOpen) openQuestion?.answer(false);
    openQuestion = { ...question, answer: resolve };
    isOpen = true;
    announce();
  });

/** Answers the open question. The dialog calls this. */
export const answerQuestion = (yes: boolean) => {
  openQuestion?.answer(yes);
  isOpen = false;
  announce();
};

/** Store of the open question. After the answer, it still holds the last question. */
export const question = {
  onChange,
  isOpen: () => isOpen,
  words: (): Question | undefined => openQuestion,
};
