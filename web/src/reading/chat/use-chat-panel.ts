import { useCallback, useSyncExternalStore } from 'react';
import { usePreference } from '#core/state/preferences.ts';

const states = ['closed', 'open', 'minimized'] as const;
export type PanelState = (typeof states)[number];

/** End of links that open the chat of a study, such as the links in mention notifications. */
const chatHash = '#chat';

/** Whether the message field must take the focus when the panel opens. */
let isFocusRequested = false;
const listeners = new Set<() => void>();
const setFocusRequest = (isRequested: boolean) => {
  isFocusRequested = isRequested;
  for (const listener of listeners) listener();
};
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const isLinkedToChat = (): boolean => window.location.hash === chatHash;

/** State of the panel: closed, open or minimized. This browser remembers it for all studies. */
export const useChatPanel = () => {
  const [state, setState] = usePreference('chat', states);
  const takesFocus = useSyncExternalStore(onChange, () => isFocusRequested);
  const change = useCallback(
    (next: PanelState) => {
      setState(next);
      setFocusRequest(next === 'open');
    },
    [setState],
  );
  return { state, change, isFocusAsked: takesFocus, focused: useCallback(() => setFocusRequest(false), []) };
};
