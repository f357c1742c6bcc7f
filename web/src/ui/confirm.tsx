import type { ReactNode } from 'react';

type Question = {
  /** The question itself, in full. */
  question: string;
  /** What will be lost or changed. */
  consequence: ReactNode;
  /** What the button does, as a verb: "Delete study", never "OK". */
  verb: string;
  /** What the other button says, where "Cancel" would be taken for the verb. */
  refusal?: string;
  tone?: 'danger' | 'primary';
};

type Asked = Question & { answer: (yes: boolean) => void };

let asked: Asked | undefined;
let isOpen = false;
const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
const announce = () => {
  for (const listener of listeners) listener();
};

/** Asks before something that cannot simply be undone; resolves to whether the person agreed. Esc means no. */
export const confirm = (question: Question): Promise<boolean> =>
  new Promise((resolve) => {
    // A second question takes the place of the first, which then counts as refused.
    if (isOpen) asked?.answer(false);
    asked = { ...question, answer: resolve };
    isOpen = true;
    announce();
  });

/** Answers what was asked; the dialog in which it is asked does. */
export const answerQuestion = (yes: boolean) => {
  asked?.answer(yes);
  isOpen = false;
  announce();
};

/** What is asked now, or was asked last. */
export const question = {
  onChange,
  isOpen: () => isOpen,
  words: (): Question | undefined => asked,
};
