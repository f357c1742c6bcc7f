import { useCallback, useSyncExternalStore } from 'react';

/** Small choices of a person about this browser: a collapsed sidebar, dense rows. Never data about patients. */
const prefix = 'preference.';
const listeners = new Set<() => void>();

const onChange = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

type Choices<Choice> = readonly [Choice, ...Choice[]];

/** A remembered choice, one of `choices`, the first of them until somebody chooses. */
export const readPreference = <const Choice extends string>(name: string, choices: Choices<Choice>): Choice => {
  const stored = localStorage.getItem(prefix + name);
  return choices.find((choice) => choice === stored) ?? choices[0];
};

/** Remembers a choice. */
export const setPreference = (name: string, choice: string): void => {
  localStorage.setItem(prefix + name, choice);
  for (const listener of listeners) listener();
};

/** A remembered choice and how to change it. */
export const usePreference = <const Choice extends string>(
  name: string,
  choices: Choices<Choice>,
): [Choice, (choice: Choice) => void] => {
  const chosen = useSyncExternalStore(onChange, () => readPreference(name, choices));
  const choose = useCallback((choice: Choice) => setPreference(name, choice), [name]);
  return [chosen, choose];
};

/** A remembered text of ours, such as a choice made of several, '' until there is one. */
export const readRememberedText = (name: string): string => localStorage.getItem(prefix + name) ?? '';

/** The same, and how to change it. */
export const useRememberedText = (name: string): [string, (text: string) => void] => {
  const remembered = useSyncExternalStore(onChange, () => readRememberedText(name));
  const remember = useCallback((text: string) => setPreference(name, text), [name]);
  return [remembered, remember];
};
