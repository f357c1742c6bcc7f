import { createContext } from 'react';

/** Question before leaving: its text, the consequence and the button label. */
export type Warning = { question: string; consequence: string; verb: string };

type DialogSays = {
  /** Asks before typed text is lost, then closes the dialog or calls `then`. */
  leave: (then?: () => void) => void;
  /** Makes the dialog ask this question before it closes. Returns a function to stop. */
  warn: (warning: Warning) => () => void;
  /** Returns whether the user agreed to lose the text. */
  isLeft: () => boolean;
};

/** The enclosing dialog, for its forms. */
export const DialogContext = createContext<DialogSays | undefined>(undefined);
