import type { SharedBytes, SystemError } from './disk-messages.ts';

/** A file, how many bytes of it are to be read, and where in the memory they belong. */
export type FileToRead = { path: string; length: number; at: number };

/** To a thread that reads files. It is answered by the number of its `call`. */
export type ToReader = { call: number; target: SharedBytes; files: readonly FileToRead[] };

export type FromReader = { call: number; error?: SystemError };
