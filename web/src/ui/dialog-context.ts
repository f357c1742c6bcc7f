import { createContext } from 'react';

/** The question before leaving, what is lost by it, and what the button does. */
export type Warning = { question: string; consequence: string; verb: string };

type DialogSays = {
  /** Asks whether what was typed may be lost, if anything was, and then closes the dialog or does `then`. */
  leave: (then?: () => void) => void;
  /** Has the dialog ask in these words before it closes; returns how to stop. */
  warn: (warning: Warning) => () => void;
  /** Whether somebody has agreed to lose what they typed. */
  isLeft: () => boolean;
};

/** The dialog around, for its forms. */
export const DialogContext = createContext<DialogSays | undefined>(undefined);
