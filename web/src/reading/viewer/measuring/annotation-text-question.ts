import { t } from '@lingui/core/macro';
/** Question to the user for the text of an arrow or label. */
type Question = { title: string; words: string; isNeeded: boolean };

/** The question with the function that answers it. */
export type OpenTextQuestion = Question & { answer: (words: string | undefined) => void };

let openQuestion: OpenTextQuestion | undefined;
const listeners = new Set<() => void>();

const set = (next: OpenTextQuestion | undefined) => {
  openQuestion = next;
  for (const listener of listeners) listener();
};

/** Asks for a text; resolves to undefined if the user cancels. */
export const askForText = (question: Question): Promise<string | undefined> =>
  new Promise((resolve) => {
    // Cancels the earlier question, because only one question can be open.
    openQuestion?.answer(undefined);
    set({
      ...question,
      answer: (words) => {
        set(undefined);
        resolve(words?.trim());
      },
    });
  });

/** Store of the open question. */
export const textQuestion = {
  onChange: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  now: () => openQuestion,
};

type OnText = (words: string) => void;
type LabeledAnnotation = { data: { label?: string } };

/**
 * Callback of the imaging library after an arrow was drawn. An empty text becomes a space, because the library deletes
 * arrows without text.
 */
export const askForArrowText = (done: OnText) =>
  void askForText({ title: t`Arrow`, words: '', isNeeded: false }).then((words) =>
    done(words === undefined ? '' : words || ' '),
  );

/** Callback of the imaging library after a click with the text tool. An empty text draws nothing. */
export const askForLabelText = (done: OnText) =>
  void askForText({ title: t`Text`, words: '', isNeeded: true }).then((words) => done(words ?? ''));

/** Callback of the imaging library after a double click on an arrow. */
export const askForNewArrowText = ({ data }: LabeledAnnotation, _event: unknown, done: OnText) => {
  const { label = '' } = data;
  void askForText({ title: t`Arrow`, words: label.trim(), isNeeded: false }).then((words) => done(words ?? label));
};
