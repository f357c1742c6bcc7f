/**
 * A command of the application: an action with a key that the user can change. The palette offers it while a screen
 * registers it.
 */
export type Command = {
  /** Stable name, such as "report.finalize". */
  id: string;
  group: string;
  does: string;
  /** Default keys, as in `Shortcut`. */
  keys: string;
  /** Words by which the palette also finds the command. */
  keywords?: string;
  /** Whether the command claims, signs, sends or flags. Its key is then always a sequence of two keys. */
  isSerious?: true;
  /** Whether the key also works in text. It is then always a function key. */
  worksInText?: true;
};
