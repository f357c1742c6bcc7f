/** Bytes of a file, in memory that both threads see. The main thread leaves them alone until it is answered. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>;

/** A file that is being received; `id` is a number that no other has. */
export type TemporaryFile = { id: number; path: string };

/** To a thread that works on files, which gets several of them together. Each is answered by the number of its `call`; `hash` is not answered. */
export type ToDisk =
  /** Bytes to be hashed, after those before them. */
  | { kind: 'hash'; file: TemporaryFile; bytes: SharedBytes }
  /** Bytes to be written, after those before them. Makes the file if it is the first time. */
  | { kind: 'write'; call: number; file: TemporaryFile; bytes: SharedBytes }
  /** There is no more to hash. Answers with the SHA-256, in hexadecimal digits. */
  | { kind: 'digest'; call: number; file: TemporaryFile }
  /** The last bytes to be written. With `isDurable` the file survives a power cut. */
  | { kind: 'close'; call: number; file: TemporaryFile; bytes: SharedBytes; isDurable: boolean }
  /** Nothing of the file is to stay. */
  | { kind: 'remove'; call: number; file: TemporaryFile }
  /** Files that get their last names, and the folders in which those have to survive a power cut. */
  | { kind: 'rename'; call: number; renames: readonly Rename[]; folders: readonly string[] };

export type Rename = { from: string; to: string };

export type FromDisk = { call: number; answer: string | undefined } | { call: number; error: SystemError };

/** What is left of an error on its way between threads. */
export type SystemError = { message: string; code: string | undefined; syscall: string | undefined };
