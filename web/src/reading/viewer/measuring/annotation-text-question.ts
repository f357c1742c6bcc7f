import { t } from '@lingui/core/macro';
/** Question for the text of a drawing. */
type Question = { title: string; words: string; isNeeded: boolean };

type OpenQuestion = Question & { answer: (words: string | undefined) => void };

let asked: OpenQuestion | undefined;
const listeners = new Set<() => void>();

const set = (next: OpenQuestion | undefined) => {
  asked = next;
  for (const listener of listeners) listener();
};

/** Asks for a text; resolves to undefined if the user cancels. */
export const askForText = (question: Question): Promise<string | undefined> =>
  new Promise((resolve) => {
    // A second question cancels the first.
    asked?.answer(undefined);
    set({
      ...question,
      answer: (words) => {
        set(undefined);
        resolve(words?.trim());
      },
    });
  });

/** The open question. */
export const textQuestion = {
  onChange: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  now: () => asked,
};

type Done = (words: string) => void;
type Labeled = { data: { label?: string } };

/**
 * Callback of the library after an arrow is drawn. The library deletes an arrow without text, so an empty text becomes
 * a space.
 */
export const askForArrowText = (done: Done) =>
  void askForText({ title: t`Arrow`, words: '', isNeeded: false }).then((words) =>
    done(words === undefined ? '' : words || ' '),
  );

/** Callback of the library after a click with the text tool. Without words no text is drawn. */
export const askForLabelText = (done: Done) =>
  void askForText({ title: t`Text`, words: '', isNeeded: true }).then((words) => done(words ?? ''));

/** Callback of the library after a double click on an arrow. */
export const askForNewArrowText = ({ data }: Labeled, _event: unknown, done: Done) => {
  const { label = '' } = data;
  void askForText({ title: t`Arrow`, words: label.trim(), isNeeded: false }).then((words) => done(words ?? label));
};
