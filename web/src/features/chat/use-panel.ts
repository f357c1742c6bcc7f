import { useCallback, useSyncExternalStore } from 'react';
import { usePreference } from '#core/preferences.ts';

const states = ['closed', 'open', 'minimized'] as const;
export type PanelState = (typeof states)[number];

/** A link that leads to what was said about a study, as a notification of a mention does, ends in this. */
const chatHash = '#chat';

/** Whether somebody has just asked to write, so that the field for it takes the focus. */
let isAsked = false;
const listeners = new Set<() => void>();
const ask = (asked: boolean) => {
  isAsked = asked;
  for (const listener of listeners) listener();
};
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const isLinkedToChat = (): boolean => window.location.hash === chatHash;

/** Whether the panel is closed, open or minimized, which this browser remembers for all studies. */
export const usePanel = () => {
  const [state, setState] = usePreference('chat', states);
  const isFocusAsked = useSyncExternalStore(onChange, () => isAsked);
  const change = useCallback(
    (next: PanelState) => {
      setState(next);
      ask(next === 'open');
    },
    [setState],
  );
  return { state, change, isFocusAsked, focused: useCallback(() => ask(false), []) };
};
