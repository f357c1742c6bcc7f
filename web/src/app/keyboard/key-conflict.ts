import { t } from '@lingui/core/macro';
import type { Command } from '#ui/keyboard/command.ts';
import { keysOf, knownCommands } from '#ui/keyboard/commands.ts';

/** Function keys that the browser uses: help, search, reload, address bar, full screen and developer tools. */
const browserKeys: ReadonlySet<string> = new Set(['F1', 'F3', 'F5', 'F6', 'F7', 'F10', 'F11', 'F12']);

/**
 * Whether a command may begin with this key: only Q, and G for commands of screens. Viewers and lists use all other
 * letters, digits and marks. A command that begins with one of them would take it from a tool, or would never run.
 */
const isFreeLetter = (command: Command, key: string): boolean =>
  key === 'q' || (key === 'g' && command.keys.startsWith('g '));

const isFunctionKey = (key: string): boolean => /^F\d{1,2}$/.test(key);

const isBeginning = (one: string, other: string): boolean => one === other || other.startsWith(`${one} `);

/**
 * Returns why a command cannot have these keys; undefined if it can. Two commands may not share keys, and no command
 * may have the first key of another as its only key.
 */
export const keyConflict = (
  command: Command,
  keys: string,
  changed: Readonly<Record<string, string>>,
): string | undefined => {
  const [first = '', second] = keys.split(' ');
  if (first === '') return t`Press one or two keys.`;
  // The default keys need no check, because they were chosen to fit the fixed keys.
  if (keys !== command.keys) {
    const fault = faultOf(command, first, second);
    if (fault) return fault;
  }
  const other = knownCommands().find((known) => {
    const taken = keysOf(known, changed);
    return known.id !== command.id && (isBeginning(taken, keys) || isBeginning(keys, taken));
  });
  if (!other) return undefined;
  const name = other.does;
  return t`“${name}” uses these keys. Change them there first.`;
};

const faultOf = (command: Command, first: string, second: string | undefined): string | undefined => {
  if (command.worksInText && (!isFunctionKey(first) || second !== undefined)) {
    return t`This command also works in text, so it needs a function key such as F9.`;
  }
  if (browserKeys.has(first)) return t`The browser uses ${first}.`;
  if (command.isSerious && second === undefined) {
    return t`This command needs two keys, one after the other, so that a single key cannot start it.`;
  }
  if (second !== undefined && isFunctionKey(first)) return t`Use the function key without a second key.`;
  if (!isFunctionKey(first) && !isFreeLetter(command, first)) {
    return t`Viewers and lists use this key. Begin with Q, or use a function key.`;
  }
  if (second !== undefined && second.length > 1) return t`The second key must be a letter, digit or mark.`;
  return undefined;
};
