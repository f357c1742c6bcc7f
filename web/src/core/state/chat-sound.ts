import { useSyncExternalStore } from 'react';
import { z } from 'zod';

/** Sound for messages of other users in this browser. The volume is from 0 to 1. */
export type ChatSound = { enabled: boolean; volume: number };

const key = 'chat-sound';
const unlessSaid: ChatSound = { enabled: true, volume: 0.5 };

const stored = z.object({ enabled: z.boolean(), volume: z.number() });

const clamped = (volume: number): number => Math.min(1, Math.max(0, volume));

const parse = (text: string | null): ChatSound => {
  try {
    const { enabled, volume } = stored.parse(JSON.parse(text ?? ''));
    return { enabled, volume: clamped(volume) };
  } catch {
    return unlessSaid;
  }
};

let last: { text: string | null; sound: ChatSound } = { text: null, sound: unlessSaid };

/** Returns the stored setting. Returns the same object until the setting changes. */
export const readChatSound = (): ChatSound => {
  const text = localStorage.getItem(key);
  if (text !== last.text) last = { text, sound: parse(text) };
  return last.sound;
};

const listeners = new Set<() => void>();

export const saveChatSound = ({ enabled, volume }: ChatSound): void => {
  localStorage.setItem(key, JSON.stringify({ enabled, volume: clamped(volume) }));
  for (const listener of listeners) listener();
};

const onChange = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};

export const useChatSound = (): ChatSound => useSyncExternalStore(onChange, readChatSound);
