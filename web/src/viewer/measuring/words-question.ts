/** Words that somebody is asked for, of what they draw. */
type Question = { title: string; words: string; isNeeded: boolean };

type Asked = Question & { answer: (words: string | undefined) => void };

let asked: Asked | undefined;
const listeners = new Set<() => void>();

const set = (next: Asked | undefined) => {
  asked = next;
  for (const listener of listeners) listener();
};

/** Asks for words; resolves to what was written, undefined for somebody who thought better of it. */
export const askForWords = (question: Question): Promise<string | undefined> =>
  new Promise((resolve) => {
    // A second question takes the place of the first, which is then given up.
    asked?.answer(undefined);
    set({
      ...question,
      answer: (words) => {
        set(undefined);
        resolve(words?.trim());
      },
    });
  });

/** What is asked now. */
export const wordsQuestion = {
  onChange: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  now: () => asked,
};

type Done = (words: string) => void;
type Labelled = { data: { label?: string } };

/** What the library calls when an arrow has been drawn. It takes an arrow without words away, so none are a space. */
export const askOfArrow = (done: Done) =>
  void askForWords({ title: 'Arrow', words: '', isNeeded: false }).then((words) =>
    done(words === undefined ? '' : words || ' '),
  );

/** What the library calls when somebody has clicked where a text is to stand. Without words there is no text. */
export const askOfText = (done: Done) =>
  void askForWords({ title: 'Text', words: '', isNeeded: true }).then((words) => done(words ?? ''));

/** What the library calls when somebody clicks twice on an arrow. */
export const askAgain = ({ data }: Labelled, _event: unknown, done: Done) => {
  const { label = '' } = data;
  void askForWords({ title: 'Arrow', words: label.trim(), isNeeded: false }).then((words) => done(words ?? label));
};
