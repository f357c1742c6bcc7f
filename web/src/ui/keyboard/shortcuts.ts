import { t } from '@lingui/core/macro';
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import { readPreference } from '#core/state/preferences.ts';
import type { Command } from './command.ts';

export type Shortcut = {
  /**
   * KeyboardEvent.key, lower case for letters, "Alt+ArrowUp" with Alt, "Shift+ArrowUp" with Shift (named keys only).
   * Two keys with a space between are pressed in sequence.
   */
  keys: string;
  does: string;
  run: () => void;
  /** Short text for the status bar. Shortcuts with the same hint appear together. */
  hint?: string;
  /** The command of which this is the key (commands.ts). */
  command?: Command;
};

export type ShortcutGroup = { name: string; shortcuts: readonly Shortcut[] };

/**
 * Preference for shortcuts with a single character. Users of speech input must be able to disable them (WCAG 2.1.4).
 */
export const shortcutPreference = ['on', 'off'] as const;
export const shortcutPreferenceName = 'shortcuts';

let groups: readonly { current: ShortcutGroup }[] = [];
const listeners = new Set<() => void>();
const change = (next: typeof groups) => {
  groups = next;
  for (const listener of listeners) listener();
};

const typing = 'input, textarea, select, [contenteditable="true"], [role="textbox"]';
const pressable = 'button, a[href], summary, [role="button"], [role="menuitem"]';
const ownKeys = '[role="menu"], [role="listbox"], [role="tablist"]';

const isTaken = (event: KeyboardEvent): boolean => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.isComposing) return true;
  // With Alt, a character key types another character or belongs to the browser.
  if (event.altKey && event.key.length === 1) return true;
  if (document.querySelector('[aria-modal="true"]')) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  if (target.closest(typing) || target.closest(ownKeys)) return true;
  return (event.key === 'Enter' || event.key === ' ') && target.closest(pressable) !== null;
};

let firstKey: { key: string; at: number } | undefined;

/** Longest time between the two keys of a sequence, in milliseconds. */
const pairTime = 1000;

let pausedUntil = 0;

/** Longest time between two typed characters, in milliseconds. */
const typingTime = 1500;

/**
 * Disables character shortcuts until a pause in typing. Called when a text field opens or closes. Otherwise characters
 * typed at that moment could leave the page, or go to another field before the focus has moved.
 */
export const pauseCharacterShortcuts = (): void => {
  pausedUntil = Date.now() + typingTime;
};

const isPaused = (): boolean => {
  if (Date.now() >= pausedUntil) return false;
  pauseCharacterShortcuts();
  return true;
};

/** Keys that act only once while they are held. A held Delete key would otherwise delete one item after another. */
const once: ReadonlySet<string> = new Set(['Delete', 'Backspace']);

/** Whether a key is part of writing: a character, a correction or a line break. */
const isOfText = (key: string): boolean => key.length === 1 || key === 'Enter' || once.has(key);

const onKeyDown = (event: KeyboardEvent) => {
  if (isTaken(event)) return;
  const key = `${event.altKey ? 'Alt+' : ''}${event.key.length === 1 ? event.key.toLowerCase() : event.key}`;
  if (isOfText(key) && isPaused()) return;
  const isCharacter = key.length === 1 && key !== ' ';
  if (isCharacter && readPreference(shortcutPreferenceName, shortcutPreference) === 'off') return;
  const first = firstKey && Date.now() - firstKey.at < pairTime ? firstKey.key : undefined;
  firstKey = undefined;
  const known = groups.flatMap(({ current }) => current.shortcuts);
  const pair = first && known.find(({ keys }) => keys === `${first} ${key}`);
  // If a named key with Shift has no shortcut of its own, it acts like the key without Shift.
  const withShift = event.shiftKey && event.key.length > 1 && known.find(({ keys }) => keys === `Shift+${key}`);
  const match = pair || withShift || known.find(({ keys }) => keys === key);
  if (match) {
    event.preventDefault();
    if (!event.repeat || !once.has(key)) match.run();
  } else if (known.some(({ keys }) => keys.startsWith(`${key} `))) {
    firstKey = { key, at: Date.now() };
  }
};

/**
 * Registers shortcuts while the caller is mounted, and lists them in the keyboard help under `name`. Shortcuts that
 * work `everywhere` have the lowest priority, so a screen may override them.
 */
export const useShortcuts = (name: string, shortcuts: readonly Shortcut[], { everywhere = false } = {}) => {
  const group = useRef<ShortcutGroup>({ name, shortcuts });
  useLayoutEffect(() => {
    group.current = { name, shortcuts };
  });
  useEffect(() => {
    if (groups.length === 0) window.addEventListener('keydown', onKeyDown);
    change(everywhere ? [...groups, group] : [group, ...groups]);
    return () => {
      change(groups.filter((candidate) => candidate !== group));
      if (groups.length === 0) window.removeEventListener('keydown', onKeyDown);
    };
  }, [everywhere]);
};

const onChange = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Merges groups with the same name. Each key appears once, with its current effect. */
const mergeGroups = (registered: readonly ShortcutGroup[]): ShortcutGroup[] => {
  const byName = new Map<string, Shortcut[]>();
  const used = new Set<string>();
  for (const { name, shortcuts } of registered) {
    for (const shortcut of shortcuts) {
      if (used.has(shortcut.keys)) continue;
      used.add(shortcut.keys);
      byName.set(name, [...(byName.get(name) ?? []), shortcut]);
    }
  }
  return [...byName].map(([name, shortcuts]) => ({ name, shortcuts }));
};

/** Returns all registered shortcuts, those of the latest screen first. */
export const registeredShortcuts = (): Shortcut[] => groups.flatMap(({ current }) => current.shortcuts);

/** Returns the shortcuts that work at present, the global ones last. */
export const useShortcutGroups = (): ShortcutGroup[] => {
  const registered = useSyncExternalStore(onChange, () => groups);
  return mergeGroups(registered.map(({ current }) => current));
};

const caps: Record<string, string> = { ArrowDown: '↓', ArrowUp: '↑', ArrowLeft: '←', ArrowRight: '→', Escape: t`Esc` };

/** Returns the labels of the keys to press. */
export const keyCaps = (keys: string): string[] =>
  keys === ' '
    ? [t`Space`]
    : keys.split(/ |(?<=.)\+(?=.)/).map((key) => caps[key] ?? (key.length === 1 ? key.toUpperCase() : key));
