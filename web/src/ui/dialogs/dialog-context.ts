import { createContext } from 'react';

/** Question before leaving: text, consequence and label of the button. */
export type Warning = { question: string; consequence: string; verb: string };

type DialogSays = {
  /** Closes the dialog, or calls `then`. If typed text would be lost, asks the user first. */
  leave: (then?: () => void) => void;
  /** Makes the dialog ask this question before it closes. Returns a function that removes the question. */
  warn: (warning: Warning) => () => void;
  /** Returns whether the user agreed to lose the text. */
  isLeft: () => boolean;
};

/** The dialog around a form, for use by the form. */
export const DialogContext = createContext<DialogSays | undefined>(undefined);
