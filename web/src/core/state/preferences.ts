import { useCallback, useSyncExternalStore } from 'react';

/** Prefix of storage names for small choices of a user, such as a collapsed sidebar. Never used for patient data. */
const prefix = 'preference.';
const listeners = new Set<() => void>();

/** Calls a listener when a preference changes, also in another window. Returns a function that ends this. */
export const onPreferenceChange = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

type Choices<Choice> = readonly [Choice, ...Choice[]];

/** Returns the stored choice. Default: the first of `choices`. */
export const readPreference = <const Choice extends string>(name: string, choices: Choices<Choice>): Choice => {
  const stored = localStorage.getItem(prefix + name);
  return choices.find((choice) => choice === stored) ?? choices[0];
};

export const setPreference = (name: string, choice: string): void => {
  localStorage.setItem(prefix + name, choice);
  for (const listener of listeners) listener();
};

/** Returns the stored choice and a function to change it. */
export const usePreference = <const Choice extends string>(
  name: string,
  choices: Choices<Choice>,
): [Choice, (choice: Choice) => void] => {
  const chosen = useSyncExternalStore(onPreferenceChange, () => readPreference(name, choices));
  const choose = useCallback((choice: Choice) => setPreference(name, choice), [name]);
  return [chosen, choose];
};

/** Returns a stored text, such as a list of choices. Default: ''. */
export const readRememberedText = (name: string): string => localStorage.getItem(prefix + name) ?? '';

/** Returns the stored text and a function to change it. */
export const useRememberedText = (name: string): [string, (text: string) => void] => {
  const remembered = useSyncExternalStore(onPreferenceChange, () => readRememberedText(name));
  const remember = useCallback((text: string) => setPreference(name, text), [name]);
  return [remembered, remember];
};
