import { useCallback, useSyncExternalStore } from 'react';
import { readRememberedText, setPreference, onPreferenceChange } from '#core/state/preferences.ts';
import { readSession } from '#core/state/session.ts';
import type { Command } from './command.ts';
import { keyCaps, registeredShortcuts, type Shortcut, useShortcuts } from './shortcuts.ts';

const known = new Map<string, Command>();

/** Defines the commands of a feature. The page of keyboard settings lists all defined commands. */
export const defineCommands = <const Name extends string>(
  group: string,
  commands: Record<Name, Omit<Command, 'group'>>,
): Record<Name, Command> => {
  const defined = Object.entries<Omit<Command, 'group'>>(commands).map(
    ([name, command]) => [name, { ...command, group }] as const,
  );
  for (const [, command] of defined) known.set(command.id, command);
  return Object.fromEntries(defined) as Record<Name, Command>;
};

export const knownCommands = (): readonly Command[] => [...known.values()];

/** Changed keys by the ID of their command. */
type ChangedKeys = Readonly<Record<string, string>>;

/** Name of the preference. Several users share a workstation. */
const preferenceName = (): string => {
  const session = readSession();
  return `keys.${session?.tenant.subdomain ?? ''}.${session?.user.id ?? ''}`;
};

const parsed = (text: string): ChangedKeys => {
  try {
    const stored: unknown = JSON.parse(text);
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(Object.entries(stored).filter(([, keys]) => typeof keys === 'string' && keys !== ''));
  } catch {
    return {};
  }
};

let last: { text: string; changed: ChangedKeys } = { text: '', changed: {} };

/** Returns the same object until the stored text changes, as `useSyncExternalStore` requires. */
const readChangedKeys = (): ChangedKeys => {
  const text = readRememberedText(preferenceName());
  if (text !== last.text) last = { text, changed: parsed(text) };
  return last.changed;
};

/** Returns the keys of a command: those of the user, or the default. */
export const keysOf = ({ id, keys }: Command, changed = readChangedKeys()): string => changed[id] ?? keys;

/** Returns the keys that the user has changed, and functions to change or reset them. */
export const useChangedKeys = () => {
  const changed = useSyncExternalStore(onPreferenceChange, readChangedKeys);
  const store = (next: ChangedKeys) => setPreference(preferenceName(), JSON.stringify(next));
  return {
    changed,
    change: ({ id, keys: usual }: Command, keys: string) => {
      const { [id]: _, ...others } = readChangedKeys();
      store(keys === usual ? others : { ...others, [id]: keys });
    },
    resetAll: () => store({}),
  };
};

/** Returns a function that gives the keys of a command. The component renders again when the user changes them. */
export const useKeysOf = (): ((command: Command) => string) => {
  const changed = useSyncExternalStore(onPreferenceChange, readChangedKeys);
  return useCallback((command: Command) => keysOf(command, changed), [changed]);
};

export type CommandEntry = Pick<Shortcut, 'hint'> & {
  command: Command;
  /** The action of the button. Undefined while the user may not take it. */
  run: (() => void) | undefined;
};

/** Registers commands of one group while the caller is mounted, for their keys, the keyboard help and the palette. */
export const useCommands = (entries: readonly CommandEntry[], options?: { everywhere?: boolean }) => {
  const keysFor = useKeysOf();
  useShortcuts(
    entries[0]?.command.group ?? '',
    entries.flatMap(({ command, run, hint }) =>
      run ? [{ keys: keysFor(command), does: command.does, run, command, ...(hint && { hint }) }] : [],
    ),
    options,
  );
};

/** Returns the commands that apply at present, each once. The latest screen comes first. */
export const offeredCommands = (): Command[] => {
  const commands = registeredShortcuts().flatMap(({ command }) => command ?? []);
  return commands.filter(({ id }, at) => commands.findIndex((other) => other.id === id) === at);
};

/** Runs a command with its latest function. Returns false if it no longer applies. */
export const runCommand = (id: string): boolean => {
  const shortcut = registeredShortcuts().find(({ command }) => command?.id === id);
  shortcut?.run();
  return shortcut !== undefined;
};

/** Returns a text with the keys of a command, such as "Finalize report (Q F)". */
export const withKeys = (does: string, keys: string): string => `${does} (${keyCaps(keys).join(' ')})`;
