import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();
const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const showPalette = (open: boolean): void => {
  isOpen = open;
  for (const listener of listeners) listener();
};

export const usePaletteOpen = (): boolean => useSyncExternalStore(onChange, () => isOpen);

/** The key name: "⌘" on Apple keyboards, "Ctrl" on others. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';
